import { type Issue, invalid, shortIssues } from '../errors.ts'
import { dayLength } from '../request/time-zone.ts'
import { isAddress, longestAddress, oneAddress, withoutPort } from './address.ts'
import { firstCharacters, isLonger } from './characters.ts'
import { compact } from './compact.ts'
import { oneHost, parsedUrl } from './hosts.ts'
import { type SentProperty, sentProperties } from './properties.ts'
import type { Sent, SentValue } from './sent.ts'

/** The maximum number of events in a batch. */
export const mostSent = 500

export const eventTypes = ['event', 'identify', 'performance'] as const

const sourceKinds = ['website', 'link', 'pixel'] as const

/** The text fields, each with its maximum length in characters. Longer texts are truncated. */
export const textLengths = {
  ...{ hostname: 100, language: 35, screen: 11, name: 50, tag: 50, id: 255 },
  ...{ userAgent: 1000, browser: 255, os: 255, device: 255, region: 255, city: 255 },
} as const

/** The web vitals, each with its maximum. */
export const figureBounds = { lcp: 60_000, inp: 60_000, fcp: 60_000, ttfb: 60_000, cls: 100 } as const

type TextName = keyof typeof textLengths | 'title' | 'ip' | 'country' | 'eventId'

type Payload = { readonly [Name in TextName]?: string | undefined } & {
  readonly [Name in keyof typeof figureBounds]?: number | undefined
} & {
  /** In whole seconds since 1970. */
  readonly timestamp?: number | undefined
}

/** The names of the fields that are read. */
export const sentNames: ReadonlySet<string> = new Set([
  ...sourceKinds,
  ...Object.keys(textLengths),
  ...Object.keys(figureBounds),
  ...['title', 'url', 'referrer', 'timestamp', 'ip', 'country', 'eventId', 'data'],
])

/** One event as its sender described it, validated and corrected. Ids are in lower case. */
export interface Submission {
  readonly type: (typeof eventTypes)[number]
  /** The event's website, link or pixel. */
  readonly source: { readonly kind: (typeof sourceKinds)[number]; readonly id: string }
  readonly payload: Payload
  /** The page's URL; undefined if there is no `url`. */
  readonly url: URL | undefined
  readonly referrer: URL | undefined
  readonly properties: readonly SentProperty[]
  /** The corrections that were made. */
  readonly warnings: readonly Issue[]
}

/** Validates and corrects one event. Throws a 400 that lists the faults. `now` is in milliseconds since 1970. */
export function readSubmission(sent: Sent | undefined, now: number): Submission {
  if (!sent) throw invalid([{ path: '', message: 'An event must be an object with type and payload.' }])
  const fields = fieldsOf(sent)
  const type = eventTypes.find((name) => name === sent.type)
  if (!type) fields.faults.push({ path: 'type', message: `Must be one of ${eventTypes.join(', ')}.` })
  if (!sent.payload) throw invalid([...fields.faults, { path: 'payload', message: 'Must be an object.' }])
  const source = fields.source()
  const hostname = fields.hostname()
  const url = fields.url(hostname)
  const timestamp = fields.timestamp(now)
  const eventId = fields.id('eventId')
  if (!type || !source || fields.faults.length > 0) throw invalid(fields.faults)
  const payload = fields.mended({ hostname, timestamp, eventId })
  const referrer = fields.referrer(hostname)
  const properties = sentProperties(sent.data ?? fields.given('data'), (path, message) => fields.warn(path, message))
  return { type, source, payload, url, referrer, properties, warnings: shortIssues(fields.warnings) }
}

/** An event's source, even if other fields are invalid; undefined if it is ambiguous. */
export const namedSource = (sent: Sent): Submission['source'] | undefined => fieldsOf(sent).source()

const fieldsOf = ({ payload }: Sent): PayloadFields => new PayloadFields(payload ?? new Map())

/** The event field that an issue is about: one of `sentNames`, or `type`. */
export const wrongField = ({ path }: Issue): string => path.split('.', 2).at(-1)!

const fromYear2000 = Date.UTC(2000, 0, 1) / 1000

const uuidFormat = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A number in the format of JSON and most languages. */
const numeral = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const localhost = 'https://localhost'

/** The fields of a payload, read one by one. */
class PayloadFields {
  /** The reasons why nothing is stored. */
  readonly faults: Issue[] = []
  readonly warnings: Issue[] = []
  readonly #sent: ReadonlyMap<string, SentValue>

  constructor(sent: ReadonlyMap<string, SentValue>) {
    this.#sent = sent
  }

  /** All fields that cannot make an event invalid. */
  mended(judged: Pick<Payload, 'hostname' | 'timestamp' | 'eventId'>): Payload {
    return {
      hostname: judged.hostname,
      timestamp: judged.timestamp,
      eventId: judged.eventId,
      language: this.text('language'),
      screen: this.screen(),
      name: this.name(),
      title: this.text('title'),
      tag: this.text('tag'),
      id: this.text('id'),
      ip: this.ip(),
      userAgent: this.text('userAgent'),
      browser: this.text('browser'),
      os: this.text('os'),
      device: this.text('device'),
      country: this.country(),
      region: this.text('region'),
      city: this.text('city'),
      lcp: this.figure('lcp'),
      inp: this.figure('inp'),
      fcp: this.figure('fcp'),
      ttfb: this.figure('ttfb'),
      cls: this.figure('cls'),
    }
  }

  fault(name: string, message: string): void {
    this.faults.push({ path: `payload.${name}`, message })
  }

  warn(name: string, message: string): undefined {
    this.warnings.push({ path: `payload.${name}`, message })
  }

  /** An empty text is treated as a missing field. */
  given(name: string): SentValue | undefined {
    const given = this.#sent.get(name)
    return given === '' ? undefined : given
  }

  has(name: string): boolean {
    return this.given(name) !== undefined
  }

  source(): Submission['source'] | undefined {
    const [kind, another] = sourceKinds.filter((one) => this.has(one))
    if (!kind || another) return void this.fault('website', 'Give exactly one of website, link and pixel.')
    const id = this.id(kind)
    return id === undefined ? undefined : { kind, id }
  }

  id(name: string): string | undefined {
    const given = this.given(name)
    if (given === undefined) return undefined
    if (typeof given === 'string' && uuidFormat.test(given)) return given.toLowerCase()
    return void this.fault(name, 'Must be a UUID.')
  }

  /** A text, truncated to its maximum length. Numbers and booleans are converted to text. */
  text(name: keyof typeof textLengths | 'title' | 'referrer' | 'country' | 'ip'): string | undefined {
    const given = this.given(name)
    if (given === undefined) return undefined
    if (typeof given === 'string') return this.#cut(name, given)
    if (typeof given === 'object' && 'json' in given) return this.warn(name, 'Must be a text. It is left out.')
    this.warn(name, 'Should be a text. It is stored as one.')
    return this.#cut(name, typeof given === 'boolean' ? String(given) : given.number)
  }

  #cut(name: string, text: string): string {
    const longest = name in textLengths ? textLengths[name as keyof typeof textLengths] : Number.POSITIVE_INFINITY
    if (!isLonger(text, longest)) return text
    this.warn(name, `May have ${longest} characters. The rest is cut off.`)
    return firstCharacters(text, longest)
  }

  /** A name that is not a text is replaced by its JSON, so that the event remains a custom event. */
  name(): string | undefined {
    const given = this.given('name')
    if (typeof given !== 'object' || !('json' in given)) return this.text('name')
    this.warn('name', 'Should be a text. Its JSON is stored.')
    return firstCharacters(compact(given.json.slice(0, longestJson)).toWellFormed(), textLengths.name)
  }

  hostname(): string | undefined {
    const hostname = this.text('hostname')
    // The ASCII form of the hostname may be too long.
    return hostname === undefined ? undefined : firstCharacters(oneHost(hostname), textLengths.hostname)
  }

  /** A size with fractional pixels is rounded before it is truncated. */
  screen(): string | undefined {
    const given = this.given('screen')
    const [, width, height] =
      typeof given === 'string' && isLonger(given, textLengths.screen) ? (size.exec(given) ?? []) : []
    if (width === undefined || height === undefined) return this.text('screen')
    this.warn('screen', 'Should have whole numbers. They are rounded.')
    return firstCharacters(`${Math.round(Number(width))}x${Math.round(Number(height))}`, textLengths.screen)
  }

  url(hostname: string | undefined): URL | undefined {
    const given = this.given('url')
    if (given === undefined) return undefined
    const url = typeof given === 'string' ? resolved(given, hostname) : undefined
    return url ?? void this.fault('url', 'Must be a URL, or a path of the hostname.')
  }

  referrer(hostname: string | undefined): URL | undefined {
    const text = this.text('referrer')
    if (text === undefined) return undefined
    return resolved(text, hostname) ?? this.warn('referrer', 'Must be a URL. It is left out.')
  }

  timestamp(now: number): number | undefined {
    const given = this.given('timestamp')
    if (given === undefined) return undefined
    const isDigits = typeof given === 'string' && /^\d{1,15}$/.test(given)
    const isNumber = typeof given === 'object' && 'number' in given
    const seconds = isDigits ? Number(given) : isNumber ? Number(given.number) : Number.NaN
    if (!Number.isInteger(seconds)) return void this.fault('timestamp', 'Must be a whole number of seconds since 1970.')
    if (seconds < fromYear2000) return void this.fault('timestamp', 'Must be from the year 2000 on, in seconds.')
    if (seconds > (now + dayLength) / 1000)
      return void this.fault('timestamp', 'Must be at most one day ahead, in seconds.')
    return seconds
  }

  figure(name: keyof typeof figureBounds): number | undefined {
    const given = this.given(name)
    if (given === undefined) return undefined
    const text = typeof given === 'object' && 'number' in given ? given.number : given
    const value = typeof text === 'string' && numeral.test(text) ? Number(text) : Number.NaN
    const greatest = figureBounds[name]
    if (value >= 0 && value <= greatest) return value
    return this.warn(name, `Must be a number from 0 to ${greatest}. It is left out.`)
  }

  /** The first address in a list, without a port. */
  ip(): string | undefined {
    const text = this.text('ip')
    if (text === undefined) return undefined
    const address = withoutPort(text.slice(0, longestAddress).split(',', 1)[0]!.trim())
    return isAddress(address) ? oneAddress(address) : this.warn('ip', 'Must be an address. It is left out.')
  }

  country(): string | undefined {
    const text = this.text('country')
    if (text === undefined || /^[A-Za-z]{2}$/.test(text)) return text
    return this.warn('country', 'Must be a code of two letters. It is left out.')
  }
}

/** How many code units of a name's JSON are read. The JSON may contain spaces and escapes. */
const longestJson = 1000

const size = /^(\d{1,9}(?:\.\d+)?)x(\d{1,9}(?:\.\d+)?)$/

function resolved(text: string, hostname: string | undefined): URL | undefined {
  const base = hostname === undefined ? localhost : `https://${hostname}`
  return parsedUrl(text, base) ?? parsedUrl(text, localhost)
}

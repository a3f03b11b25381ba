import { domainToASCII } from 'node:url'
import { BOOLEAN, DATE, NUMBER, STRING } from './model.ts'

/**
 * What collection answers and stores (sections 15.1 to 15.6 of the contract), computed simply, with arrays and
 * maps. Ids that depend on a secret or on chance are replaced by names such as `session of …`. Two names are equal
 * exactly when the Worker's ids must be equal.
 */

/** The origin of a request. */
export interface Sender {
  readonly address: string
  readonly userAgent: string
  /** What the platform knows about the address. */
  readonly place: Place
  /** Whether it has a key that may change every source. */
  readonly isKeyed?: boolean
}

interface Place {
  readonly country: string
  readonly region: string
  readonly city: string
}

/** The results of `detect-browser` and `ua-parser-js` for a User-Agent, written by hand. Bots are not counted. */
export interface Agent {
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly isBot?: boolean
}

/** A token's content. */
export interface Token {
  readonly source: string
  readonly base: string
  readonly session: string
  /** The session's owner, or empty if there is none. */
  readonly owner: string
  readonly visit: string
  /** The time of the visit's last event, or undefined if no event can continue it. */
  readonly at: number | undefined
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Payload = Readonly<Record<string, Json>>

/** One object in a request. */
export interface Sent {
  readonly type: string
  readonly payload: Payload
}

/** The answer to one object. */
export type Answered =
  | {
      readonly kind: 'stored'
      readonly session: string
      readonly visit: string
      readonly token: Token
      /** The paths of the corrected fields. All of `data` counts as one. */
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'bot' }
  | { readonly kind: 'refused'; readonly paths: readonly string[] }

type Stored = Extract<Answered, { kind: 'stored' }>

/** The columns that collection sets in an event row. `event_id` is empty if the sender gave none. */
export type StoredEvent = Readonly<Record<string, string | number | null | readonly StoredProperty[]>>

/** Key, type, text, number and date. Numbers are texts with four decimals, and dates are ISO with milliseconds. */
export type StoredProperty = readonly [string, number, string, string | null, string | null]

interface Visit {
  readonly name: string
  last: number
  /** The number of its latest event, in order of arrival. */
  order: number
  owner: string
}

const minute = 60_000
const hour = 60 * minute

export class Collection {
  readonly events: StoredEvent[] = []
  readonly records: StoredEvent[] = []
  readonly #visits = new Map<string, Visit>()
  readonly #firsts = new Map<string, { readonly at: number; readonly base: string; readonly answer: Stored }>()
  #visitsSoFar = 0
  #events = 0
  readonly #known: ReadonlySet<string>
  readonly #agents: ReadonlyMap<string, Agent>

  /** `known` lists what exists, such as `website <id>`. `agents` describes each User-Agent. */
  constructor(known: Iterable<string>, agents: ReadonlyMap<string, Agent>) {
    this.#known = new Set(known)
    this.#agents = agents
  }

  /** The answer to a `POST /api/send` request that arrives at `now`, in milliseconds. */
  send(sent: Sent, sender: Sender, token: Token | undefined, now: number): Answered {
    return this.#judge(sent, sender, token, now, 0)
  }

  /** The answers to the objects in `POST /api/batch`. */
  batch(all: readonly Sent[], sender: Sender, token: Token | undefined, now: number): Answered[] {
    const seconds = new Map<number, number>()
    return all.map((sent) => {
      const second = Math.floor(secondsOf(sent.payload) ?? now / 1000)
      const before = seconds.get(second) ?? 0
      const isCounted =
        refusals(sent, this.#mayChange(sent.payload, sender), now).length === 0 &&
        !this.#agentOf(sent.payload, sender).isBot
      if (isCounted) seconds.set(second, before + 1)
      return this.#judge(sent, sender, token, now, before)
    })
  }

  #agentOf(payload: Payload, { userAgent }: Sender): Agent {
    const agent = this.#agents.get(textOf(payload, 'userAgent') || userAgent)
    if (!agent) throw new Error('The oracle does not know this User-Agent.')
    return agent
  }

  #judge({ type, payload }: Sent, sender: Sender, given: Token | undefined, now: number, later: number): Answered {
    const paths = refusals({ type, payload }, this.#mayChange(payload, sender), now)
    if (paths.length > 0) return { kind: 'refused', paths }
    const source = sourceOf(payload)
    if (!this.#isKnown(payload)) return { kind: 'refused', paths: [] }
    const agent = this.#agentOf(payload, sender)
    if (agent.isBot) return { kind: 'bot' }

    const seconds = secondsOf(payload)
    const moment = seconds === undefined ? now : seconds * 1000
    const month = new Date(moment).toISOString().slice(0, 7)
    const address = textOf(payload, 'ip') || sender.address
    const userAgent = textOf(payload, 'userAgent') || sender.userAgent
    const direct = JSON.stringify([month, source, address, userAgent])
    const isNamed = !sender.isKeyed && (textOf(payload, 'ip') !== '' || textOf(payload, 'userAgent') !== '')
    const own = isNamed ? `named ${direct}` : direct
    const token = given && given.source === source && [own, direct].includes(given.base) ? given : undefined
    const base = token?.base ?? own
    const id = textOf(payload, 'id')
    const isLate = seconds !== undefined && Math.abs(moment - now) > minute
    const warnings = mended(payload)

    const eventId = textOf(payload, 'eventId').toLowerCase()
    const first = this.#firsts.get(`${source} ${eventId}`)
    const isRepeat = eventId !== '' && first !== undefined && now - first.at <= hour
    if (isRepeat && first.base === base) return { ...first.answer, warnings }

    const session = isLate ? lateSession(base, id, token) : this.#sessionOf(base, id, token, now)
    const known = isLate ? undefined : this.#running(session, now)
    const owner = id || known?.owner || (token?.session === session ? token.owner : '')
    const visit = isLate
      ? `hour ${Math.floor(moment / hour)} of ${session}`
      : (visitNow(known, token?.session === session ? token : undefined, now) ?? `visit ${this.#visitsSoFar++}`)
    const at = isLate ? undefined : now
    const next = { source, base, session, owner, visit, at }
    const answer: Answered = { kind: 'stored', session, visit, token: next, warnings }
    if (isRepeat) return answer

    const stored: StoredEvent = {
      ...{ website_id: source, session_id: session, visit_id: visit, event_id: eventId },
      created_at: columnTime(moment + later),
      ...columnsOf(type, payload, agent, sender),
    }
    const properties = propertiesOf(payload.data)
    const isHit = Boolean(textOf(payload, 'link') || textOf(payload, 'pixel'))
    const isStored =
      type === 'identify'
        ? properties.length > 0 || id !== ''
        : type === 'event' || (!isHit && figures.some((figure) => stored[figure] !== null))
    if (!isStored) return answer
    if (type === 'identify') {
      const { website_id, session_id, created_at, distinct_id } = stored
      this.records.push({ website_id, session_id, created_at, distinct_id, properties } as StoredEvent)
    } else this.events.push({ ...stored, properties: type === 'performance' ? [] : properties })
    if (eventId) this.#firsts.set(`${source} ${eventId}`, { at: now, base, answer })
    if (!isLate) this.#visits.set(session, { name: visit, last: now, order: this.#events++, owner })
    return answer
  }

  #isKnown = (payload: Payload): boolean =>
    this.#known.has(`${sources.find((kind) => textOf(payload, kind))} ${sourceOf(payload)}`)

  /** A key may change what has this id, whatever its kind. */
  #mayChange = (payload: Payload, { isKeyed = false }: Sender): boolean =>
    isKeyed && sources.some((kind) => this.#known.has(`${kind} ${sourceOf(payload)}`))

  /** The session's visit that still continues. */
  #running(session: string, now: number): Visit | undefined {
    const visit = this.#visits.get(session)
    return visit && now - visit.last <= 30 * minute ? visit : undefined
  }

  /** Implements section 15.3, "Which session". */
  #sessionOf(base: string, id: string, token: Token | undefined, now: number): string {
    const anonymous = sessionName(base, '')
    const ofBase = [...this.#visits]
      .filter(([session]) => session.startsWith(sessionName(base, '')) && this.#running(session, now))
      .sort(([, one], [, other]) => other.order - one.order)
    if (id === '') return token?.session ?? ofBase[0]?.[0] ?? anonymous
    if (token) {
      const owner = this.#running(token.session, now)?.owner || token.owner
      if (owner === '' || owner === id) return token.session
    }
    const owned = ofBase.find(([, { owner }]) => owner === id)
    if (owned) return owned[0]
    const isFree = token === undefined && this.#running(anonymous, now)?.owner === ''
    return isFree ? anonymous : sessionName(base, id)
  }
}

/** The visit that continues, which is the more recent of the stored visit and the token's. */
function visitNow(known: Visit | undefined, token: Token | undefined, now: number): string | undefined {
  const isRecent = token?.at !== undefined && now - token.at <= 30 * minute
  if (known && !(isRecent && token.at > known.last)) return known.name
  return isRecent ? token.visit : undefined
}

const sessionName = (base: string, id: string): string => `session of ${base} ${id}`

function lateSession(base: string, id: string, token: Token | undefined): string {
  const isOpen = token !== undefined && (id === '' || token.owner === '' || token.owner === id)
  return isOpen ? token.session : sessionName(base, id)
}

/** `null` and empty texts count as absent. U+FFFD replaces a lone surrogate. */
function textOf(payload: Payload, name: string): string {
  const value = payload[name] ?? ''
  const isComposed = typeof value === 'object'
  const text = isComposed ? (name === 'name' ? JSON.stringify(value) : '') : String(value).toWellFormed()
  const most = longest[name as keyof typeof longest] ?? Number.POSITIVE_INFINITY
  const size = /^(\d{1,9}(?:\.\d+)?)x(\d{1,9}(?:\.\d+)?)$/.exec(text)
  const whole = name === 'screen' && [...text].length > most && size ? size.slice(1).map(rounded).join('x') : text
  return [...whole].slice(0, most).join('')
}

const rounded = (text: string): number => Math.floor(Number(text) + 0.5)

/** A host in the form that browsers report. */
function hostOf(payload: Payload): string {
  const text = textOf(payload, 'hostname')
  const [, host = '', port = ''] = /^(.*?)\.?(:\d+)?$/s.exec(text.toLowerCase()) ?? []
  return (/^[\x20-\x7f]*$/.test(host) ? host : domainToASCII(host)) + port
}

const isAbsent = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

const secondsOf = (payload: Payload): number | undefined =>
  isAbsent(payload.timestamp) ? undefined : Number(payload.timestamp)

const sources = ['website', 'link', 'pixel'] as const

const sourceOf = (payload: Payload): string => sources.map((kind) => textOf(payload, kind).toLowerCase()).join('')

const figures = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const longest = {
  ...{ hostname: 100, language: 35, screen: 11, name: 50, tag: 50, id: 255 },
  ...{ userAgent: 1000, browser: 255, os: 255, device: 255, region: 255, city: 255 },
} as const

const hex = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The paths of the refused fields. */
function refusals({ type, payload }: Sent, mayChange: boolean, now: number): string[] {
  const wrong = new Set<string>()
  if (!['event', 'identify', 'performance'].includes(type)) wrong.add('type')
  const given = sources.filter((kind) => !isAbsent(payload[kind]))
  if (given.length !== 1) wrong.add('payload.website')
  for (const name of [...given, 'eventId'])
    if (!isAbsent(payload[name]) && !hex.test(String(payload[name]))) wrong.add(`payload.${name}`)
  const url = payload.url
  if (!isAbsent(url) && (typeof url !== 'string' || !URL.canParse(url, originOf(payload)))) wrong.add('payload.url')
  const { timestamp } = payload
  if (!isAbsent(timestamp)) {
    const isDigits = typeof timestamp === 'string' && /^\d+$/.test(timestamp)
    const isWhole = isDigits || Number.isInteger(timestamp)
    const earliest = mayChange ? Date.UTC(2000, 0, 1) : now - 7 * 24 * hour
    const isIn = Number(timestamp) >= earliest / 1000 && Number(timestamp) <= now / 1000 + 86_400
    if (!isWhole || !isIn) wrong.add('payload.timestamp')
  }
  return [...wrong]
}

/** The paths of the corrected fields. */
function mended(payload: Payload): string[] {
  const names = new Set<string>()
  for (const name of [...Object.keys(longest), 'title', 'referrer']) {
    const value = payload[name]
    const isLong = [...String(value)].length > (longest[name as keyof typeof longest] ?? Number.POSITIVE_INFINITY)
    if (!isAbsent(value) && (typeof value !== 'string' || isLong)) names.add(name)
  }
  if (textOf(payload, 'referrer') && !URL.canParse(textOf(payload, 'referrer'), originOf(payload)))
    names.add('referrer')
  if (!isAbsent(payload.country) && (typeof payload.country !== 'string' || countryOf(payload) === ''))
    names.add('country')
  for (const name of figures) if (!isAbsent(payload[name]) && figureOf(payload, name) === null) names.add(name)
  const { data } = payload
  if (!isAbsent(data) && !isData(data!)) names.add('data')
  return [...names].map((name) => `payload.${name}`)
}

const countryOf = (payload: Payload): string =>
  /^[a-z]{2}$/i.test(textOf(payload, 'country')) ? textOf(payload, 'country').toUpperCase() : ''

function figureOf(payload: Payload, name: (typeof figures)[number]): number | null {
  const value = payload[name]
  const isNumeral = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
  return isNumeral && Number(value) >= 0 && Number(value) <= (name === 'cls' ? 100 : 60_000) ? Number(value) : null
}

function originOf(payload: Payload): string {
  const origin = `https://${hostOf(payload) || 'localhost'}`
  return URL.canParse(origin) ? origin : 'https://localhost'
}

type Objects = { readonly [key: string]: Json }

const isObject = (value: Json): value is Objects => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the data is stored unchanged. */
function isData(data: Json): boolean {
  if (!isObject(data)) return false
  const all = [...flattened(data)].filter(([, value]) => value !== null)
  return (
    all.length <= 100 &&
    all.every(([key, value]) => {
      if ([...key].length > 200) return false
      if (typeof value === 'string')
        return [...value].length <= 2000 && (dateOf(value) !== undefined || momentOf(value) === undefined)
      if (typeof value === 'number') return fourDecimals(value) !== undefined
      return !Array.isArray(value) || [...JSON.stringify(value)].length <= 4000
    })
  )
}

/** The time in a text, if that time can be stored. */
function dateOf(text: string): number | undefined {
  const moment = momentOf(text)
  const year = moment === undefined ? 0 : new Date(moment).getUTCFullYear()
  return year >= 1900 && year <= 2299 ? moment : undefined
}

/** A number rounded to four decimals, half away from zero, or undefined beyond 2^53 - 1. */
function fourDecimals(value: number): string | undefined {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined
  const [digits, exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole, fraction = ''] = digits!.split('.')
  /** The digits, with enough leading zeros before the decimal point. */
  const all = `${'0'.repeat(400)}${whole}${fraction}${'0'.repeat(400)}`
  const point = 400 + whole!.length + Number(exponent)
  const kept = BigInt(all.slice(0, point + 4)) + (all[point + 4]! >= '5' ? 1n : 0n)
  const text = String(kept).padStart(5, '0')
  return `${value < 0 ? '-' : ''}${text.slice(0, -4)}.${text.slice(-4)}`
}

/** Objects flattened with dots. Later keys replace earlier ones. */
function flattened(data: Objects, before = ''): Map<string, Json> {
  const all = new Map<string, Json>()
  for (const [name, value] of Object.entries(data)) {
    const key = before + name
    const parts: Iterable<[string, Json]> = isObject(value) ? flattened(value, `${key}.`) : [[key, value]]
    for (const [inner, one] of parts) all.set(inner, one)
  }
  return all
}

const dateText = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{3})?(Z|[+-]\d\d:\d\d)?$/

/** The time in a text, or `undefined` if the text is not a date. */
function momentOf(text: string): number | undefined {
  const parts = dateText.exec(text)
  if (!parts) return undefined
  const [year, month, day, hours, minutes, seconds] = parts.slice(1, 7).map(Number) as [number, ...number[]]
  const wall = new Date(0)
  wall.setUTCFullYear(year, month! - 1, day)
  wall.setUTCHours(hours!, minutes, seconds, Number(parts[7] ?? 0) * 1000)
  // 31 February is not a day, and 25:00 is not a time.
  if (wall.toISOString().slice(0, 19) !== text.slice(0, 19)) return undefined
  const zone = parts[8] ?? 'Z'
  if (zone === 'Z') return wall.getTime()
  const [ahead, more] = [Number(zone.slice(1, 3)), Number(zone.slice(4))]
  if (ahead > 23 || more > 59) return undefined
  return wall.getTime() - Number(`${zone[0]}1`) * (ahead * hour + more * minute)
}

function propertiesOf(data: Json | undefined): StoredProperty[] {
  if (isAbsent(data) || Array.isArray(data)) return []
  const all: StoredProperty[] = []
  for (const [given, value] of isObject(data!) ? flattened(data) : new Map([['value', data!]])) {
    const key = cut(given, 200)
    const text = typeof value === 'number' ? fourDecimals(value) : undefined
    if (text !== undefined) all.push([key, NUMBER, text, text, null])
    else if (typeof value === 'boolean') all.push([key, BOOLEAN, String(value), null, null])
    else if (Array.isArray(value)) all.push([key, 5, firstElements(value), null, null])
    else if (value !== null) {
      const moment = dateOf(String(value))
      const iso = moment === undefined ? null : new Date(moment).toISOString()
      all.push(iso === null ? [key, STRING, cut(String(value), 2000), null, null] : [key, DATE, iso, null, iso])
    }
  }
  return all.slice(0, 100)
}

/** The JSON of as many of the first elements as fit into 4,000 characters. */
function firstElements(list: readonly Json[]): string {
  const json = JSON.stringify(list)
  return [...json].length <= 4000 ? json : firstElements(list.slice(0, -1))
}

/** This many of the first characters of a text. */
const cut = (text: string, length: number): string => [...text.toWellFormed()].slice(0, length).join('')

/** Decodes each run of encoded bytes separately, always the longest valid UTF-8 prefix first. */
const decoded = (text: string, decode: (text: string) => string): string =>
  text.replace(/(%[\da-f]{2})+/gi, (run) => {
    let result = ''
    for (let start = 0; start < run.length; ) {
      const length = [12, 9, 6, 3].find(
        (one) => start + one <= run.length && isCharacter(run.slice(start, start + one)),
      )
      const part = run.slice(start, start + (length ?? 3))
      result += length === undefined ? part : decode(part)
      start += part.length
    }
    return result
  })

/** Whether these encoded bytes form one character. */
function isCharacter(encoded: string): boolean {
  try {
    return [...decodeURIComponent(encoded)].length === 1
  } catch {
    return false
  }
}

const withoutWww = (host: string): string => host.replace(/^www\./, '')

function columnsOf(type: string, payload: Payload, agent: Agent, { address, place }: Sender) {
  const text = (name: string): string => cut(textOf(payload, name), 255)
  const url = textOf(payload, 'url') ? new URL(textOf(payload, 'url'), originOf(payload)) : undefined
  const referrer = URL.parse(textOf(payload, 'referrer') || 'https://', originOf(payload)) ?? undefined
  const hostname = hostOf(payload) || (url ? withoutWww(url.hostname) : '')
  const path = url && url.pathname !== '/undefined' ? decoded(url.pathname + url.hash, decodeURI) : ''
  const query = url ? url.search.slice(1) : ''
  const parameter = (name: string): string => cut(new URLSearchParams(query).get(name) ?? '', 255)
  const name = textOf(payload, 'name')
  const domain = withoutWww((referrer?.hostname ?? '').toLowerCase())
  const isOwn = domain === withoutWww(URL.parse(`https://${hostname || 'localhost'}`)?.hostname ?? ' ')
  const isElsewhere = textOf(payload, 'ip') !== '' && textOf(payload, 'ip') !== address
  const known = isElsewhere ? { country: '', region: '', city: '' } : place
  const isVitals = type === 'performance'
  const figure = (one: (typeof figures)[number]): number | null => (isVitals ? figureOf(payload, one) : null)
  return {
    event_type: typeOf(type, payload, name),
    event_name: isVitals ? '' : name,
    ...{ hostname, browser: text('browser') || agent.browser, os: text('os') || agent.os },
    ...{ device: text('device') || deviceOf(agent.device, textOf(payload, 'screen')), screen: text('screen') },
    ...{ language: text('language'), country: countryOf(payload) || known.country },
    ...{ region: text('region') || known.region, city: text('city') || known.city, url_path: cut(path, 500) },
    url_query: cut(query, 500),
    ...Object.fromEntries(
      ['source', 'medium', 'campaign', 'content', 'term'].map((part) => [`utm_${part}`, parameter(`utm_${part}`)]),
    ),
    ...Object.fromEntries(
      ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'].map((part) => [part, parameter(part)]),
    ),
    referrer_path: cut(referrer?.pathname ?? '', 500),
    referrer_query: cut(referrer?.search.slice(1) ?? '', 500),
    referrer_domain: isOwn ? '' : cut(domain, 500),
    page_title: cut(decoded(textOf(payload, 'title'), decodeURIComponent), 500),
    tag: text('tag'),
    distinct_id: text('id'),
    ...Object.fromEntries(figures.map((one) => [one, figure(one)])),
  }
}

function typeOf(type: string, payload: Payload, name: string): number {
  if (type === 'performance') return 5
  if (textOf(payload, 'link')) return 3
  if (textOf(payload, 'pixel')) return 4
  return name ? 2 : 1
}

const deviceOf = (device: string, screen: string): string => {
  const width = Number.parseInt(screen, 10)
  return device === 'desktop' && width <= 1920 ? 'laptop' : device
}

const columnTime = (moment: number): string => new Date(moment).toISOString().replace('T', ' ').replace('Z', '')

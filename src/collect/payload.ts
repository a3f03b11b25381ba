import * as z from 'zod'
import { type Issue, invalid, maxIssues } from '../errors.ts'
import { made } from '../made.ts'
import { isLonger } from './characters.ts'
import { dayLasts } from './identity.ts'
import { flatProperties, type SentProperty } from './properties.ts'

/** `null` and the empty text are the same as an absent field. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

/** A text of at most this many characters: not UTF-16 code units, of which an emoji has two. */
const optionalText = (longest?: number) =>
  optional(
    (longest === undefined
      ? z.string({ error: 'Must be a text.' })
      : z
          .string({ error: `Must be a text of at most ${longest} characters.` })
          .refine((text) => !isLonger(text, longest), { error: `Must have at most ${longest} characters.` })
          .meta({ maxLength: longest })
    ).overwrite((value) => value.toWellFormed()),
  )

const optionalId = () => optional(z.guid({ error: 'Must be a UUID.' }).overwrite((value) => value.toLowerCase()))

const figure = (greatest: number) => {
  const error = `Must be a number from 0 to ${greatest}.`
  return optional(z.number({ error }).min(0, { error }).max(greatest, { error }))
}

const fromYear2000 = Date.UTC(2000, 0, 1) / 1000

const Payload = () =>
  z.looseObject({
    website: optionalId(),
    link: optionalId(),
    pixel: optionalId(),
    hostname: optionalText(100),
    language: optionalText(35),
    screen: optionalText(11),
    name: optionalText(50),
    tag: optionalText(50),
    id: optionalText(255),
    title: optionalText(),
    url: optionalText(),
    referrer: optionalText(),
    timestamp: optional(
      z
        .int({ error: 'Must be a whole number of seconds since 1970.' })
        .min(fromYear2000, { error: 'Must be from the year 2000 on, in seconds.' }),
    ),
    lcp: figure(60_000),
    inp: figure(60_000),
    fcp: figure(60_000),
    ttfb: figure(60_000),
    cls: figure(100),
    data: z.unknown().optional().describe('An object of up to 100 properties.'),
    ip: optionalText(255),
    userAgent: optionalText(255),
    browser: optionalText(255),
    os: optionalText(255),
    device: optionalText(255),
    country: optional(z.string().regex(/^[A-Za-z]{2}$/, { error: 'Must be a code of two letters.' })),
    region: optionalText(255),
    city: optionalText(255),
    eventId: optionalId(),
  })

/** The body of `POST /api/send`, as far as it is known. */
export const Sent = () =>
  z.looseObject({
    type: z.enum(['event', 'identify', 'performance'], { error: 'Must be event, identify or performance.' }),
    payload: made(Payload),
  })

/** The most events of a batch. */
export const mostSent = 500

/** What a sender says of one event, checked. Ids are in lower case. */
export interface Submission {
  readonly type: 'event' | 'identify' | 'performance'
  /** What the event belongs to. */
  readonly source: { readonly kind: 'website' | 'link' | 'pixel'; readonly id: string }
  readonly payload: Readonly<z.infer<ReturnType<typeof Payload>>>
  /** The page; undefined without `url`. */
  readonly url: URL | undefined
  readonly referrer: URL | undefined
  readonly properties: readonly SentProperty[]
}

/** Checks what was sent for one event. Throws a 400 that lists the faults. `now` in milliseconds since 1970. */
export function readSubmission(sent: unknown, now: number): Submission {
  const read = made(Sent).safeParse(sent)
  if (!read.success) {
    throw invalid(
      read.error.issues.slice(0, maxIssues).map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
    )
  }
  const { type, payload } = read.data
  const issues: Issue[] = []
  const fault = (name: string, message: string) => void issues.push({ path: `payload.${name}`, message })

  const sources = (['website', 'link', 'pixel'] as const).filter((kind) => payload[kind] !== undefined)
  if (sources.length !== 1) fault('website', 'Give exactly one of website, link and pixel.')
  if (payload.timestamp !== undefined && payload.timestamp > (now + dayLasts) / 1000) {
    fault('timestamp', 'Must be at most one day ahead, in seconds.')
  }
  const base = `https://${payload.hostname ?? 'localhost'}`
  const resolved = (name: 'url' | 'referrer'): URL | undefined => {
    const given = payload[name]
    if (given === undefined) return undefined
    const url = URL.parse(given, base)
    if (!url) fault(name, 'Must be a URL, or a path of the hostname.')
    return url ?? undefined
  }
  const [url, referrer] = [resolved('url'), resolved('referrer')]
  const properties = flatProperties(payload.data, (path, message) => fault(path, message))
  if (issues.length > 0) throw invalid(issues)
  const [kind] = sources
  return { type, source: { kind: kind!, id: payload[kind!]! }, payload, url, referrer, properties }
}

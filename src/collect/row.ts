import { firstCharacters } from './characters.ts'
import { oneHost } from './hosts.ts'
import type { Submission } from './payload.ts'
import type { SentProperty } from './properties.ts'

/** Facts about the visitor that are not in the payload. */
export interface Client {
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly region: string
  readonly city: string
}

/** The id and time (in milliseconds since 1970) of a stored row. */
interface Stamp {
  readonly eventId: string
  readonly createdAt: number
}

/** The maximum length of paths, queries, titles and referrers, and that of other texts, in characters. */
const longestPath = 500
const longestOther = 255

const cut = (text: string): string => firstCharacters(text, longestOther)

const pathText = (text: string): string => firstCharacters(text, longestPath)

/** The click ids. Their columns in `ingest` have the same names as the parameters. */
export const clickIds = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const
const campaigns = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const figures = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

/**
 * Whether a submission is stored. Web vitals need a website and at least one figure; identify calls need a property or
 * an id.
 */
export const isStored = ({ type, payload, properties, source }: Submission): boolean =>
  type === 'event' ||
  (type === 'identify'
    ? properties.length > 0 || payload.id !== undefined
    : source.kind === 'website' && figures.some((name) => payload[name] !== undefined))

/** The row for `ingest`, without session and visit. */
export function eventRow(submission: Submission, client: Client, { eventId, createdAt }: Stamp): object {
  const { payload, source, url, referrer, properties } = submission
  // Most pages have no query string, and each access to `searchParams` is a slow call out of JavaScript.
  const parameters = url?.search ? url.searchParams : undefined
  const texts = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (parameters?.get(name) ? [[name, cut(parameters.get(name)!)]] : [])))
  const hostname = payload.hostname ?? cut(withoutWww(oneHost(url?.hostname ?? '')))
  const isVital = submission.type === 'performance'
  return {
    website_id: source.id,
    event_id: eventId,
    created_at: timeText(createdAt),
    event_type: eventTypeOf(submission),
    ...(!isVital && payload.name !== undefined && { event_name: payload.name }),
    hostname,
    ...client,
    screen: payload.screen ?? '',
    language: payload.language ?? '',
    url_path: url ? pathTextOf(url) : '',
    url_query: pathText(url?.search.slice(1) ?? ''),
    ...texts(campaigns),
    ...texts(clickIds),
    ...referrerOf(referrer, hostname),
    page_title: pathText(decoded(payload.title ?? '', decodeURIComponent)),
    tag: payload.tag ?? '',
    distinct_id: payload.id ?? '',
    ...(isVital && Object.fromEntries(figures.map((name) => [name, payload[name] ?? null]))),
    ...(!isVital && propertyColumns(properties, isoText)),
  }
}

/** The row for `ingest_session_data`, without the session. */
export const callRow = (
  { source, payload, properties }: Submission,
  { createdAt }: Omit<Stamp, 'eventId'>,
): object => ({
  website_id: source.id,
  distinct_id: payload.id ?? '',
  created_at: timeText(createdAt),
  ...propertyColumns(properties, isoText),
})

const eventTypeOf = ({ type, source, payload }: Submission): number => {
  if (type === 'performance') return 5
  if (source.kind !== 'website') return source.kind === 'link' ? 3 : 4
  return payload.name === undefined ? 1 : 2
}

/** Creates the parallel arrays of a row. `dateOf` formats a date for its column. */
export const propertyColumns = (
  properties: readonly (Omit<SentProperty, 'type'> & { readonly type: number })[],
  dateOf: (date: string) => string,
): object =>
  properties.length === 0
    ? {}
    : {
        'properties.key': properties.map(({ key }) => key),
        'properties.data_type': properties.map(({ type }) => type),
        'properties.string_value': properties.map(({ text }) => text),
        'properties.number_value': properties.map(({ number }) => number),
        'properties.date_value': properties.map(({ date }) => date && dateOf(date)),
      }

/** A page's path as it is stored: decoded, and including the hash. */
export const pathTextOf = ({ pathname, hash }: URL): string =>
  pathname === '/undefined' ? '' : pathText(decoded(pathname + hash, decodeURI))

function referrerOf(referrer: URL | undefined, hostname: string): object {
  if (!referrer) return {}
  const domain = withoutWww(oneHost(referrer.hostname))
  // The page's own host in the form that `URL` produces: without a port, and in ASCII.
  const own = URL.parse(`https://${hostname || 'localhost'}`)?.hostname
  const isOwn = own !== undefined && domain === withoutWww(own)
  return {
    referrer_path: pathText(referrer.pathname),
    referrer_query: pathText(referrer.search.slice(1)),
    referrer_domain: isOwn ? '' : pathText(domain),
  }
}

const withoutWww = (hostname: string): string => hostname.replace(/^www\./, '')

/** The maximum number of code units that encode one character of a path. A character has up to four bytes. */
const longestEncoded = '%f0%9f%98%80'.length

/** Matches percent-encoded UTF-8 characters. */
const encoded = /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi

/**
 * The beginning of a text, at least as long as its column allows, with percent escapes decoded. Malformed escapes are
 * left unchanged.
 */
function decoded(text: string, decode: (text: string) => string): string {
  const beginning = text.slice(0, longestEncoded * (longestPath + 1))
  return (tried(beginning, decode) ?? beginning.replace(encoded, (one) => tried(one, decode) ?? one)).toWellFormed()
}

function tried(text: string, decode: (text: string) => string): string | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}

/** Formats a time like `2026-11-23 20:00:00.000`, which ClickHouse parses fastest. */
export const timeText = (moment: number): string => isoText(new Date(moment).toISOString())

const isoText = (iso: string): string => iso.replace('T', ' ').slice(0, -1)

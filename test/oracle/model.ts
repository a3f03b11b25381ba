import type { Saved } from './saved.ts'
import type { SessionRecord } from './session-records.ts'

/** An event as a writer inserts it into `ingest` (JSONEachRow). `created_at` is `YYYY-MM-DD HH:MM:SS.mmm` in UTC. */
export type IngestRow = {
  website_id: string
  session_id: string
  visit_id: string
  event_id: string
  created_at: string
  event_type: number
  event_name: string
  hostname: string
  browser: string
  os: string
  device: string
  screen: string
  language: string
  country: string
  region: string
  city: string
  url_path: string
  url_query: string
  utm_source: string
  utm_medium: string
  utm_campaign: string
  utm_content: string
  utm_term: string
  referrer_path: string
  referrer_query: string
  referrer_domain: string
  page_title: string
  tag: string
  distinct_id: string
  gclid?: string
  fbclid?: string
  msclkid?: string
  ttclid?: string
  li_fat_id?: string
  twclid?: string
  lcp?: number | null
  inp?: number | null
  cls?: number | null
  fcp?: number | null
  ttfb?: number | null
  /** The channel list version, if not the current one. No writer inserts it. */
  channel_lists?: 0
  'properties.key': string[]
  'properties.data_type': number[]
  'properties.string_value': string[]
  'properties.number_value': (number | string | null)[]
  'properties.date_value': (string | null)[]
}

/** Lists and counts of events. Each name is the path below the website. */
export type Endpoint =
  | 'events'
  | 'events/stats'
  | 'event-data'
  | 'event-data/:eventId'
  | 'event-data/events'
  | 'event-data/fields'
  | 'event-data/properties'
  | 'event-data/values'
  | 'event-data/stats'
  | 'event-data-pivot'
  | 'daterange'

/** Statistics about a website: what happened on it, over time and by every dimension. */
export type Statistic =
  | 'stats'
  | 'pageviews'
  | 'metrics'
  | 'metrics/expanded'
  | 'values'
  | 'active'
  | 'events/series'
  | 'event-data-pivot/property-series'
  | 'event-data-pivot/array-series'
  | 'event-data-pivot/date-series'
  | 'event-data-pivot/numeric-series'
  | 'event-data-pivot/numeric-stats'

/** Lists and counts about sessions and their data. */
export type SessionReport =
  | 'sessions'
  | 'sessions/stats'
  | 'sessions/weekly'
  | 'sessions/:sessionId'
  | 'sessions/:sessionId/activity'
  | 'sessions/:sessionId/properties'
  | 'session-data/properties'
  | 'session-data/values'
  | 'session-data/stats'
  | 'session-data-pivot'
  | 'session-data/property-series'
  | 'session-data/array-series'
  | 'session-data/date-series'
  | 'session-data/numeric-series'
  | 'session-data/numeric-stats'

/** Revenue reports, reports on sequences of events, and all other reports about a website. */
type OtherReport =
  | 'revenue/stats'
  | 'revenue/chart'
  | 'revenue/metrics'
  | 'revenue/sessions'
  | 'revenue/currencies'
  | 'goals/stats'
  | 'funnels/stats'
  | 'journeys'
  | 'retention'
  | 'attribution'
  | 'breakdown'
  | 'utm/metrics'
  | 'performance/stats'
  | 'performance/chart'
  | 'performance/metrics'
  | 'realtime'

export type Analysis = SessionReport | OtherReport

/** The names of all answers that the oracle computes. */
export type Report = Endpoint | Statistic | Analysis | 'chart' | 'export'

/**
 * A valid request. `query` has decoded names and values in the order sent. `saved` has the segments and cohorts used.
 * `now` is the time of the request, which matters to cohorts, `active` and `realtime`. `records` are the session
 * property records of the server. Events and records before `resetAt` are hidden, and so are events outside `locks`,
 * the filters of the share that the request uses.
 */
export type OracleRequest<Asked extends Report = Endpoint> = {
  endpoint: Asked
  websiteId: string
  eventId?: string
  sessionId?: string
  query: [string, string][]
  saved?: Saved[]
  records?: SessionRecord[]
  now?: number
  resetAt?: number
  locks?: [string, string][]
  isShare?: boolean
}

/** `x-total-count` is set only if the contract promises it. Without a `status`, the status is 200. */
export type Answer = { body: unknown; headers: { 'x-total-count'?: string }; status?: number }

export const STRING = 1
export const NUMBER = 2
export const BOOLEAN = 3
export const DATE = 4
export const ARRAY = 5

export const PAGE_VIEW = 1
export const CUSTOM_EVENT = 2
export const LINK = 3
export const PIXEL = 4
export const PERFORMANCE = 5

/** A view is an event of type 1, 3 or 4. */
export function isView({ event_type }: IngestRow): boolean {
  return event_type === PAGE_VIEW || event_type === LINK || event_type === PIXEL
}

/** An action is a view or a custom event. */
export function isAction(row: IngestRow): boolean {
  return isView(row) || row.event_type === CUSTOM_EVENT
}

export type Property = {
  key: string
  dataType: number
  stringValue: string
  numberValue: number | string | null
  dateValue: string | null
}

/** The property columns of an event or of a session property record. */
export type Nested = Pick<
  IngestRow,
  | 'properties.key'
  | 'properties.data_type'
  | 'properties.string_value'
  | 'properties.number_value'
  | 'properties.date_value'
>

/** The stored properties of an event or a record. */
export function storedProperties(row: Nested): Property[] {
  return row['properties.key'].map((key, index) => ({
    ...{ key, dataType: row['properties.data_type'][index]!, stringValue: row['properties.string_value'][index]! },
    ...{ numberValue: row['properties.number_value'][index]!, dateValue: row['properties.date_value'][index]! },
  }))
}

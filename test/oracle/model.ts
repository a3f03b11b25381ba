import type { Saved } from './saved.ts'

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
  'properties.key': string[]
  'properties.data_type': number[]
  'properties.string_value': string[]
  'properties.number_value': (number | string | null)[]
  'properties.date_value': (string | null)[]
}

export const ENDPOINTS = [
  'events',
  'events/stats',
  'event-data',
  'event-data/:eventId',
  'event-data/events',
  'event-data/fields',
  'event-data/properties',
  'event-data/values',
  'event-data/stats',
  'event-data-pivot',
  'daterange',
] as const

export type Endpoint = (typeof ENDPOINTS)[number]

/** The endpoints that take neither a range nor filters. */
export const WITHOUT_RANGE: readonly Endpoint[] = ['event-data/:eventId', 'daterange']

/**
 * A valid request. `query` has decoded names and values, in the order in which they are sent. `saved` has the
 * segments and cohorts that it names. `now` is the time of the request; only cohorts use it.
 */
export type OracleRequest = {
  endpoint: Endpoint
  websiteId: string
  eventId?: string
  query: [string, string][]
  saved?: Saved[]
  now?: number
}

/** `x-total-count` is set only if the contract promises it. */
export type Answer = { body: unknown; headers: { 'x-total-count'?: string } }

export const STRING = 1
export const NUMBER = 2
export const BOOLEAN = 3
export const DATE = 4
export const ARRAY = 5

export const PAGE_VIEW = 1
export const CUSTOM_EVENT = 2
export const PERFORMANCE = 5

export type Property = {
  key: string
  dataType: number
  stringValue: string
  numberValue: number | string | null
  dateValue: string | null
}

/** The properties of an event as stored. */
export function storedProperties(row: IngestRow): Property[] {
  return row['properties.key'].map((key, index) => ({
    key,
    dataType: row['properties.data_type'][index]!,
    stringValue: row['properties.string_value'][index]!,
    numberValue: row['properties.number_value'][index]!,
    dateValue: row['properties.date_value'][index]!,
  }))
}

import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { columnInstant } from '../oracle/instants.ts'
import { type IngestRow, type Nested, NUMBER, PERFORMANCE, type Property, storedProperties } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { insertInto, type Version } from './tables.ts'

/** Events and identify calls, as Weir must store them. */
export interface Moved {
  readonly rows: IngestRow[]
  /** The same events as Umami stores them. Campaigns may be only in the query. */
  readonly stored: IngestRow[]
  readonly records: SessionRecord[]
}

const CAMPAIGNS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const CLICK_IDS = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const
const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
const OF_SESSION = [
  'browser',
  'os',
  'device',
  'screen',
  'language',
  'country',
  'region',
  'city',
  'distinct_id',
] as const

/** A UUID derived from a text. */
export function uuidOf(text: string): string {
  const digits = createHash('md5').update(text).digest('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The maximum lengths of the PostgreSQL columns, in characters. PostgreSQL has no NUL. */
const lengths: Readonly<Record<string, number>> = {
  ...{ browser: 20, os: 20, device: 20, screen: 11, language: 35, country: 2, region: 20, city: 50, distinct_id: 50 },
  ...{ event_name: 50, tag: 50, hostname: 100, url_path: 500, url_query: 500, referrer_path: 500 },
  ...{ referrer_query: 500, referrer_domain: 500, page_title: 500 },
}

const longestMark = 255

/** A row's texts, truncated to what its columns can hold. `char(2)` has no trailing blank. */
function fitted<Row extends object>(row: Row): Row {
  const shortened = (name: string, text: string) =>
    [...text.replaceAll('\0', '').toWellFormed()].slice(0, lengths[name] ?? longestMark).join('')
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? shortened(name, value) : value,
  ])
  const made = Object.fromEntries(columns)
  return { ...made, ...('country' in made && { country: made.country.trimEnd().length === 2 ? made.country : '' }) }
}

const hasMarks = (version: Version): boolean => version !== '2.15'
const hasVitals = (version: Version): boolean => version === '3.1' || version === 'late'

/**
 * These events as a given version of Umami can hold them. A session has only the attributes of its first event. Older
 * versions have no web vitals, and store campaigns only in the query. Every third event has no session row.
 */
export function heldBy(version: Version, rows: readonly IngestRow[], records: readonly SessionRecord[]): Moved {
  const ids = new Set<string>()
  const named = rows.map(fitted).map((row) => {
    // Two of a world's websites may share an event id, but a table contains each id only once.
    const event_id = ids.has(row.event_id) ? uuidOf(row.website_id + row.event_id) : row.event_id
    ids.add(event_id)
    return { ...row, event_id, session_id: uuidOf(row.website_id + row.session_id) }
  })
  const inOrder = named.toSorted((one, other) => columnInstant(one.created_at) - columnInstant(other.created_at))
  const firsts = new Map<string, IngestRow>()
  for (const row of inOrder) if (!firsts.has(row.session_id)) firsts.set(row.session_id, row)
  const stored = named
    .filter((row) => row.event_type !== PERFORMANCE || hasVitals(version))
    .map((row) => heldRow(version, row, firsts.get(row.session_id)!))
  return {
    rows: stored.map(withMarksOfQuery),
    stored,
    records: records
      .map(fitted)
      .map((record) => ({
        ...record,
        session_id: uuidOf(record.website_id + record.session_id),
        distinct_id: hasMarks(version) ? record.distinct_id : '',
        ...heldProperties(record),
      }))
      .filter((record) => record['properties.key'].length > 0),
  }
}

/** Whether a session lacks a row. */
export const isRowless = ({ session_id }: Pick<IngestRow, 'session_id'>): boolean => session_id.endsWith('7')

function heldRow(version: Version, row: IngestRow, first: IngestRow): IngestRow {
  const names = hasMarks(version) ? OF_SESSION : OF_SESSION.filter((name) => name !== 'distinct_id')
  const empty = Object.fromEntries(OF_SESSION.map((name) => [name, '']))
  const own = isRowless(row) ? {} : Object.fromEntries(names.map((name) => [name, first[name]]))
  const held: IngestRow = {
    ...row,
    ...empty,
    ...own,
    ...(hasMarks(version) ? {} : { hostname: isRowless(row) ? '' : first.hostname }),
    ...Object.fromEntries(
      [...CAMPAIGNS, ...CLICK_IDS].map((name) => [name, hasMarks(version) ? (row[name] ?? '') : '']),
    ),
    ...Object.fromEntries(VITALS.map((name) => [name, rounded(name, row[name])])),
    ...heldProperties(row),
  }
  delete held.channel_lists
  return held
}

const rounded = (name: string, figure: number | null | undefined): number | null =>
  figure == null ? null : Number(figure.toFixed(name === 'cls' ? 4 : 1))

/** Extracts campaigns and click ids from the query if their columns are empty. */
export function withMarksOfQuery(row: IngestRow): IngestRow {
  const marks = [...CAMPAIGNS, ...CLICK_IDS]
  if (marks.some((name) => row[name])) return row
  const query = new URLSearchParams(row.url_query)
  return { ...row, ...Object.fromEntries(marks.map((name) => [name, query.get(name) ?? ''])) }
}

/** PostgreSQL allows no NUL, and 15 digits before the decimal point. If keys are equal, the last one is used. */
export function heldProperties(row: Nested): Nested {
  const held = storedProperties(row).filter(
    ({ key, stringValue, numberValue }) =>
      !/\0|[\ud800-\udfff]/.test(key + stringValue.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')) &&
      key.length <= 500 &&
      stringValue.length <= 500 &&
      Math.abs(Number(numberValue)) < 1e15,
  )
  const byKey = new Map(held.map((property) => [property.key, property]))
  return nestedOf([...byKey.values()])
}

export const nestedOf = (list: readonly Property[]): Nested => ({
  'properties.key': list.map(({ key }) => key),
  'properties.data_type': list.map(({ dataType }) => dataType),
  'properties.string_value': list.map(({ stringValue }) => stringValue),
  'properties.number_value': list.map(({ numberValue }) => numberValue),
  'properties.date_value': list.map(({ dateValue }) => dateValue),
})

export const propertyRows = (row: Nested, more: object): object[] =>
  storedProperties(row).map(({ key, dataType, stringValue, numberValue, dateValue }) => ({
    ...more,
    data_key: key,
    data_type: dataType,
    string_value: stringValue,
    number_value: dataType === NUMBER ? numberValue : null,
    date_value: dateValue === null ? null : `${dateValue}+00`,
  }))

/** Adds microseconds, which an import must truncate. */
const finer = (time: string): string => `${time}${String(Math.abs(columnInstant(time) % 7) * 100).padStart(3, '0')}`

const orNull = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value]))

/** Writes events and calls into a version's tables. */
export async function writeOrigin(client: pg.Client, { stored: rows, records }: Omit<Moved, 'rows'>): Promise<void> {
  const sessions = new Map(rows.filter((row) => !isRowless(row)).map((row) => [row.session_id, row]))
  await insertInto(
    client,
    'session',
    [...sessions.values()].map((row) => orNull({ ...row, subdivision1: row.region })),
  )
  await insertInto(
    client,
    'website_event',
    rows.map((row) => ({ ...orNull(row), url_path: row.url_path, created_at: `${finer(row.created_at)}+00` })),
  )
  await insertInto(
    client,
    'event_data',
    rows.flatMap((row) => dataOf(row)),
  )
  await insertInto(
    client,
    'session_data',
    records.flatMap((record) => callOf(record)),
  )
}

const dataOf = (row: IngestRow): object[] =>
  propertyRows(row, {
    website_id: row.website_id,
    website_event_id: row.event_id,
    created_at: `${finer(row.created_at)}+00`,
  }).map((one) => ({ event_data_id: randomUUID(), ...one }))

const callOf = ({ website_id, session_id, distinct_id, created_at, ...nested }: SessionRecord): object[] =>
  propertyRows(nested, {
    ...{ website_id, session_id, created_at: `${finer(created_at)}+00` },
    distinct_id: distinct_id === '' ? null : distinct_id,
  }).map((one) => ({ session_data_id: randomUUID(), ...one }))

/** Rows for the source's websites. */
export const websiteRows = (ids: readonly string[]): object[] =>
  ids.map((website_id) => ({ website_id, name: 'A website', domain: 'example.com', replay_enabled: true }))

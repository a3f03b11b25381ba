import type { IngestRow, Nested } from '../oracle/model.ts'
import { currentValues, type SessionRecord } from '../oracle/session-records.ts'
import { clickhouse, insert, running } from '../support/weir.ts'
import { heldProperties, nestedOf, propertyRows, withMarksOfQuery } from './origin.ts'

/** Umami's tables in a separate ClickHouse database. Older versions have a different name for the region column. */
export async function makeClickHouse(name: string, isOld: boolean): Promise<string> {
  const texts = (...names: readonly string[]) => names.map((one) => `${one} String`)
  const uuids = (...names: readonly string[]) => names.map((one) => `${one} UUID`)
  const values = ['string_value Nullable(String)', 'number_value Nullable(Decimal(22, 4))', 'data_type UInt32']
  const common = [
    ...values,
    "date_value Nullable(DateTime('UTC'))",
    "created_at DateTime('UTC')",
    'job_id Nullable(UUID)',
  ]
  const marks = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'fbclid', 'msclkid']
  const later = [...texts(...marks, 'ttclid', 'li_fat_id', 'twclid', 'distinct_id', 'region')]
  const vitals = ['lcp', 'inp', 'fcp', 'ttfb'].map((one) => `${one} Nullable(Decimal(10, 1))`)
  const event = [
    ...uuids('website_id', 'session_id', 'visit_id', 'event_id'),
    ...texts('hostname', 'browser', 'os', 'device', 'screen', 'language', 'country', 'city', 'url_path', 'url_query'),
    ...texts('referrer_path', 'referrer_query', 'referrer_domain', 'page_title', 'event_name', 'tag'),
    ...['event_type UInt32', "created_at DateTime('UTC')", 'job_id Nullable(UUID)'],
    ...(isOld ? texts('subdivision1', 'subdivision2') : [...later, ...vitals, 'cls Nullable(Decimal(10, 4))']),
  ]
  const data = [
    ...uuids('website_id', 'session_id', 'event_id'),
    ...texts('url_path', 'event_name', 'data_key'),
    ...common,
  ]
  const session = [
    ...uuids('website_id', 'session_id'),
    ...texts('data_key', ...(isOld ? [] : ['distinct_id'])),
    ...common,
  ]
  const key = 'toStartOfHour(created_at), website_id, session_id, visit_id, created_at'
  await clickhouse(`CREATE DATABASE ${name}`)
  await clickhouse(
    `CREATE TABLE ${name}.website_event (${event}) ENGINE = MergeTree PARTITION BY toYYYYMM(created_at) ORDER BY (${key})`,
  )
  await clickhouse(
    `CREATE TABLE ${name}.event_data (${data}) ENGINE = MergeTree ORDER BY (website_id, event_id, data_key, created_at)`,
  )
  await clickhouse(
    `CREATE TABLE ${name}.session_data (${session}) ENGINE = ReplacingMergeTree
     ORDER BY (website_id, session_id, data_key)`,
  )
  const url = new URL(running.clickhouse)
  url.searchParams.set('database', name)
  return url.href
}

/** The maximum lengths of texts, in characters; 255 for texts not listed. */
const lengths: Readonly<Record<string, number>> = {
  ...{ event_name: 50, tag: 50, hostname: 100, screen: 11, language: 35, url_path: 500, url_query: 500 },
  ...{ referrer_path: 500, referrer_query: 500, referrer_domain: 500, page_title: 500 },
}

const toSecond = (time: string): string => `${time.slice(0, 19)}.000`

const cutTo = (length: number, value: string): string => [...value].slice(0, length).join('')

const cut = (row: IngestRow): IngestRow => {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutTo(lengths[name] ?? 255, value) : value,
  ])
  const short = Object.fromEntries(columns) as IngestRow
  return { ...short, country: short.country.trimEnd() }
}

/**
 * The expected import from Umami's ClickHouse, which stores whole seconds and only the current values of each session.
 */
export function heldByClickHouse(rows: readonly IngestRow[], records: SessionRecord[], isOld: boolean) {
  const absent = isOld ? { distinct_id: '', lcp: null, inp: null, cls: null, fcp: null, ttfb: null, ...noMarks } : {}
  const stored = rows.map((row): IngestRow => {
    const { channel_lists: _, ...rest } = row
    return { ...rest, ...vitalsOf(row), ...absent, ...heldProperties(row), created_at: toSecond(row.created_at) }
  })
  const websiteIds = [...new Set(records.map(({ website_id }) => website_id))]
  const held = records.map((record) => ({ ...record, ...heldProperties(record) }))
  const current = websiteIds
    .flatMap((id) => currentValues(held, id))
    .map(({ property, record }) => ({
      ...record,
      ...nestedOf([property]),
      created_at: toSecond(record.created_at),
      distinct_id: isOld ? '' : cutTo(255, record.distinct_id),
    }))
  return { stored, rows: stored.map(withMarksOfQuery).map(cut), records: current }
}

/** `Decimal(10, 1)` truncates all further decimals. */
const vitalsOf = (row: IngestRow) => {
  const cutOff = (figure: number | null | undefined) => (figure == null ? null : Math.floor(figure * 10) / 10)
  return { lcp: cutOff(row.lcp), inp: cutOff(row.inp), fcp: cutOff(row.fcp), ttfb: cutOff(row.ttfb) }
}

const noMarks = Object.fromEntries(
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'fbclid', 'msclkid', 'ttclid']
    .concat('li_fat_id', 'twclid')
    .map((name) => [name, '']),
)

const data = (row: Nested, more: object): object[] =>
  propertyRows(row, more).map((one) => ({
    ...one,
    date_value: inRange((one as { date_value: string | null }).date_value),
  }))

/** `DateTime` ranges from 1970 to 2106. */
const inRange = (date: string | null): string | null =>
  date === null ? null : date < '1970' || date > '2106' ? '1970-01-01 00:00:00' : date.slice(0, 19)

/** Writes events and calls into a database's tables. */
export async function writeClickHouse(
  name: string,
  { stored, records }: Omit<ReturnType<typeof heldByClickHouse>, 'rows'>,
): Promise<void> {
  const events = stored.map((row) => ({
    ...withoutNested(row),
    subdivision1: row.region,
    created_at: row.created_at.slice(0, 19),
  }))
  const columns = await clickhouse<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = '${name}' AND table = 'website_event'`,
  )
  const names = new Set(columns.map((column) => column.name))
  const known = events.map((row) => Object.fromEntries(Object.entries(row).filter(([one]) => names.has(one))))
  await insert(`${name}.website_event`, known)
  const properties = stored.flatMap((row) => {
    const { website_id, session_id, event_id, created_at } = row
    return data(row, { website_id, session_id, event_id, created_at: created_at.slice(0, 19) })
  })
  if (properties.length > 0) await insert(`${name}.event_data`, properties)
  const calls = records.flatMap(({ website_id, session_id, distinct_id, created_at, ...nested }) =>
    data(nested, { website_id, session_id, created_at: created_at.slice(0, 19), ...(distinct_id && { distinct_id }) }),
  )
  if (calls.length > 0) await insert(`${name}.session_data`, calls)
}

const withoutNested = (row: IngestRow): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('properties.')))

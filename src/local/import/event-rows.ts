import { clickIds } from '../../collect/row.ts'
import { type EntryRow, idsIn, timeIn, Unusable } from './made-rows.ts'
import type { SourceRecord, SourceRow } from './source.ts'
import { columnsOfProperties, propertiesOf } from './source-properties.ts'
import { cutText } from './texts.ts'

const campaigns = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** Values that older events have only in their query string. */
const marks = [...campaigns, ...clickIds] as const

/** The texts of an event, with the maximum number of characters for each. */
const lengths = {
  event_name: 50,
  hostname: 100,
  browser: 255,
  os: 255,
  device: 255,
  screen: 11,
  language: 35,
  country: 255,
  region: 255,
  city: 255,
  url_path: 500,
  url_query: 500,
  referrer_path: 500,
  referrer_query: 500,
  referrer_domain: 500,
  page_title: 500,
  tag: 50,
  distinct_id: 255,
} as const

const longestMark = 255

/** The figures of web vitals. */
const figures = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const textsWithLength = Object.entries(lengths)

const eventIds = ['website_id', 'session_id', 'visit_id', 'event_id'] as const

/** The event columns to read from a source, named as in `ingest`. */
export const eventColumns = [
  ...[...eventIds, 'created_at', 'event_type'],
  ...Object.keys(lengths),
  ...marks,
  ...figures,
] as const

/** The row for `ingest`. Throws an `Unusable` with the reason if the event cannot be imported. */
export function eventRow({ row, properties }: SourceRecord, now: number): EntryRow {
  // This object grows. V8 would take ten times as long if it had been created with a spread.
  const made: Record<string, unknown> & { website_id: string } = idsIn(row, eventIds)
  made.created_at = timeIn(row, now)
  const type = Number(row.event_type || Number.NaN)
  if (!(type >= 1 && type <= 5 && Number.isInteger(type))) {
    throw new Unusable(`event_type ${row.event_type ?? 'NULL'} is not known to Weir`)
  }
  made.event_type = type
  for (const [name, longest] of textsWithLength) {
    const given = row[name]
    if (given) made[name] = cutText(given, longest)
  }
  setMarks(made, row)
  if (typeof made.country === 'string') made.country = made.country.trimEnd()
  for (const name of figures) {
    const given = row[name]
    if (given && Number.isFinite(Number(given))) made[name] = Number(given)
  }
  return properties.length === 0 ? made : Object.assign(made, columnsOfProperties(propertiesOf(properties)))
}

/** Sets campaign values and click ids from their columns. If all of these are empty, it reads the query string. */
function setMarks(made: Record<string, unknown>, row: SourceRow): void {
  const isMarked = marks.some((name) => row[name])
  if (!isMarked && !mayBeMarked.test(row.url_query ?? '')) return
  const query = isMarked ? undefined : new URLSearchParams(row.url_query ?? '')
  for (const name of marks) {
    const text = cutText(query ? query.get(name) : row[name], longestMark)
    if (text !== '') made[name] = text
  }
}

/** Names in a query may be percent-encoded. */
const mayBeMarked = /utm_|clid|fat_id|%/

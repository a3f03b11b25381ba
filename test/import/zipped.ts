import { zipSync } from 'fflate'
import type { IngestRow } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { propertyRows } from './origin.ts'

type Value = string | number | null | undefined

const field = (value: Value): string => {
  if (value === null || value === undefined) return '\\N'
  return typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`
}

/** CSV in ClickHouse's form, with quoted texts and `\N` for NULL. */
export const csv = (columns: readonly string[], rows: readonly object[], end = '\n'): string =>
  [columns, ...rows.map((row) => columns.map((name) => field((row as Record<string, Value>)[name])))]
    .map((fields) => fields.join(',') + end)
    .join('')

export const eventHeader = [
  ...['website_id', 'session_id', 'visit_id', 'event_id', 'hostname', 'browser', 'os', 'device', 'screen', 'language'],
  ...['country', 'region', 'city', 'url_path', 'url_query', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content'],
  ...['utm_term', 'referrer_path', 'referrer_query', 'referrer_domain', 'page_title', 'gclid', 'fbclid', 'msclkid'],
  ...['ttclid', 'li_fat_id', 'twclid', 'event_type', 'event_name', 'tag', 'distinct_id', 'created_at', 'job_id'],
]

const dataHeader = [
  ...['website_id', 'session_id', 'event_id', 'url_path', 'event_name', 'data_key', 'string_value', 'number_value'],
  ...['date_value', 'data_type', 'created_at', 'job_id'],
]

const sessionHeader = [
  ...['website_id', 'session_id', 'data_key', 'string_value', 'number_value', 'date_value', 'data_type'],
  ...['distinct_id', 'created_at', 'job_id'],
]

const toSecond = <Row extends { created_at: string }>(row: Row): Row => ({
  ...row,
  created_at: row.created_at.slice(0, 19),
})

/** An export of the hosted service, with unordered rows. */
export function zipped(stored: readonly IngestRow[], records: readonly SessionRecord[]): Uint8Array {
  const inNoOrder = stored.toSorted((one, other) => (one.event_id < other.event_id ? 1 : -1)).map(toSecond)
  const data = inNoOrder.flatMap(({ event_id, website_id, session_id, created_at, ...row }) =>
    propertyRows(row, { event_id, website_id, session_id, created_at }),
  )
  const calls = records
    .map(toSecond)
    .flatMap(({ website_id, session_id, distinct_id, created_at, ...row }) =>
      propertyRows(row, { website_id, session_id, distinct_id, created_at }),
    )
  const file = (text: string) => new TextEncoder().encode(text)
  return zipSync({
    'export/website_event.csv': file(csv(eventHeader, inNoOrder)),
    'export/notes.txt': file('not wanted'),
    'export/event_data.csv': file(csv(dataHeader, data.toReversed(), '\r\n')),
    'export/session_data.csv': file(csv(sessionHeader, calls)),
  })
}

import { randomUUID } from 'node:crypto'
import { string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { eventName } from './reports.ts'
import { call } from './session-data.ts'
import { columnTime, day } from './website.ts'

/** Everything that a session can send, with a text in every field. */

/** The session also serves as its only visit. */
interface MarkedIds {
  readonly session_id: string
  readonly event_id: string
}

/** Events with this text in every field. Their ids are the same on all websites. The first one has the event id. */
export function markedEvents(text: string, { session_id, event_id }: MarkedIds): IngestRow[] {
  const texts = Object.fromEntries(
    [
      ...[
        ...['hostname', 'browser', 'os', 'device', 'screen', 'language', 'country', 'region', 'city', 'page_title'],
        'tag',
      ],
      ...[
        ...['url_path', 'url_query', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
        'distinct_id',
      ],
      ...['referrer_path', 'referrer_query', 'referrer_domain'],
    ].map((column) => [column, `${column} ${text}`]),
  )
  const common = { ...texts, website_id: '', session_id, visit_id: session_id, created_at: columnTime(day.startAt) }
  const none = {
    ...{ 'properties.key': [], 'properties.data_type': [], 'properties.string_value': [] },
    ...{ 'properties.number_value': [], 'properties.date_value': [] },
  }
  const properties = {
    'properties.key': ['plan', `property ${text}`, 'currency', 'revenue'],
    'properties.data_type': [1, 1, 1, 2],
    'properties.string_value': [`value ${text}`, `value ${text}`, 'EUR', '10'],
    'properties.number_value': [null, null, null, '10'],
    'properties.date_value': [null, null, null, null],
  }
  return [
    { ...common, ...properties, event_id, event_type: 2, event_name: eventName },
    { ...common, ...properties, event_id: randomUUID(), event_type: 2, event_name: `name ${text}` },
    { ...common, ...none, event_id: randomUUID(), event_type: 1, event_name: '' },
    { ...common, ...none, event_id: randomUUID(), event_type: 1, event_name: '', created_at: columnTime(Date.now()) },
    { ...common, ...none, event_id: randomUUID(), event_type: 5, event_name: '', lcp: 1 },
  ] as IngestRow[]
}

/** Identify calls with this text in every field. */
export const markedCalls = (text: string, { session_id }: MarkedIds) => [
  call(
    session_id,
    columnTime(day.startAt),
    [string('plan', `value ${text}`), string(`property ${text}`, `value ${text}`)],
    `distinct_id ${text}`,
  ),
]

const visitOf = ({ session_id }: MarkedIds) => ({
  ...{ visit_id: session_id, session_id, created_at: columnTime(day.startAt) },
})

/** A chunk of that visit's replay, with this text. */
export const markedRecording = (text: string, ids: MarkedIds) => [
  {
    ...visitOf(ids),
    ...{ chunk_index: 1, hash: '0'.repeat(64), first_at: columnTime(day.startAt), last_at: columnTime(day.startAt) },
    times: [day.startAt],
    events: JSON.stringify({ type: 4, timestamp: day.startAt, data: { href: text } }),
  },
]

/** A click in that visit, on a path with this text. */
export const markedClick = (text: string, ids: MarkedIds) => [
  {
    ...{ ...visitOf(ids), arrived_at: columnTime(day.startAt), request: '0'.repeat(16), place: 0, type: 1 },
    ...{ url_path: `/${text}`, x: 1, y: 1, viewport_w: 1, viewport_h: 1 },
  },
]

import { columnInstant } from './instants.ts'
import type { Answer, IngestRow } from './model.ts'
import type { Reading } from './reading.ts'
import { compareIds } from './text.ts'

/** Sorts newest first, by millisecond and then by descending event id in the engine's order of UUIDs. */
export function newestFirst(rows: IngestRow[]): IngestRow[] {
  return [...rows].sort(
    (left, right) =>
      columnInstant(right.created_at) - columnInstant(left.created_at) || compareIds(right.event_id, left.event_id),
  )
}

/** A page of a list. `maxResults` limits both the count and the pages. */
export function page<Row>({ settings }: Reading, rows: Row[], show: (row: Row) => unknown): Answer {
  const page = Number(settings.get('page') ?? 1)
  const pageSize = Number(settings.get('pageSize') ?? 20)
  const maxResults = Number(settings.get('maxResults') ?? Number.POSITIVE_INFINITY)
  const reachable = rows.slice(0, maxResults)
  const data = reachable.slice((page - 1) * pageSize, page * pageSize).map(show)
  const envelope = { data, count: reachable.length, page, pageSize }
  return { body: rows.length > maxResults ? { ...envelope, isCapped: true } : envelope, headers: {} }
}

/** A bare array, limited by `limit` and `offset`. The header has the total number of rows. */
export function list({ settings }: Reading, rows: unknown[]): Answer {
  const limit = Number(settings.get('limit') ?? 500)
  const offset = Number(settings.get('offset') ?? 0)
  return { body: rows.slice(offset, offset + limit), headers: { 'x-total-count': String(rows.length) } }
}

/** An answer without paging. */
export function only(body: unknown): Answer {
  return { body, headers: {} }
}

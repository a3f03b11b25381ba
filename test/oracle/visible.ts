import { columnInstant } from './instants.ts'
import type { IngestRow, OracleRequest, Report } from './model.ts'
import { readQuery } from './reading.ts'
import { passesConditions, type Range, shownEvents } from './selection.ts'
import { bouncesAmong } from './visits.ts'

/**
 * The events in a range that a request may see: those since the reset that match all locks. A lock with
 * `excludeBounce` considers all events of the range since the reset, even those that other locks hide.
 */
export function visibleEvents(rows: IngestRow[], request: OracleRequest<Report>, range: Range): IngestRow[] {
  const { resetAt = -Infinity, locks = [], websiteId } = request
  const locked = readQuery({ endpoint: 'stats', websiteId, query: locks })
  const since = rows.filter((row) => columnInstant(row.created_at) >= resetAt)
  const bounces = locked.settings.has('excludeBounce') ? bouncesAmong(shownEvents(since, websiteId, range)) : new Set()
  return since.filter(
    (row) =>
      passesConditions(locked, row) &&
      (locked.eventType === undefined || row.event_type === locked.eventType) &&
      !bounces.has(row.visit_id),
  )
}

/** The session records since the reset. */
export function visibleRecords({ resetAt = -Infinity, records = [] }: OracleRequest<Report>) {
  return records.filter(({ created_at }) => columnInstant(created_at) >= resetAt)
}

import { columnInstant } from './instants.ts'
import { type IngestRow, isView, type OracleRequest, type Report } from './model.ts'
import { type Reading, readQuery } from './reading.ts'
import { passesConditions, type Range, shownEvents } from './selection.ts'

/**
 * The events of a range that a request may see at all: none from before the reset, and those that pass the locks, each
 * by itself. A lock of `excludeBounce` looks at all views of the range since the reset, whatever else is locked.
 */
export function visibleEvents(rows: IngestRow[], request: OracleRequest<Report>, range: Range): IngestRow[] {
  const { resetAt = -Infinity, locks = [], websiteId } = request
  const locked = readQuery({ endpoint: 'stats', websiteId, query: locks })
  const since = rows.filter((row) => columnInstant(row.created_at) >= resetAt)
  const inRange = shownEvents(since, websiteId, range)
  return since.filter(
    (row) =>
      passesConditions(locked, row) &&
      (locked.eventType === undefined || row.event_type === locked.eventType) &&
      passesBounceLock(locked, row, inRange),
  )
}

function passesBounceLock({ settings }: Reading, row: IngestRow, inRange: IngestRow[]): boolean {
  if (!settings.has('excludeBounce')) return true
  return inRange.filter((other) => isView(other) && other.visit_id === row.visit_id).length > 1
}

/** The records of sessions since the reset. */
export function visibleRecords({ resetAt = -Infinity, records = [] }: OracleRequest<Report>) {
  return records.filter(({ created_at }) => columnInstant(created_at) >= resetAt)
}

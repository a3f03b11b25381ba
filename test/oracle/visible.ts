import { columnInstant } from './instants.ts'
import type { IngestRow, OracleRequest, Report } from './model.ts'
import { readQuery } from './reading.ts'
import { passesConditions } from './selection.ts'

/**
 * What a request may see at all: nothing from before the reset, and of the events those that pass the locks, each by
 * itself. A lock of `excludeBounce` depends on the range of the request: it is not known here.
 */
export function visible<Asked extends Report>(
  rows: IngestRow[],
  request: OracleRequest<Asked>,
): { rows: IngestRow[]; request: OracleRequest<Asked> } {
  const { resetAt = -Infinity, locks = [], records = [], ...rest } = request
  const isSince = ({ created_at }: { created_at: string }) => columnInstant(created_at) >= resetAt
  const locked = readQuery({ ...rest, endpoint: 'stats', query: locks })
  if (locked.settings.has('excludeBounce')) throw new Error('Oracle: a locked excludeBounce')
  const passes = (row: IngestRow) =>
    passesConditions(locked, row) && (locked.eventType === undefined || row.event_type === locked.eventType)
  return {
    rows: rows.filter((row) => isSince(row) && passes(row)),
    request: { ...rest, records: records.filter(isSince) } as OracleRequest<Asked>,
  }
}

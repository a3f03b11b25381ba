import type { IngestRow } from './model.ts'
import type { Visit } from './visits.ts'

export type Totals = { pageviews: number; visitors: number; visits: number; bounces: number; totaltime: number }

/** Five figures about these events. `totaltime` is the sum of their visits' lengths in whole seconds. */
export function totals(events: IngestRow[], visits: Map<string, Visit>): Totals {
  const ids = [...new Set(events.map((row) => row.visit_id))]
  // A visit without a view is not a bounce and has no length.
  const known = ids.flatMap((id) => visits.get(id) ?? [])
  return {
    ...{ pageviews: events.length, visitors: distinctSessions(events), visits: ids.length },
    bounces: known.filter(({ isBounce }) => isBounce).length,
    totaltime: Math.floor(known.reduce((sum, { length }) => sum + length, 0) / 1000),
  }
}

export function distinctSessions(events: IngestRow[]): number {
  return new Set(events.map((row) => row.session_id)).size
}

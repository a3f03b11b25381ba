import { bytesOfUuid, uuidV5 } from '../../collect/identity.ts'
import { hourLength } from '../../request/time-zone.ts'
import type { FirstSessions, Section, Span } from './source.ts'

/** The approximate number of events that are grouped by visit at a time. */
const mostGrouped = 500_000

/** A visit of Umami lasts for less than two hours: it ends at the end of an hour, or half an hour after its start. */
const longestVisit = 2 * hourLength

/**
 * The first sessions of the visits in a section that have several. `find` returns them for the events in a span: pairs
 * of a visit's and a session's id.
 */
export async function firstSessionsOf(
  { rows, count }: Section,
  find: (span: Span) => Promise<Iterable<readonly [string, string]>>,
): Promise<FirstSessions> {
  const first = new Map<string, string>()
  if (!('in' in rows)) return first
  const { from, until } = rows.in
  const step = Math.ceil((until - from) / Math.max(1, Math.ceil(count / mostGrouped)))
  for (let start = from; start < until; start += step) {
    const span = { from: start - longestVisit, until: Math.min(start + step, until) + longestVisit }
    for (const [visitId, sessionId] of await find(span)) {
      if (!first.has(visitId)) first.set(visitId, sessionId)
    }
  }
  return first
}

/**
 * The visit of an event. In Umami, a page passes its visit to the next session, for example after `identify`. In Weir,
 * a visit has one session: the first session keeps the visit's id, and each other session gets its own visit.
 */
export function visitIn(first: FirstSessions, visitId: string, sessionId: string): string {
  const known = first.get(visitId)
  return known === undefined || known === sessionId ? visitId : uuidV5(bytesOfUuid(visitId), sessionId)
}

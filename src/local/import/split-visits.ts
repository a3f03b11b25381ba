import { bytesOfUuid, uuidV5 } from '../../collect/identity.ts'
import { dayLength } from '../../request/time-zone.ts'
import type { FirstSessions, Span } from './source.ts'

/** The span in which the visits of a section may have events. A visit lasts for hours at most. */
export const around = ({ from, until }: Span): Span => ({ from: from - dayLength, until: until + dayLength })

/**
 * The visit of an event. In Umami, a page passes its visit to the next session, for example after `identify`. In Weir,
 * a visit has one session: the first session keeps the visit's id, and each other session gets its own visit.
 */
export function visitIn(first: FirstSessions, visitId: string, sessionId: string): string {
  const known = first.get(visitId)
  return known === undefined || known === sessionId ? visitId : uuidV5(bytesOfUuid(visitId), sessionId)
}

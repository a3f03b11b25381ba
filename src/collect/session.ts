import type { EventSender, NewEvent } from './candidate.ts'
import type { RunningVisit } from './event-question.ts'
import { hourlyVisit, noOwner, visitLasts } from './identity.ts'
import type { KnownVisits } from './visits.ts'

/** Finds a session's running visit. */
type VisitOf = (sessionId: string) => RunningVisit | undefined

/** An event's session and visit, and the session's owner from now on. */
export interface Belonging {
  readonly sessionId: string
  readonly visitId: string
  readonly owner: string
}

/** The session and the visit of an event, given the running visits. */
export function belongingIn(visits: KnownVisits, { sender, lateAt }: NewEvent, now: number): Belonging {
  if (lateAt !== undefined) return lateBelonging(sender, lateAt)
  const running: VisitOf = (sessionId) => visits.of(sessionId, now)
  const sessionId = sessionNow(sender, running, visits.latest(sender.anonymousId))
  const { token, named } = sender
  const known = running(sessionId)
  const own = token?.sessionId === sessionId ? token : undefined
  const owner = named?.owner ?? ownerAmong(known?.owner, own?.owner)
  return { sessionId, visitId: visitNow(known, own, now) ?? crypto.randomUUID(), owner }
}

/**
 * The session and visit of an event whose time differs much from its arrival time. Only its token is taken into
 * account, so the order of arrival does not matter.
 */
function lateBelonging({ anonymousId, named, token }: EventSender, moment: number): Belonging {
  const own = token && isOpenTo(named?.owner, token.owner) ? token : undefined
  const sessionId = own?.sessionId ?? named?.sessionId ?? anonymousId
  return { sessionId, visitId: hourlyVisit(sessionId, moment), owner: named?.owner ?? own?.owner ?? noOwner }
}

/**
 * The session of a current event; see docs/collection.md. `latest`: the sender's session with the most recent event.
 */
function sessionNow({ anonymousId, named, token }: EventSender, running: VisitOf, latest: string): string {
  if (!named) {
    if (token) return token.sessionId
    return running(latest) ? latest : anonymousId
  }
  if (token && isOpenTo(named.owner, ownerAmong(running(token.sessionId)?.owner, token.owner))) return token.sessionId
  const [without, own] = [running(anonymousId), running(named.sessionId)]
  if (without?.owner === named.owner && !(own && own.at > without.at)) return anonymousId
  if (!own && !token && without?.owner === noOwner) return anonymousId
  return named.sessionId
}

/**
 * Whether a session is open to this owner. Signing in does not create a second visitor, but two people at one address
 * are two visitors.
 */
const isOpenTo = (named: string | undefined, owner: string): boolean =>
  named === undefined || owner === noOwner || owner === named

/** A session's owner according to the log, or according to the token if the log does not know it. */
const ownerAmong = (known: string = noOwner, told: string = noOwner): string => (known === noOwner ? told : known)

/** The visit to continue, from the log or the token, whichever saw the session last. */
function visitNow(known: RunningVisit | undefined, token: EventSender['token'], now: number): string | undefined {
  const recent = token !== undefined && now - token.at <= visitLasts ? token : undefined
  if (known && !(recent && recent.at > known.at)) return known.visitId
  return recent?.visitId
}

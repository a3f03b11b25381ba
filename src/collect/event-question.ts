import type { Taken } from './candidate.ts'
import type { Spread } from './spread.ts'

/** A question about an event, sent to the website's other log objects. */
export interface EventQuestion {
  readonly sourceId: string
  readonly spread: Spread
  readonly eventId: string | undefined
  readonly anonymousId: string
  /** Whether the event is from an ignored address. */
  readonly isIgnored: boolean
  /** The sessions to which the event may belong. */
  readonly sessions: readonly string[]
}

/** A stored event, with the data for answering its repeats. */
export interface FirstEvent extends Taken {
  readonly anonymousId: string
}

/** A visit that may continue, the time of its last event, and the session's owner. */
export interface RunningVisit {
  readonly visitId: string
  readonly at: number
  readonly owner: string
}

/** A running visit of a session. */
export interface VisitOfSession extends RunningVisit {
  readonly sessionId: string
}

/** What another object knows about an event. */
export interface KnownEvent {
  /** The event with this id; `undecided` while the object itself is asking about an event with this id. */
  readonly first: FirstEvent | 'undecided' | undefined
  /** The running visits of its sessions. The visit with the sender's latest event comes last. */
  readonly visits: readonly VisitOfSession[]
}

import type { Submission } from './payload.ts'
import type { Spread } from './spread.ts'

/** An event that the Worker sends to a log object, which checks and stores it. */
export interface Candidate {
  readonly source: Submission['source']
  /** The event to store, or the reason why none is stored. */
  readonly event: NewEvent | 'bot' | 'blocked'
  /** The fields that were corrected. A field is listed once for each correction. */
  readonly warnings?: readonly string[]
  /** The spread by which the Worker chose the object. */
  readonly spread?: Spread
}

/** An event that was refused before it reached the log, and its invalid fields. */
export interface Refused {
  readonly source: Submission['source']
  readonly fields: readonly string[]
}

/** An event whose session has not been decided yet, because only the log knows the running visits. */
export interface NewEvent {
  /** The event's id as sent; undefined if the sender gave none. */
  readonly eventId: string | undefined
  readonly sender: EventSender
  /** The event's own time, in milliseconds since 1970, if it differs much from the arrival time. */
  readonly lateAt: number | undefined
  /** The table, and the row as JSON, to which the log adds the session and visit. If undefined, nothing is stored. */
  readonly row: { readonly table: 'ingest' | 'ingest_session_data'; readonly json: string } | undefined
  /**
   * Whether the event is so late that its sender needed an API key. The rows of such events go to ClickHouse
   * separately.
   */
  readonly isOld: boolean
  /**
   * Whether the event is from an ignored address. The response is the same as for stored events, so callers cannot
   * probe the list.
   */
  readonly isIgnored: boolean
}

/** The sessions that an event may belong to. Owners are hashes of distinct ids; see identity.ts. */
export interface EventSender {
  /** The session for this address and User-Agent if the event has no distinct id. */
  readonly anonymousId: string
  /**
   * The owner of the event's distinct id, and that owner's session at this address; undefined without a distinct id.
   */
  readonly named: { readonly owner: string; readonly sessionId: string } | undefined
  /** The content of the sender's token, if it was created for this address. */
  readonly token:
    | { readonly sessionId: string; readonly visitId: string; readonly at: number; readonly owner: string }
    | undefined
}

/** The data for the response and the next token. */
export interface Taken {
  readonly sessionId: string
  readonly visitId: string
  readonly owner: string
  /** The time of the visit's last known event; undefined if no later event may continue the visit. */
  readonly at: number | undefined
}

/** The refusal of an event that another object must store, with the website's current spread. */
interface Moved {
  readonly moved: Spread
}

/** Why another object of the website gave no answer about the event. */
export interface Unanswered {
  readonly unanswered: string
}

/**
 * The outcome for a candidate: it was stored; its source does not exist; there is no room; there is nothing to store;
 * another object is just storing an event with the same id; another object must store it; or another object did not
 * answer.
 */
export type Verdict = Taken | 'unknown' | 'full' | 'ignored' | 'undecided' | Moved | Unanswered

type CountOfWebsite = readonly [websiteId: string, count: number]

/** A log object's statistics since it was last loaded. Times are in milliseconds, `oldest` since 1970. */
export interface LogState {
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  /** The number of rows from events so late that their senders needed an API key. */
  readonly oldRows: number
  readonly accepted: number
  readonly repeats: number
  readonly refused: number
  readonly full: number
  /** The number of events from ignored addresses. */
  readonly ignored: number
  readonly setAside: number
  readonly flushes: number
  readonly failedFlushes: number
  /** Why the last flush failed; undefined if it succeeded. */
  readonly failure: string | undefined
  readonly flushTime: number
  /** The number of rows written to SQLite, including deleted rows. */
  readonly writtenRows: number
  /** The websites where the most bots were ignored. */
  readonly bots: readonly CountOfWebsite[]
  /** The websites with the most warnings. */
  readonly warnings: readonly CountOfWebsite[]
}

import type { Submission } from './payload.ts'
import type { Spread } from './spread.ts'

/** An event that the Worker sends to a log object to check and store. */
export interface Candidate {
  readonly source: Submission['source']
  /** The event to store, or the reason why nothing is stored. */
  readonly event: NewEvent | 'bot' | 'blocked'
  /** The corrected fields; a field is listed once for each correction. */
  readonly warnings?: readonly string[]
  /** The spread by which the Worker chose the object. */
  readonly spread?: Spread
}

/** An event that was refused before it reached the log, and its invalid fields. */
export interface Refused {
  readonly source: Submission['source']
  readonly fields: readonly string[]
}

/** An event whose session is not decided yet: the log knows the running visits. */
export interface NewEvent {
  /** The sender's own id; undefined if it gave none. */
  readonly eventId: string | undefined
  readonly sender: EventSender
  /** The event's own time, if it is far from its arrival, in milliseconds since 1970. */
  readonly lateAt: number | undefined
  /** The table, and the row as JSON; the log adds session and visit. Undefined: nothing is stored. */
  readonly row: { readonly table: 'ingest' | 'ingest_session_data'; readonly json: string } | undefined
  /** Whether it is so late that it needed a key. Such rows go to ClickHouse separately. */
  readonly isOld: boolean
  /**
   * Whether it names an ignored address. The answer is the same as for stored events, so callers cannot probe the list.
   */
  readonly isIgnored: boolean
}

/** The sessions that an event may belong to. Owners are hashes of distinct ids: identity.ts. */
export interface EventSender {
  /** The session for this address and User-Agent if the event has no distinct id. */
  readonly anonymousId: string
  /** The owner named by the event, and the owner's session at this address; undefined if it names none. */
  readonly named: { readonly owner: string; readonly sessionId: string } | undefined
  /** The content of the sender's token, if it was made for this address. */
  readonly token:
    | { readonly sessionId: string; readonly visitId: string; readonly at: number; readonly owner: string }
    | undefined
}

/** The data for the answer and the next token. */
export interface Taken {
  readonly sessionId: string
  readonly visitId: string
  readonly owner: string
  /** The time of the visit's last known event; undefined if no later event may continue it. */
  readonly at: number | undefined
}

/** The refusal of an event for another object: its website has this spread by now. */
interface Moved {
  readonly moved: Spread
}

/**
 * The outcome for a candidate: stored; or its source does not exist, there is no room, there is nothing to store,
 * another object stores an event with its id just now, or it belongs to another object.
 */
export type Verdict = Taken | 'unknown' | 'full' | 'ignored' | 'undecided' | Moved

type CountOfWebsite = readonly [websiteId: string, count: number]

/** The statistics of a log object since it was last loaded. Times are milliseconds; `oldest` counts from 1970. */
export interface LogState {
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  /** Rows of events so late that they needed a key. */
  readonly oldRows: number
  readonly accepted: number
  readonly repeats: number
  readonly refused: number
  readonly full: number
  /** Events that named an ignored address. */
  readonly ignored: number
  readonly setAside: number
  readonly flushes: number
  readonly failedFlushes: number
  /** Why the last flush failed; undefined if it did not. */
  readonly failure: string | undefined
  readonly flushTime: number
  /** Rows written to SQLite, including deleted rows. */
  readonly writtenRows: number
  /** The websites with the most ignored bots. */
  readonly bots: readonly CountOfWebsite[]
  /** The websites with the most warnings. */
  readonly warnings: readonly CountOfWebsite[]
}

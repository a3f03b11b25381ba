import type { Submission } from './payload.ts'

/** What the Worker asks a log object to judge and to store. */
export interface Candidate {
  readonly source: Submission['source']
  /** What to store; otherwise why nothing is stored. */
  readonly event: NewEvent | 'bot' | 'blocked'
  /** The fields that were mended, each as often as it was. */
  readonly warnings?: readonly string[]
}

/** An event that was refused before it came to the log, and the fields that were wrong. */
export interface Refused {
  readonly source: Submission['source']
  readonly fields: readonly string[]
}

/** An event whose session is still open: the log knows which visits run. */
export interface NewEvent {
  /** The sender's own id; undefined if it gave none. */
  readonly eventId: string | undefined
  readonly sender: EventSender
  /** The time of an event that arrives long after it, or before, in milliseconds since 1970. */
  readonly lateAt: number | undefined
  /** Where it goes, and its row as JSON, to which the log adds session and visit. Undefined: nothing is stored. */
  readonly row: { readonly table: 'ingest' | 'ingest_session_data'; readonly json: string } | undefined
  /** Rows that only a key could send so late go to ClickHouse apart from the others. */
  readonly isOld: boolean
  /** It is answered as if it were stored: nobody learns which addresses are ignored by naming them. */
  readonly isIgnored: boolean
}

/** The sessions that an event may belong to. Owners are hashes of distinct ids: identity.ts. */
export interface EventSender {
  /** The session of this address and User-Agent without an id. */
  readonly anonymousId: string
  /** The owner that the event names, and that owner's session at this address; undefined if it names none. */
  readonly named: { readonly owner: string; readonly sessionId: string } | undefined
  /** What the sender's token says, if it has one of this address. */
  readonly token:
    | { readonly sessionId: string; readonly visitId: string; readonly at: number; readonly owner: string }
    | undefined
}

/** What a sender learns, and what its next token says. */
export interface Taken {
  readonly sessionId: string
  readonly visitId: string
  readonly owner: string
  /** The moment up to which the visit is known to last; undefined if no later event may continue it. */
  readonly at: number | undefined
}

/** What became of a candidate: it was taken; or it has no such source, no room, or was not to be stored. */
export type Verdict = Taken | 'unknown' | 'full' | 'ignored'

type CountOfWebsite = readonly [websiteId: string, count: number]

/** The figures of a log object, since it was last loaded. Times in milliseconds, the oldest arrival since 1970. */
export interface LogState {
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  /** Of the rows, those of events that only a key could send so late. */
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
  /** Rows written to SQLite, deleted ones too. */
  readonly writtenRows: number
  /** The websites with the most ignored bots. */
  readonly bots: readonly CountOfWebsite[]
  /** The websites with the most warnings. */
  readonly warnings: readonly CountOfWebsite[]
}

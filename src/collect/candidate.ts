import type { Submission } from './payload.ts'

/** What the Worker asks a log object to judge and to store. */
export interface Candidate {
  readonly source: Submission['source']
  /** What to store; otherwise why nothing is stored. */
  readonly event: NewEvent | 'bot' | 'blocked'
  /** How many of its fields were mended; none if it is left out. */
  readonly warnings?: number
}

interface NewEvent {
  /** The sender's own id; undefined if it gave none. */
  readonly eventId: string | undefined
  readonly sessionId: string
  /** The visit that the sender's token names, and the moment of its last event. */
  readonly token: { readonly visitId: string; readonly at: number } | undefined
  /** The visit of an event that arrives long after its time. */
  readonly fixedVisitId: string | undefined
  /** Where it goes, and its row as JSON, to which the log adds the visit. Undefined: only the visit goes on. */
  readonly row: { readonly table: 'ingest' | 'ingest_session_data'; readonly json: string } | undefined
}

/** The ids that a sender learns. */
export interface Taken {
  readonly sessionId: string
  readonly visitId: string
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
  readonly accepted: number
  readonly repeats: number
  readonly refused: number
  readonly full: number
  readonly setAside: number
  readonly flushes: number
  readonly failedFlushes: number
  readonly flushTime: number
  /** Rows written to SQLite, deleted ones too. */
  readonly writtenRows: number
  /** The websites with the most ignored bots. */
  readonly bots: readonly CountOfWebsite[]
  /** The websites with the most warnings. */
  readonly warnings: readonly CountOfWebsite[]
}

import type { MaskLevel } from './masking.ts'
import type { ChunkPart } from './recording.ts'

/** A request of a recorder, masked, that the Worker asks a log object to store. Ids are in lower case. */
export type Recording = {
  readonly websiteId: string
  readonly sessionId: string
  readonly visitId: string
  /** A UUID made from visit and content, so that a repeated request counts once. */
  readonly id: string
} & (
  | {
      readonly kind: 'replay'
      /** The time of the request by the recorder's clock, in seconds; undefined if not given. */
      readonly index: number | undefined
      /** The SHA-256 of the events, in hexadecimal. */
      readonly hash: string
      readonly parts: readonly ChunkPart[]
      readonly level: MaskLevel
      /** The longest time that the visit may be recorded, in milliseconds. */
      readonly maxDuration: number
    }
  | {
      readonly kind: 'heatmap'
      /** The columns of `ingest_heatmap_events` that come from the events. */
      readonly rows: readonly object[]
    }
)

/**
 * The outcome of a request: stored, now or before; the visit is full; the website has reached its daily limit; or too
 * much waits for ClickHouse.
 */
export type RecordingVerdict = 'taken' | 'full' | 'spent' | 'crowded'

/** The statistics of a log object's recordings since it was last loaded. Times are milliseconds since 1970. */
export interface RecordingState {
  readonly chunks: number
  readonly heatmapEvents: number
  readonly repeats: number
  readonly full: number
  readonly spent: number
  readonly crowded: number
  /** Dropped events that came in pieces. */
  readonly fragments: number
  /** The arrival of the oldest row that waits for ClickHouse. */
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  readonly failedFlushes: number
  /** Rows that ClickHouse refused. */
  readonly refusedRows: number
}

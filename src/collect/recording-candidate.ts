import type { MaskLevel } from './masking.ts'
import type { ChunkPart } from './recording.ts'

/** A masked recorder request that the Worker asks a log object to store. Ids are in lower case. */
export type Recording = {
  readonly websiteId: string
  readonly sessionId: string
  readonly visitId: string
  /** A UUID computed from the visit and the content, so that a repeated request is counted once. */
  readonly id: string
} & (
  | {
      readonly kind: 'replay'
      /** The time of the request by the recorder's clock, in seconds; undefined if it is not given. */
      readonly index: number | undefined
      /** The SHA-256 hash of the events, in hexadecimal. */
      readonly hash: string
      readonly parts: readonly ChunkPart[]
      readonly level: MaskLevel
      /** The maximum time for which the visit may be recorded, in milliseconds. */
      readonly maxDuration: number
    }
  | {
      readonly kind: 'heatmap'
      /** The columns of `ingest_heatmap_events` that are computed from the events. */
      readonly rows: readonly object[]
    }
)

/**
 * The outcome of a request: it is stored, now or earlier; the visit is full; the website has reached its daily limit;
 * or too much is waiting for ClickHouse.
 */
export type RecordingVerdict = 'taken' | 'full' | 'spent' | 'crowded'

/**
 * The statistics of a log object's recordings since the object was last loaded. Times are in milliseconds since 1970.
 */
export interface RecordingState {
  readonly chunks: number
  readonly heatmapEvents: number
  readonly repeats: number
  readonly full: number
  readonly spent: number
  readonly crowded: number
  /** The number of dropped events that arrived in pieces. */
  readonly fragments: number
  /** When the oldest row that is waiting for ClickHouse arrived. */
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  readonly failedFlushes: number
  /** The number of rows that ClickHouse refused. */
  readonly refusedRows: number
}

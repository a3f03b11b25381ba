import type { MaskLevel } from './masking.ts'
import type { ChunkPart } from './recording.ts'

/** A request of a recorder, masked, that the Worker asks a log object to store. Ids are in lower case. */
export type Recording = {
  readonly websiteId: string
  readonly sessionId: string
  readonly visitId: string
  /** A UUID that the visit and the content make: the request counts once. */
  readonly id: string
} & (
  | {
      readonly kind: 'replay'
      /** The time of the request in seconds, as the recorder says; undefined if it does not. */
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
      /** The columns of `ingest_heatmap_events` that the events decide about. */
      readonly rows: readonly object[]
    }
)

/**
 * What became of a request: taken (also before); its visit is full; its website has recorded all that it may on a day;
 * or too much waits for ClickHouse.
 */
export type RecordingVerdict = 'taken' | 'full' | 'spent' | 'crowded'

/** The figures of the recordings of a log object, since it was last loaded. Times in milliseconds since 1970. */
export interface RecordingState {
  readonly chunks: number
  readonly heatmapEvents: number
  readonly repeats: number
  readonly full: number
  readonly spent: number
  readonly crowded: number
  /** Events in pieces that were dropped. */
  readonly fragments: number
  /** The first arrival of what waits for ClickHouse. */
  readonly oldest: number | undefined
  readonly rows: number
  readonly bytes: number
  readonly failedFlushes: number
  /** Rows that ClickHouse refused. */
  readonly refusedRows: number
}

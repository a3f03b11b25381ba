/** What each of the two things that are recorded, replays and heatmaps, has for the script. */
export interface Part {
  /** Sends what waits. `isLeaving`: now or never, because the page may be gone after this. */
  flush(isLeaving: boolean): void
  /** The URL of the page has changed to this one. */
  moveTo(url: string): void
  /** Ends it without sending anything more. */
  stop(): void
}

/** Sends events, each as JSON, in one request. `isLeaving` as above. */
export type Send = (events: readonly string[], isLeaving: boolean) => void

/** What is passed to the second file. */
export interface ReplaySettings {
  readonly isStrict: boolean
  /** Milliseconds from the first event to the end. */
  readonly maxDuration: number
  /** Elements that are left out. */
  readonly blocked: string
  /** A URL as far as it may be sent. */
  shown(url: string): string
  readonly send: Send
}

/** What the second file exports. */
export interface ReplayModule {
  record(settings: ReplaySettings): Part
}

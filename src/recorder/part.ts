/** What each of the two things that are recorded, replays and heatmaps, has for the script. */
export interface Part {
  /** Sends what waits. `isLeaving`: now or never, because the page may be gone after this. */
  flush(isLeaving: boolean): void
  /** The URL of the page has changed to this one. */
  moveTo(url: string): void
  /** Ends it without sending anything more. */
  stop(): void
}

/**
 * Sends events, each as JSON, in one request. `isLeaving` as above. `bytes`: how many they have in UTF-8; by default as
 * many as characters.
 */
export type Send = (events: readonly string[], isLeaving: boolean, bytes?: number) => void

/** What is passed to the second file. */
export interface ReplaySettings {
  /** Those of the website: `maxDuration` is in milliseconds, from the first event to the end. */
  readonly given: { readonly maskLevel: string; readonly maxDuration: number }
  /** All values of a setting: in the tags of the website, and in the page's `umamiConfig`. */
  all(name: string): readonly string[]
  /** Elements that are left out. */
  readonly blocked: string
  /** A URL as far as it may be sent. */
  shown(url: string): string
  readonly send: Send
}

/** The least of these numbers; texts that are none do not count. */
export const least = (number: number, texts: readonly string[]): number =>
  Math.min(number, ...texts.map(Number).filter((one) => one >= 0))

/** What the second file exports. */
export interface ReplayModule {
  record(settings: ReplaySettings): Part
}

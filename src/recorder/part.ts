/** The interface through which the recorder script uses replays and heatmaps. */
export interface Part {
  /** Sends all waiting events. `isLeaving` means that the page may be gone after this call. */
  flush(isLeaving: boolean): void
  /** Called with the new URL when the page's URL has changed. */
  moveTo(url: string): void
  /** Stops, and sends nothing more. */
  stop(): void
}

/**
 * Sends events, each as JSON, in one request. `isLeaving` has the same meaning as in `flush`. `bytes` is the length of
 * the events in UTF-8; the default is their number of characters.
 */
export type Send = (events: readonly string[], isLeaving: boolean, bytes?: number) => void

/** The settings for the second file. */
export interface ReplaySettings {
  /** The website's settings. `maxDuration` counts from the first event, in milliseconds. */
  readonly given: { readonly maskLevel: string; readonly maxDuration: number }
  /** All values of a setting: from all tags of the website, and from the page's `umamiConfig`. */
  all(name: string): readonly string[]
  /** The selector of elements to leave out. */
  readonly blocked: string
  /** The part of a URL that may be sent. */
  shown(url: string): string
  readonly send: Send
}

/** The smallest of `number` and the numbers in `texts`. Ignores strings that are not numbers, and negative numbers. */
export const least = (number: number, texts: readonly string[]): number =>
  Math.min(number, ...texts.map(Number).filter((one) => one >= 0))

/** The exports of the second file. */
export interface ReplayModule {
  record(settings: ReplaySettings): Part
}

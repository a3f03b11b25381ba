/** Messages between the page and the frame that plays. Times are milliseconds since the start of the replay. */

/** A message from the page to the player. */
export type Command =
  /** Events of rrweb as lines of JSON, in the order of their times. */
  | { readonly is: 'events'; readonly lines: readonly string[] }
  /** All events are there. */
  | { readonly is: 'end' }
  | { readonly is: 'play' }
  | { readonly is: 'pause' }
  | { readonly is: 'seek'; readonly at: number }
  | { readonly is: 'speed'; readonly speed: number }
  | { readonly is: 'skip'; readonly skips: boolean }

/** What the player tells the page. */
export type Report =
  | { readonly is: 'state'; readonly state: PlayerState }
  /** The visitor was on this page from then on. */
  | { readonly is: 'page'; readonly at: number; readonly url: string }
  /** The first event, in milliseconds since 1970 by the clock of the visitor's browser. */
  | { readonly is: 'start'; readonly moment: number }
  /** Nothing of the replay can be shown, or no more of it. */
  | { readonly is: 'fault' }

export interface PlayerState {
  readonly at: number
  /** As far as the events are loaded. */
  readonly duration: number
  readonly isPlaying: boolean
  /** It would play, but its events are not loaded yet. */
  readonly isWaiting: boolean
}

/** Messages between the page and the player's frame. Times are milliseconds since the start of the replay. */

/** A message from the page to the player. */
export type Command =
  /** rrweb events as lines of JSON, ordered by time. */
  | { readonly is: 'events'; readonly lines: readonly string[] }
  /** All events were sent. */
  | { readonly is: 'end' }
  | { readonly is: 'play' }
  | { readonly is: 'pause' }
  | { readonly is: 'seek'; readonly at: number }
  | { readonly is: 'speed'; readonly speed: number }
  | { readonly is: 'skip'; readonly skips: boolean }

/** A message from the player to the page. */
export type Report =
  | { readonly is: 'state'; readonly state: PlayerState }
  /** From this time on, the visitor was on this page. */
  | { readonly is: 'page'; readonly at: number; readonly url: string }
  /** The time of the first event, in milliseconds since 1970 by the clock of the visitor's browser. */
  | { readonly is: 'start'; readonly moment: number }
  /** The replay cannot be shown, or cannot continue. */
  | { readonly is: 'fault' }

export interface PlayerState {
  readonly at: number
  /** The duration of the part that has been loaded. */
  readonly duration: number
  readonly isPlaying: boolean
  /** Whether the player has to wait for more events before it can continue. */
  readonly isWaiting: boolean
}

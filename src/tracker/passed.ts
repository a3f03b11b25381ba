/** The payload of an event. */
export interface Sendable {
  readonly [name: string]: unknown
}

/** The functions and settings that the tracker passes to the second file. */
export interface MoreSettings {
  setting(name: string): string | undefined
  /** Whether a switch has any value other than `false`. */
  isOn(name: string): boolean
  /** Whether this page is in a frame that counts as part of the surrounding page. */
  readonly isPart: boolean
  /** The part of a URL that may be sent. The default is the page's URL. */
  shown(url?: string): string
  /** The payload for the current page. */
  current(): Sendable
  send(type: string, make: () => Sendable): Promise<void>
  track(name: string, data: object): Promise<void>
  /** Opens the clicked link, if it is a plain one, once the event has been sent. */
  follow(event: MouseEvent, sent: Promise<void>): void
}

/** The exports of the second file. */
export interface MoreModule {
  /**
   * Starts the features that the tag enables. If page speed is one of them, returns a function that sends its figures.
   */
  more(given: MoreSettings): ((payload: Sendable) => void) | undefined
}

/** The payload of an event. */
export interface Sendable {
  readonly [name: string]: unknown
}

/** The tracker's functions and settings for the second file. */
export interface MoreSettings {
  setting(name: string): string | undefined
  /** Whether a switch is set to anything but `false`. */
  isOn(name: string): boolean
  /** Whether this frame is not its own page. */
  readonly isPart: boolean
  /** The part of a URL that may be sent; by default of the page's URL. */
  shown(url?: string): string
  /** The payload about the current page. */
  current(): Sendable
  send(type: string, make: () => Sendable): Promise<void>
  track(name: string, data: object): Promise<void>
  /** Follows the plain link that was clicked once this was sent. */
  follow(event: MouseEvent, sent: Promise<void>): void
}

/** The exports of the second file. */
export interface MoreModule {
  /** Starts the features that the tag asks for. With page speed, returns the function that sends its figures. */
  more(given: MoreSettings): ((payload: Sendable) => void) | undefined
}

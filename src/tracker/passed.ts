/** What is sent about an event. */
export interface Sendable {
  readonly [name: string]: unknown
}

/** What the tracker passes on. */
export interface MoreSettings {
  setting(name: string): string | undefined
  /** Whether a switch is set to anything but `false`. */
  isOn(name: string): boolean
  /** Whether this frame is not a page of its own. */
  readonly isPart: boolean
  /** The part of a URL that may be sent; by default of the page's URL. */
  shown(url?: string): string
  /** What is sent about the page. */
  current(): Sendable
  send(type: string, make: () => Sendable): Promise<void>
  track(name: string, data: object): Promise<void>
  /** Follows the plain link that was clicked once this was sent. */
  follow(event: MouseEvent, sent: Promise<void>): void
}

/** What this file exports. */
export interface MoreModule {
  /** Starts what the tag asks for. If it asks for speed, returns the function that sends how fast the page was. */
  more(given: MoreSettings): ((payload: Sendable) => void) | undefined
}

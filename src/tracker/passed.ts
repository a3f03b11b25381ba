/** What is sent of an event. */
export interface Sendable {
  readonly [name: string]: unknown
}

/** What the tracker passes on. */
export interface MoreSettings {
  setting(name: string): string | undefined
  /** Whether a switch is set to anything but `false`. */
  isOn(name: string): boolean
  /** Whether this is a frame that is no page of its own. */
  readonly isPart: boolean
  /** A URL, or by default that of the page, as far as it may be sent. */
  shown(url?: string): string
  /** What is sent of the page. */
  current(): Sendable
  send(type: string, make: () => Sendable): Promise<void>
  track(name: string, data: object): Promise<void>
  /** Follows the plain link that was clicked once this was sent. */
  follow(event: MouseEvent, sent: Promise<void>): void
}

/** What this file exports. */
export interface MoreModule {
  /** Begins what the tag asks for. Returns the function that sends how fast the page was, if the tag asks for it. */
  more(given: MoreSettings): ((payload: Sendable) => void) | undefined
}

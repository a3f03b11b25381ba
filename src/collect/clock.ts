/** A wait that ends at a time on the steady clock. */
interface Wait {
  readonly end: number
  readonly ring: () => void
}

/** The same moment on the machine's clock and on the steady clock. */
export interface BothClocks {
  readonly wall: number
  readonly steady: number
}

/** How late a timer may fire in a busy process, in milliseconds. A longer delay means that the clock was changed. */
const latest = 2000

/** An object without waits is unloaded long before this, in milliseconds. A longer pause also means a change. */
const longestPause = 600_000

/**
 * The clock of a log object. The machine's clock may jump by days. workerd orders timers by that clock and waits only
 * for the first one, so a change of the clock stops the others. An object therefore has one timer for all waits, and
 * renews it each time.
 */
export class LogClock {
  #wall = Date.now()
  #steady = this.#wall
  readonly #waits = new Set<Wait>()
  /** When the timer fires, by the steady clock. */
  #next: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The machine's clock, in milliseconds since 1970. */
  wall(): number {
    return Date.now()
  }

  /** The machine's clock as it was when the object was loaded, without later adjustments. It never goes backwards. */
  steady(): number {
    const wall = Date.now()
    const passed = wall - this.#wall
    const most = this.#next === undefined ? longestPause : this.#next - this.#steady + latest
    const isStep = passed < 0 || passed > most
    this.#wall = wall
    this.#steady += Math.max(0, Math.min(passed, most))
    if (isStep) this.#arm()
    return this.#steady
  }

  /** The current time on both clocks. */
  both(): BothClocks {
    const steady = this.steady()
    return { wall: this.#wall, steady }
  }

  /** Calls `ring` after this many milliseconds, rounded up. Returns a function that cancels the call. */
  after(milliseconds: number, ring: () => void): () => void {
    const wait = { end: this.steady() + Math.ceil(milliseconds), ring }
    this.#waits.add(wait)
    if (this.#next === undefined || wait.end < this.#next) this.#arm()
    return () => {
      this.#waits.delete(wait)
      if (this.#waits.size === 0) this.#arm()
    }
  }

  /** Sets the timer for the wait that ends first. */
  #arm(): void {
    clearTimeout(this.#timer)
    this.#next = this.#waits.size === 0 ? undefined : Math.min(...[...this.#waits].map(({ end }) => end))
    if (this.#next === undefined) return
    this.#timer = setTimeout(() => this.#ring(), Math.max(0, this.#next - this.#steady))
  }

  #ring(): void {
    // At least this much time has passed, whatever the machine's clock says.
    this.#steady = Math.max(this.steady(), this.#next ?? 0)
    const over = [...this.#waits].filter(({ end }) => end <= this.#steady)
    for (const wait of over) this.#waits.delete(wait)
    this.#arm()
    for (const { ring } of over) ring()
  }
}

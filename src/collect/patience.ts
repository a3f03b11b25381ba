import { numberOr } from '../env.ts'
import type { Flush } from './carrier.ts'
import type { LogClock } from './clock.ts'

/** All times are in milliseconds. */

/** The shortest wait of a row before it goes to ClickHouse; the longest one by default, in seconds. */
const shortest = 1000
const defaultLongest = 1

/** The longest wait of all: then an alarm sends the rows. */
export const mostPatience = 60_000

/** Waits grow once nobody has asked for this long. */
const quietAfter = 600_000

/** An isolate tells a log at most this often that somebody asks. */
export const toldEvery = 60_000

/** A flush that has as many rows, or bytes of JSON, waits no longer than a second. */
const manyRows = 500
const manyBytes = 1_000_000

/** The longest wait of a row while nobody asks. `seconds`: the setting. */
const longestOf = (seconds: string | number | undefined): number =>
  Math.min(mostPatience, Math.max(shortest, 1000 * numberOr(defaultLongest, seconds)))

/** Whether waits grow at all. */
export const isPatient = (seconds: string | number | undefined): boolean => longestOf(seconds) > shortest

/**
 * How long a log waits before it sends rows to ClickHouse: a second, and longer while nobody asks. Each insert writes a
 * part into ten tables, so a few large ones cost less than many small ones.
 */
export class Patience {
  readonly #clock: LogClock
  readonly #longest: number
  #askedAt: number

  constructor(clock: LogClock, seconds: string | number | undefined) {
    this.#clock = clock
    this.#longest = longestOf(seconds)
    // Whoever asks told an earlier life of the object, and tells this one within a minute.
    this.#askedAt = clock.steady() - quietAfter + toldEvery
  }

  /** Somebody asks about events of this log. */
  asked(): void {
    this.#askedAt = this.#clock.steady()
  }

  /** How long a flush with so much may wait for more. It doubles with each flush: 1, 2, 4, 8, 15 seconds. */
  of({ rows, bytes }: Pick<Flush, 'rows' | 'bytes'>): number {
    if (rows >= manyRows || bytes >= manyBytes) return shortest
    const quiet = this.#clock.steady() - this.#askedAt - quietAfter
    return Math.min(Math.max(shortest, quiet), this.#longest)
  }
}

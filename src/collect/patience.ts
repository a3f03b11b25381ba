import { numberOr } from '../env.ts'
import type { Flush } from './carrier.ts'
import type { LogClock } from './clock.ts'

/** All times are in milliseconds. */

/**
 * The minimum time that a row waits before it is sent to ClickHouse, and the default of the maximum time, in seconds.
 */
const shortest = 1000
const defaultLongest = 1

/** No row waits longer than this, because an alarm then sends the rows. */
export const mostPatience = 60_000

/** Waits become longer once nobody has queried the events for this long. */
const quietAfter = 600_000

/** The minimum time between two notifications from an isolate to a log that somebody is querying its events. */
export const toldEvery = 60_000

/** A flush with this many rows or this many bytes of JSON waits at most a second. */
const manyRows = 500
const manyBytes = 1_000_000

/** The maximum time that a row waits while nobody queries the events. `seconds`: the setting. */
const longestOf = (seconds: string | number | undefined): number =>
  Math.min(mostPatience, Math.max(shortest, 1000 * numberOr(defaultLongest, seconds)))

/** Whether waits ever become longer. */
export const isPatient = (seconds: string | number | undefined): boolean => longestOf(seconds) > shortest

/**
 * How long a log waits before it sends rows to ClickHouse: a second, or longer while nobody queries its events. Each
 * insert writes a part to ten tables, so a few large inserts cost less than many small ones.
 */
export class Patience {
  readonly #clock: LogClock
  readonly #longest: number
  #askedAt: number

  constructor(clock: LogClock, seconds: string | number | undefined) {
    this.#clock = clock
    this.#longest = longestOf(seconds)
    // A reader may have notified the object before it was reloaded, and will notify it again within a minute.
    this.#askedAt = clock.steady() - quietAfter + toldEvery
  }

  /** Records that somebody is querying this log's events. */
  asked(): void {
    this.#askedAt = this.#clock.steady()
  }

  /** How long a flush of this size may wait for more rows. The time doubles with each flush: 1, 2, 4, 8, 15 seconds. */
  of({ rows, bytes }: Pick<Flush, 'rows' | 'bytes'>): number {
    if (rows >= manyRows || bytes >= manyBytes) return shortest
    const quiet = this.#clock.steady() - this.#askedAt - quietAfter
    return Math.min(Math.max(shortest, quiet), this.#longest)
  }
}

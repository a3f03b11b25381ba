import type { Period } from '../request/period.ts'

/** Cache lifetimes in seconds, from the Worker's variable `CACHE`. Without it nothing is cached. */
export interface CacheTimes {
  /** Freshness of an answer whose range may still gain events. */
  readonly open: number
  /**
   * The value of `open` for readers of shares and public websites. Their sliding ranges also begin and end at multiples
   * of it; 0 leaves ranges unchanged.
   */
  readonly shared: number
  /** Freshness of an answer that was made more than `settled` after the end of its range. */
  readonly closed: number
  readonly settled: number
  /** Stale-while-revalidate, counted from the end of freshness: the answer is served while a new one is made. */
  readonly stale: number
  /** Stale-if-error, also counted from the end of freshness: served only while ClickHouse cannot be read. */
  readonly onError: number
}

/** The facts that decide how long an answer is fresh. */
export interface FreshnessBasis {
  /** The last moment that the answer covers, in milliseconds since 1970. */
  readonly endsAt: number
  /** Whether the reader comes through a share or a public website. */
  readonly isOpening: boolean
  /** The report's own freshness in seconds, for every reader. Stale answers are then not served. */
  readonly lifetime?: number | undefined
}

/**
 * When an answer made at `madeAt` from the events up to `asOf` stops being fresh. An answer of a replica that lags
 * behind may still change, although its range is over. All times are in milliseconds since 1970.
 */
export function freshUntil(
  times: CacheTimes,
  { endsAt, isOpening, lifetime }: FreshnessBasis,
  madeAt: number,
  asOf = madeAt,
): number {
  if (lifetime !== undefined) return madeAt + 1000 * lifetime
  const isClosed = Math.min(madeAt, asOf) - endsAt > times.settled * 1000
  const open = isOpening ? Math.max(times.open, times.shared) : times.open
  return madeAt + 1000 * (isClosed ? times.closed : open)
}

/** `stale`: served while a new answer is made. `old`: served only if no new answer can be made. */
export type Age = 'fresh' | 'stale' | 'old' | 'gone'

export function ageAt(times: CacheTimes, ageing: FreshnessBasis, madeAt: number, now: number, asOf?: number): Age {
  const over = (now - freshUntil(times, ageing, madeAt, asOf)) / 1000
  if (over < 0) return 'fresh'
  if (over < times.stale && ageing.lifetime === undefined) return 'stale'
  return over < times.onError ? 'old' : 'gone'
}

/** The longest time that any answer is usable, in seconds after it was made. */
export const maxAge = ({ open, shared, closed, stale, onError }: CacheTimes): number =>
  Math.max(open, shared, closed) + Math.max(stale, onError)

/** Ranges shorter than this many steps are not rounded: rounding would distort them. */
const minSteps = 30

/**
 * The range that readers of shares and public websites get. A range that ends about now slides with each request. Both
 * ends move back to a whole step, so that requests a moment apart share an answer. A range of whole steps stays as it
 * is.
 */
export function sharedPeriod(times: CacheTimes, period: Period, now: number): Period {
  const { startAt, endAt } = period
  const step = times.shared * 1000
  const slides = Math.abs(endAt - now) <= times.settled * 1000
  if (step === 0 || !slides || endAt - startAt < minSteps * step) return period
  const before = (moment: number): number => Math.floor(moment / step) * step
  // `endAt` is inclusive.
  return { startAt: before(startAt), endAt: before(endAt + 1) - 1 }
}

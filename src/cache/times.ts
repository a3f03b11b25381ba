import type { Period } from '../request/period.ts'

/** Cache lifetimes in seconds, from the Worker's variable `CACHE`. Without that variable, nothing is cached. */
export interface CacheTimes {
  /** How long an answer is fresh if its range may still gain events. */
  readonly open: number
  /**
   * The value of `open` for readers of shares and public websites. The start and end of ranges that end about now are
   * also rounded to multiples of it; 0 leaves ranges unchanged.
   */
  readonly shared: number
  /** How long an answer is fresh if it was computed more than `settled` seconds after the end of its range. */
  readonly closed: number
  readonly settled: number
  /** Stale-while-revalidate, counted from the end of freshness: the answer is served while a new one is computed. */
  readonly stale: number
  /**
   * Stale-if-error, also counted from the end of freshness: the answer is served only while ClickHouse cannot be read.
   */
  readonly onError: number
}

/** The facts that decide how long an answer stays fresh. */
export interface FreshnessBasis {
  /** The last moment that the answer covers, in milliseconds since 1970. */
  readonly endsAt: number
  /** Whether the reader uses a share or a public website. */
  readonly isOpening: boolean
  /** How long the report stays fresh, in seconds, for every reader. Stale answers are then not served. */
  readonly lifetime?: number | undefined
}

/**
 * When an answer computed at `madeAt` from the events up to `asOf` stops being fresh. If the replica lags behind, its
 * answer may still change although the range is over. All times are in milliseconds since 1970.
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

/** `stale`: served while a new answer is computed. `old`: served only if no new answer can be computed. */
export type Age = 'fresh' | 'stale' | 'old' | 'gone'

export function ageAt(times: CacheTimes, ageing: FreshnessBasis, madeAt: number, now: number, asOf?: number): Age {
  const over = (now - freshUntil(times, ageing, madeAt, asOf)) / 1000
  if (over < 0) return 'fresh'
  if (over < times.stale && ageing.lifetime === undefined) return 'stale'
  return over < times.onError ? 'old' : 'gone'
}

/** The maximum time for which any answer is usable, in seconds after it was computed. */
export const maxAge = ({ open, shared, closed, stale, onError }: CacheTimes): number =>
  Math.max(open, shared, closed) + Math.max(stale, onError)

/** Ranges shorter than this many steps are not rounded, because rounding would distort them. */
const minSteps = 30

/**
 * The range used for readers of shares and public websites. A range that ends about now slides with each request. Both
 * ends are rounded down to whole steps, so that requests a moment apart share an answer. A range that already consists
 * of whole steps is unchanged.
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

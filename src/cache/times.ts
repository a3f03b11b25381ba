import type { Period } from '../request/period.ts'

/** How long answers are kept and used, in seconds: the variable `CACHE` of the Worker. Without it nothing is kept. */
export interface CacheTimes {
  /** An answer whose range may still gain events is fresh for so long. */
  readonly open: number
  /**
   * The same for readers through a share or a public website. Their sliding ranges begin and end at whole multiples of it; 0: at
   * any moment.
   */
  readonly shared: number
  /** An answer whose range was over for `settled` when it was made. */
  readonly closed: number
  readonly settled: number
  /** One that is no longer fresh is given for so long again, while a new one is made. */
  readonly stale: number
  /** And for so long while ClickHouse cannot be read. */
  readonly onError: number
}

/** What decides how long an answer is fresh. */
export interface FreshnessBasis {
  /** The last moment that the answer is about, in milliseconds since 1970. */
  readonly endsAt: number
  /** Whether it is read through a share, or as one of everyone. */
  readonly isOpening: boolean
}

/** Until when an answer that was made at `madeAt` is fresh; all three in milliseconds since 1970. */
export function freshUntil(times: CacheTimes, { endsAt, isOpening }: FreshnessBasis, madeAt: number): number {
  const isClosed = madeAt - endsAt > times.settled * 1000
  const open = isOpening ? Math.max(times.open, times.shared) : times.open
  return madeAt + 1000 * (isClosed ? times.closed : open)
}

/** `stale`: to be given while a new one is made. `old`: only where no new one can be made. */
export type Age = 'fresh' | 'stale' | 'old' | 'gone'

export function ageAt(times: CacheTimes, ageing: FreshnessBasis, madeAt: number, now: number): Age {
  const over = (now - freshUntil(times, ageing, madeAt)) / 1000
  if (over < 0) return 'fresh'
  if (over < times.stale) return 'stale'
  return over < times.onError ? 'old' : 'gone'
}

/** The longest that any answer is of use after it was made, in seconds. */
export const maxAge = ({ open, shared, closed, stale, onError }: CacheTimes): number =>
  Math.max(open, shared, closed) + Math.max(stale, onError)

/** A range shorter than so many steps is answered as it was asked for: moving its ends would change too much of it. */
const minSteps = 30

/**
 * The range that readers through a share or a public website are answered for. One that ends about now slides from request to
 * request: both of its ends are moved back to the last whole step, so that those who ask a moment apart ask the same. One that
 * covers whole steps stays as it is.
 */
export function sharedPeriod(times: CacheTimes, period: Period, now: number): Period {
  const { startAt, endAt } = period
  const step = times.shared * 1000
  const slides = Math.abs(endAt - now) <= times.settled * 1000
  if (step === 0 || !slides || endAt - startAt < minSteps * step) return period
  const before = (moment: number): number => Math.floor(moment / step) * step
  // The last millisecond is included.
  return { startAt: before(startAt), endAt: before(endAt + 1) - 1 }
}

import { lease, renewal, until } from '../until.ts'

type Keep = (work: Promise<unknown>) => void

/** The work calls `stay` once it should run to completion even if no request waits for it. */
type Work<Value> = (stay: () => void) => Promise<Value>

/** Work in progress that concurrent callers share. */
interface Flights<Value> {
  /**
   * Joins the work for this key, or starts it. Work older than `within` milliseconds is not joined, because the
   * platform has dropped it with the request that started it. A caller who joins waits at most `within` milliseconds.
   * After `stay`, `keep` keeps the work alive if its first caller disconnects. If the work was dropped before `stay`,
   * one waiting caller starts it again.
   */
  join(key: string, now: number, within: number, work: Work<Value>, keep: Keep): Promise<Value>
  /** Whether `join` would join work started by another caller. */
  isUnderWay(key: string, now: number, within: number): boolean
}

interface Flight<Value> {
  readonly since: number
  /** How many callers are waiting for it, including those whose request the platform has dropped. */
  waiting: number
  /** When its lease ends, by the same clock as `until`. */
  leasedUntil: number
  outcome?: { readonly value: Value } | { readonly error: unknown }
}

/** The maximum number of polls per millisecond, by all callers that share one piece of work. */
const looks = 5

/** `late` creates the error for a caller whose wait timed out. */
export function flights<Value>(late: () => Error): Flights<Value> {
  const underWay = new Map<string, Flight<Value>>()
  const joinable = (key: string, now: number, within: number) => {
    const known = underWay.get(key)
    return known && now - known.since < within && !isLost(known) ? known : undefined
  }
  /** The caller polls with its own timers; see `until`. */
  const landed = async (flight: Flight<Value>, within: number): Promise<Flight<Value>['outcome']> => {
    flight.waiting++
    await until(
      () => flight.outcome !== undefined || isLost(flight),
      within,
      () => flight.waiting / looks,
    )
    flight.waiting--
    if (!flight.outcome && !isLost(flight)) throw late()
    return flight.outcome
  }
  const begin = async (key: string, now: number, work: Work<Value>, keep: Keep): Promise<Value> => {
    const flight: Flight<Value> = { since: now, waiting: 0, leasedUntil: performance.now() + lease }
    underWay.set(key, flight)
    const renewing = setInterval(() => {
      flight.leasedUntil = performance.now() + lease
    }, renewal)
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    try {
      const value = await work(once(() => keep(ended)))
      flight.outcome = { value }
      return value
    } catch (error) {
      flight.outcome = { error }
      throw error
    } finally {
      clearInterval(renewing)
      end()
      if (underWay.get(key) === flight) underWay.delete(key)
    }
  }
  const join: Flights<Value>['join'] = async (key, now, within, work, keep) => {
    const known = joinable(key, now, within)
    if (!known) return begin(key, now, work, keep)
    const outcome = await landed(known, within)
    if (!outcome) return join(key, now, within, work, keep)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  return { join, isUnderWay: (key, now, within) => joinable(key, now, within) !== undefined }
}

/** Whether the platform has dropped the request that started the flight. */
const isLost = ({ leasedUntil, outcome }: Flight<unknown>): boolean => !outcome && leasedUntil <= performance.now()

/** Returns a function that calls `call` only the first time. */
function once(call: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) call()
    isCalled = true
  }
}

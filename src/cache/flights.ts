import { until } from '../until.ts'

type Keep = (work: Promise<unknown>) => void

/** Work in progress that concurrent callers share. */
interface Flights<Value> {
  /**
   * Joins the work on this key, or starts it. Work older than `within` milliseconds is not joined: the platform has
   * dropped it together with the request that started it. Who joins waits that long at most. `keep` keeps work alive
   * if the caller that started it leaves: others may wait for it.
   */
  join(key: string, now: number, within: number, work: () => Promise<Value>, keep: Keep): Promise<Value>
  /** Whether `join` would join work that another caller started. */
  isUnderWay(key: string, now: number, within: number): boolean
}

interface Flight<Value> {
  readonly since: number
  /** How many callers wait for it. Those whose request the platform has dropped count on. */
  waiting: number
  outcome?: { readonly value: Value } | { readonly error: unknown }
}

/** The looks of all callers that wait for one piece of work, in a millisecond. */
const looks = 5

/** `late` makes the error of a caller that has waited in vain. */
export function flights<Value>(late: () => Error): Flights<Value> {
  const underWay = new Map<string, Flight<Value>>()
  const joinable = (key: string, now: number, within: number) => {
    const known = underWay.get(key)
    return known && now - known.since < within ? known : undefined
  }
  /** The caller looks by timers of its own: see `until`. */
  const landed = async (flight: Flight<Value>, within: number): Promise<Value> => {
    flight.waiting++
    await until(
      () => flight.outcome !== undefined,
      within,
      () => flight.waiting / looks,
    )
    flight.waiting--
    if (!flight.outcome) throw late()
    if ('error' in flight.outcome) throw flight.outcome.error
    return flight.outcome.value
  }
  return {
    isUnderWay: (key, now, within) => joinable(key, now, within) !== undefined,
    async join(key, now, within, work, keep) {
      const known = joinable(key, now, within)
      if (known) return landed(known, within)
      const flight: Flight<Value> = { since: now, waiting: 0 }
      underWay.set(key, flight)
      try {
        const working = work()
        keep(working.catch(() => {}))
        const value = await working
        flight.outcome = { value }
        return value
      } catch (error) {
        flight.outcome = { error }
        throw error
      } finally {
        if (underWay.get(key) === flight) underWay.delete(key)
      }
    },
  }
}

/** Resolves to the value, or to `late` after `milliseconds`. */
export async function withTimeout<Value>(
  milliseconds: number,
  value: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([value, deadline]).finally(() => clearTimeout(timer))
}

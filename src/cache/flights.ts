/** Work in progress that concurrent callers share. */
interface Flights<Value> {
  /**
   * Joins the work on this key, or starts it. Work older than `within` milliseconds is not joined: the platform has
   * dropped it together with the request that started it.
   */
  join(key: string, now: number, within: number, work: () => Promise<Value>): Promise<Value>
  /** Whether `join` would join work that another caller started. */
  isUnderWay(key: string, now: number, within: number): boolean
}

export function flights<Value>(): Flights<Value> {
  const underWay = new Map<string, { readonly value: Promise<Value>; readonly since: number }>()
  const joinable = (key: string, now: number, within: number) => {
    const known = underWay.get(key)
    return known && now - known.since < within ? known : undefined
  }
  return {
    isUnderWay: (key, now, within) => joinable(key, now, within) !== undefined,
    join(key, now, within, work) {
      const known = joinable(key, now, within)
      if (known) return known.value
      const flight = { value: work(), since: now }
      underWay.set(key, flight)
      const landed = (): void => {
        if (underWay.get(key) === flight) underWay.delete(key)
      }
      flight.value.then(landed, landed)
      return flight.value
    },
  }
}

/**
 * Resolves to the value, or to `late` after `milliseconds`. The timer belongs to this request: the platform
 * ends a request that waits only for another request's work.
 */
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

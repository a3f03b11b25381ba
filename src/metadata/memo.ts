import { setNewest } from '../newest.ts'

/** How long a look-up is reused, in milliseconds. A deletion takes effect everywhere within this time. */
export const freshFor = 10_000

/**
 * A cache of look-ups, which expire. It stores only values that were found, so that new rows are visible immediately.
 */
interface Memo<Value> {
  /** The value for `key`, if it is fresh. */
  get(key: string, now: number): Value | undefined
  lasting(key: string, now: number): MemoEntry<Value> | undefined
  /** The value even after it has expired, unless it expired before this time. */
  expired(key: string, since: number): Value | undefined
  /**
   * Must be called before the look-up. The function that it returns drops the value if the memo was cleared in the
   * meantime.
   */
  keeper(): (key: string, value: Value, until: number) => void
  /** Removes a value that turned out to be gone. */
  drop(key: string): void
  clear(): void
  /** Makes all values expire now that have not expired already. */
  expire(now: number): void
}

interface MemoEntry<Value> {
  readonly value: Value
  readonly until: number
}

/** Holds at most `maxValues` values, each until it expires. The oldest ones are evicted first. */
export function memo<Value>(maxValues: number): Memo<Value> {
  let cleared = 0
  const kept = new Map<string, MemoEntry<Value>>()
  const lasting = (key: string, now: number): MemoEntry<Value> | undefined => {
    const known = kept.get(key)
    return known && known.until > now ? known : undefined
  }
  return {
    get: (key, now) => lasting(key, now)?.value,
    lasting,
    expired(key, since) {
      const known = kept.get(key)
      return known && known.until >= since ? known.value : undefined
    },
    keeper() {
      const before = cleared
      return (key, value, until) => {
        if (before === cleared) setNewest(kept, key, { value, until }, maxValues)
      }
    },
    drop: (key) => void kept.delete(key),
    clear() {
      cleared++
      kept.clear()
    },
    expire(now) {
      cleared++
      for (const [key, { value, until }] of kept) kept.set(key, { value, until: Math.min(until, now) })
    },
  }
}

/** How long what was read may be used again, in milliseconds: what is deleted is gone everywhere after it. */
export const freshFor = 10_000

/** Keeps what was looked up for a while. Only what was found is kept: what is new is seen at once. */
interface Memo<Value> {
  /** What was kept of `key` and is still fresh. */
  get(key: string, now: number): Value | undefined
  /** The same, and until when it is. */
  lasting(key: string, now: number): MemoEntry<Value> | undefined
  /** Call it before looking a value up: the `keep` it gives drops what was cleared meanwhile. */
  keeper(): (key: string, value: Value, until: number) => void
  clear(): void
}

interface MemoEntry<Value> {
  readonly value: Value
  readonly until: number
}

/** Holds at maxValues `maxValues` values, the oldest go first, each until the moment it was kept for. */
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
    keeper() {
      const before = cleared
      return (key, value, until) => {
        if (before !== cleared) return
        kept.delete(key)
        kept.set(key, { value, until })
        if (kept.size > maxValues) kept.delete(kept.keys().next().value!)
      }
    },
    clear() {
      cleared++
      kept.clear()
    },
  }
}

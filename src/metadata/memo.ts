/** Keeps what was looked up for a while. Only what was found is kept: what is new is seen at once. */
interface Memo<Value> {
  /** What was kept of `key` and is still fresh. */
  get(key: string, now: number): Value | undefined
  /** Call it before looking a value up: the `keep` it gives drops what was cleared meanwhile. */
  keeper(): (key: string, value: Value, until: number) => void
  clear(): void
}

/** Holds at most `most` values, the oldest go first, each until the moment it was kept for. */
export function memo<Value>(most: number): Memo<Value> {
  let cleared = 0
  const kept = new Map<string, { readonly value: Value; readonly until: number }>()
  return {
    get(key, now) {
      const known = kept.get(key)
      return known && known.until > now ? known.value : undefined
    },
    keeper() {
      const before = cleared
      return (key, value, until) => {
        if (before !== cleared) return
        kept.delete(key)
        kept.set(key, { value, until })
        if (kept.size > most) kept.delete(kept.keys().next().value!)
      }
    },
    clear() {
      cleared++
      kept.clear()
    },
  }
}

/** Looks a value up once and keeps it for a while. Only what was found is kept: what is new is seen at once. */
interface Memo<Value> {
  (key: string, now: number, look: () => Promise<Value>): Promise<Value>
  forget(key: string): void
}

/** Holds at most `most` values, the oldest go first, each for `freshFor` milliseconds. */
export function memo<Value>(most: number, freshFor: number): Memo<Value> {
  let forgotten = 0
  const kept = new Map<string, { readonly value: Value; readonly until: number }>()
  const remembered = async (key: string, now: number, look: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key)
    if (known && known.until > now) return known.value
    const before = forgotten
    const value = await look()
    kept.delete(key)
    // What was forgotten while it was looked up is old already.
    if (value !== undefined && before === forgotten) kept.set(key, { value, until: now + freshFor })
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return value
  }
  return Object.assign(remembered, {
    forget: (key: string) => {
      forgotten++
      kept.delete(key)
    },
  })
}

/** How long an idle item is kept, in milliseconds. */
const longestIdle = 5000

/** A pool of items that later requests in the same state can reuse. */
export interface Kept<T> {
  /** Removes the newest item in this state from the pool and returns it. */
  take(state: string): T | undefined
  /**
   * Adds an item. If the pool is full, closes its oldest item. An item from an earlier era, or one added during a
   * change, is closed immediately.
   */
  keep(state: string, item: T, era: number): Promise<void>
  /** Increases with each change. */
  era(): number
  /** Runs `work`, which may invalidate the pooled items. */
  change<R>(work: () => Promise<R>): Promise<R>
  /** Closes all items, and waits for those that are already closing. */
  clear(): Promise<void>
}

interface Entry<T> {
  readonly state: string
  readonly item: T
  readonly timer: NodeJS.Timeout
}

/** Opens a pool that holds up to `most` items for a few seconds each. */
export function openKept<T>(most: number, close: (item: T) => Promise<void>): Kept<T> {
  /** Oldest first. */
  const entries: Entry<T>[] = []
  const closing = new Set<Promise<void>>()
  let era = 0
  let changes = 0

  const remove = (at: number): T => {
    const [{ item, timer }] = entries.splice(at, 1) as [Entry<T>]
    clearTimeout(timer)
    return item
  }
  const discard = async (at: number) => {
    const closed = close(remove(at))
    closing.add(closed)
    await closed
    closing.delete(closed)
  }
  const clear = async () => {
    while (entries.length > 0) void discard(0)
    await Promise.all(closing)
  }
  return {
    take(state) {
      const at = entries.findLastIndex((entry) => entry.state === state)
      return at === -1 ? undefined : remove(at)
    },
    async keep(state, item, since) {
      if (changes > 0 || since !== era) return close(item)
      const timer = setTimeout(() => discard(entries.indexOf(entry)), longestIdle).unref()
      const entry = { state, item, timer }
      entries.push(entry)
      if (entries.length > most) await discard(0)
    },
    era: () => era,
    async change(work) {
      changes++
      try {
        await clear()
        return await work()
      } finally {
        changes--
        era++
      }
    },
    clear,
  }
}

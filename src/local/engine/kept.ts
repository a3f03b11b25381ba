/** How long anything is kept that nobody takes, in milliseconds. */
const longestIdle = 5000

/** What is kept from one request for another, by the state it is in. */
export interface Kept<T> {
  /** The item kept last in this state, which is then no longer kept. */
  take(state: string): T | undefined
  /** Keeps an item; of too many, the one kept first is closed. One from before a change is closed, and so is any during a change. */
  keep(state: string, item: T, era: number): Promise<void>
  /** Rises with each change. */
  era(): number
  /** Runs `work`, which may change what the items rest on. */
  change<R>(work: () => Promise<R>): Promise<R>
  /** Closes all, and waits for those that are just closing. */
  clear(): Promise<void>
}

interface Entry<T> {
  readonly state: string
  readonly item: T
  readonly timer: NodeJS.Timeout
}

/** Keeps up to `most` items, each for some seconds. */
export function openKept<T>(most: number, close: (item: T) => Promise<void>): Kept<T> {
  /** In the order of keeping. */
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

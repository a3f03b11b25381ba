import type { StoredAnswer } from './stored.ts'

/** The cache tier in the isolate's memory, in front of the platform's. */
interface IsolateTier {
  get(key: string): StoredAnswer | undefined
  set(key: string, stored: StoredAnswer): void
}

/** The approximate size of an entry apart from its body and key, in bytes. */
const overhead = 500

const sizeOf = (key: string, { body }: StoredAnswer): number => body.byteLength + 2 * key.length + overhead

/** An LRU cache of at most `maxBytes`. It does not store entries larger than `maxEntryBytes`. */
export function isolateTier(maxBytes: number, maxEntryBytes: number): IsolateTier {
  const entries = new Map<string, StoredAnswer>()
  let bytes = 0
  const remove = (key: string): void => {
    const stored = entries.get(key)
    if (stored && entries.delete(key)) bytes -= sizeOf(key, stored)
  }
  return {
    get(key) {
      const stored = entries.get(key)
      if (stored) {
        entries.delete(key)
        entries.set(key, stored)
      }
      return stored
    },
    set(key, stored) {
      remove(key)
      const size = sizeOf(key, stored)
      if (size > maxEntryBytes) return
      entries.set(key, stored)
      bytes += size
      while (bytes > maxBytes) remove(entries.keys().next().value!)
    },
  }
}

import type { StoredAnswer } from './stored.ts'

/** The tier in the memory of the isolate, in front of the platform's. */
export interface IsolateTier {
  get(key: string): StoredAnswer | undefined
  set(key: string, stored: StoredAnswer): void
}

/** What an entry takes beside its body and its key, about, in bytes. */
const overhead = 500

const sizeOf = (key: string, { body }: StoredAnswer): number => body.byteLength + 2 * key.length + overhead

/** Holds at most so many bytes; what was not asked for longest goes first. What is larger than `maxEntryBytes` is not held. */
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

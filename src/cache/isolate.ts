import type { Kept } from './kept.ts'

/** The tier in the memory of the isolate, in front of the platform's. */
export interface IsolateTier {
  get(key: string): Kept | undefined
  set(key: string, kept: Kept): void
}

/** What an entry takes beside its body and its key, about, in bytes. */
const overhead = 500

const sizeOf = (key: string, { body }: Kept): number => body.byteLength + 2 * key.length + overhead

/** Holds at most so many bytes; what was not asked for longest goes first. What is larger than `largest` is not held. */
export function isolateTier(mostBytes: number, largest: number): IsolateTier {
  const entries = new Map<string, Kept>()
  let bytes = 0
  const remove = (key: string): void => {
    const kept = entries.get(key)
    if (kept && entries.delete(key)) bytes -= sizeOf(key, kept)
  }
  return {
    get(key) {
      const kept = entries.get(key)
      if (kept) {
        entries.delete(key)
        entries.set(key, kept)
      }
      return kept
    },
    set(key, kept) {
      remove(key)
      const size = sizeOf(key, kept)
      if (size > largest) return
      entries.set(key, kept)
      bytes += size
      while (bytes > mostBytes) remove(entries.keys().next().value!)
    },
  }
}

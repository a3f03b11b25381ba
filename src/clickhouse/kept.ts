import type { Result } from '../query/language/sql.ts'

/** What an isolate found for cheaper statements; `found` is undefined if it did not hold. It changes no answer. */
interface Kept {
  readonly found: Result<never> | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Sized extends Kept {
  /** Characters of JSON. */
  readonly size: number
}

const keptByKey = new Map<string, Sized>()

/** The most keys that are remembered, and the most characters; the oldest are forgotten first. */
const mostKeys = 500
const mostCharacters = 8_000_000

let characters = 0

/** What is kept under a key; undefined if nothing is, or no longer. */
export function keptUnder(key: string, now: number): Kept | undefined {
  const kept = keptByKey.get(key)
  return kept && kept.until > now ? kept : undefined
}

export function keep(key: string, kept: Kept): Kept {
  forget(key)
  const size = kept.found ? JSON.stringify(kept.found).length : 0
  keptByKey.set(key, { ...kept, size })
  characters += size
  for (const oldest of keptByKey.keys()) {
    if (oldest === key || (keptByKey.size <= mostKeys && characters <= mostCharacters)) break
    forget(oldest)
  }
  return kept
}

export function forget(key: string): void {
  characters -= keptByKey.get(key)?.size ?? 0
  keptByKey.delete(key)
}

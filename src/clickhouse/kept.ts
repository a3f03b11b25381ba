import type { Result } from '../query/language/sql.ts'

/** What an isolate found for cheaper statements; `found` is undefined if it did not hold. It changes no answer. */
interface Kept {
  readonly found: Result<never> | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

const keptByKey = new Map<string, Kept>()

/** The most keys that are remembered; the oldest are forgotten first. Notes of 512 days take some 100 kB. */
const mostKeys = 250

/** What is kept under a key; undefined if nothing is, or no longer. */
export function keptUnder(key: string, now: number): Kept | undefined {
  const kept = keptByKey.get(key)
  return kept && kept.until > now ? kept : undefined
}

export function keep(key: string, kept: Kept): Kept {
  keptByKey.delete(key)
  keptByKey.set(key, kept)
  if (keptByKey.size > mostKeys) keptByKey.delete(keptByKey.keys().next().value!)
  return kept
}

export const forget = (key: string): void => void keptByKey.delete(key)

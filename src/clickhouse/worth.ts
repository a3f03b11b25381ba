import type { Worth } from '../query/language/sql.ts'

/**
 * Until when each cheaper statement is left out: it could not answer, or it read so few rows that the whole statement
 * costs no more. Each isolate learns this from the answers that it sees. It changes no answer.
 */
const leftOutUntil = new Map<string, number>()

/** The most keys that are remembered; the oldest are forgotten first. */
const mostKeys = 5_000

/** How long a statement is left out, in milliseconds. Days are sealed each minute; websites grow slowly. */
const times = { unanswered: 60_000, small: 600_000 } as const

export const isWorthAsking = (worth: Worth | undefined, now: number): boolean =>
  worth === undefined || (leftOutUntil.get(worth.key) ?? 0) <= now

/** Notes how a cheaper statement went. `rows` is the number of rows that it read. */
export function learn(worth: Worth | undefined, isAnswered: boolean, rows: number, now: number): void {
  if (!worth) return
  leftOutUntil.delete(worth.key)
  if (isAnswered && rows >= worth.rows) return
  leftOutUntil.set(worth.key, now + (isAnswered ? times.small : times.unanswered))
  if (leftOutUntil.size > mostKeys) leftOutUntil.delete(leftOutUntil.keys().next().value!)
}

import type { D1Database, D1Result } from '@cloudflare/workers-types'
import { freshFor } from './memo.ts'

/**
 * Decides where look-ups read. D1 may have copies (its read replicas) near readers. A copy may lag by any amount of
 * time, so it contains a heartbeat, and it has every change that was made before this heartbeat. A look-up uses a copy
 * only if its heartbeat is younger than `freshFor`, and reuses its rows only until the heartbeat has that age.
 * Therefore, a revocation takes effect as soon as it would without copies. All other reads and all writes go to the
 * primary.
 */

/** The age in milliseconds from which a Worker that reads a copy's heartbeat writes a new heartbeat. */
const beatEvery = 3000

/** Writes a heartbeat, unless another Worker has just done so. */
export const newHeartbeat = (now: number): readonly [query: string, now: number] => [
  `INSERT INTO copy_heartbeat (id, beat_at) VALUES (1, ?1)
   ON CONFLICT DO UPDATE SET beat_at = ?1 WHERE abs(beat_at - ?1) > ${beatEvery}`,
  now,
]

/** When this isolate last found a heartbeat that was too old, in milliseconds since 1970. */
let foundLateAt = Number.NEGATIVE_INFINITY

const primary = 'first-primary'

/**
 * For each database, the bookmark of this isolate's last write. The isolate uses only copies that include this write.
 */
const bookmarks = new WeakMap<D1Database, string>()

/**
 * A session at the primary, for a write. Call `end` after the write, so that this isolate's look-ups see its result.
 */
export function writingTo(database: D1Database) {
  const session = database.withSession(primary)
  const end = (): void => {
    const known = bookmarks.get(database) ?? ''
    // A write without an answer has no bookmark. Only the primary knows whether it took effect.
    const bookmark = session.getBookmark() ?? primary
    if (known === primary || known < bookmark) bookmarks.set(database, bookmark)
  }
  return { session, end }
}

/** Rows that include every change made before `asOf`, in milliseconds since 1970. */
export interface DatedRows<Row> {
  readonly rows: Row[][]
  readonly asOf: number
}

interface NearRows<Row> {
  /** Undefined if the primary must be read, because a row is missing or the heartbeat is too old. */
  readonly found: DatedRows<Row> | undefined
  /** Whether this isolate should write a heartbeat. */
  readonly isLate: boolean
}

/** Reads at the nearest copy of D1, or at the primary if that is nearer. */
export async function readNearest<Row>(
  database: D1Database,
  now: number,
  statements: readonly (readonly [query: string, ...values: readonly unknown[]])[],
): Promise<NearRows<Row>> {
  const session = database.withSession(bookmarks.get(database) ?? 'first-unconstrained')
  const results = await session.batch<Row & { readonly beat_at: number | null }>(
    statements.map(([query, ...values]) => session.prepare(withHeartbeat(query)).bind(...values)),
  )
  const rows = results.map((result) => result.results.map(({ beat_at, ...row }) => row as Row))
  if (results.every(isOfPrimary)) return { found: { rows, asOf: now }, isLate: false }
  const [row] = results.flatMap((result) => result.results)
  const beatAt = row?.beat_at ?? 0
  // Clocks differ a little, so a heartbeat may seem to come from the future.
  const age = Math.abs(now - beatAt)
  const isUsable = age < freshFor && rows.every(({ length }) => length > 0)
  const found = isUsable ? { rows, asOf: Math.min(beatAt, now) } : undefined
  const isLate = row !== undefined && age > beatEvery && now - foundLateAt > beatEvery
  if (isLate) foundLateAt = now
  return { found, isLate }
}

/** The statement, with the heartbeat in each row. */
const withHeartbeat = (query: string): string =>
  `SELECT found.*, (SELECT beat_at FROM copy_heartbeat) AS beat_at FROM (${query}) AS found`

/** A copy reports that it is not the primary; workerd outside of Cloudflare reports nothing. */
const isOfPrimary = ({ meta }: D1Result): boolean => meta.served_by_primary !== false

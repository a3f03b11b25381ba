import type { ClickHouseClient } from '@clickhouse/client-web'
import { compared, look, type Months, monthsThatMayDiffer, spilling } from './check.ts'
import { type Derived, type MonthScope, type Rows, rowsOf, type Scope } from './derived.ts'
import { add, notGone, type Rebuilt, repeated, takeAway, total, withLeft } from './rebuild.ts'
import { texts } from './selected.ts'

/** The maximum number of comparisons of a month without progress. */
const looks = 3

/** How to treat incomplete events whose cause is ambiguous. By default, they stay unchanged. */
export interface Halves {
  /**
   * Rows of `custom_events` whose event is missing, because their insert failed half-way. If that insert was repeated
   * with other ids, the rows are surplus: use `remove`. If not, they are all that is left of the event: use `adopt`.
   */
  readonly orphans?: 'remove' | 'adopt'
  /** Whether to keep events whose properties are missing from `custom_events` as events without properties. */
  readonly acceptLost?: boolean
  /** The maximum number of rows that one mutation deletes. Tests use small numbers. */
  readonly most?: number
}

/**
 * Makes `events` and `custom_events` agree as far as possible. The same inserts fill both. If an insert failed half-way
 * and was repeated, one table has the event twice and the other once, which is correct. An event without properties
 * that only `events` has is copied. `halves` decides what happens to all other rows that only one table has.
 * `custom_events` lacks some columns (the referrer's path and query), which stay empty in adopted events.
 */
export async function reconcile(
  client: ClickHouseClient,
  derived: Derived,
  scope: Scope,
  halves: Halves = {},
): Promise<Rebuilt[]> {
  const rows = await rowsOf(client, derived)
  const done: Rebuilt[] = []
  for (const part of await monthsThatMayDiffer(client, rows, scope)) {
    done.push(await reconcileMonth(client, rows, part, halves))
  }
  return done.filter(({ added, taken, unsure, lost = 0, orphans = 0 }) => added + taken + unsure + lost + orphans > 0)
}

async function reconcileMonth(
  client: ClickHouseClient,
  rows: Rows,
  { scopes, suspects }: Months,
  halves: Halves,
): Promise<Rebuilt> {
  const ofMonth = scopes[0]!
  let rebuilt: Rebuilt = { month: ofMonth.month, added: 0, taken: 0, unsure: 0, lost: 0, orphans: 0 }
  let [before, gone, deleting, left] = [Number.POSITIVE_INFINITY, 0, 0, 0]
  for (let made = 0; made < looks; made++) {
    const found = await look(client, rows, scopes, before === Number.POSITIVE_INFINITY ? suspects : undefined)
    const differing = total(found, 'missing') + total(found, 'surplus')
    // Added rows are there, so only deleted ones may still differ.
    const kept = Math.min(deleting, notGone(before, gone, differing))
    rebuilt = { ...rebuilt, taken: rebuilt.taken - kept }
    if (found.length === 0) return { ...rebuilt, unsure: 0, lost: 0, orphans: 0 }
    if (differing < before) made = 0
    before = differing
    const { added, taken, lost, orphans, accepted } = await mend(client, rows, ofMonth, halves)
    const unsure = total(found, 'unsure')
    rebuilt = { ...rebuilt, added: rebuilt.added + added, taken: rebuilt.taken + taken, unsure, lost, orphans }
    gone = added + taken
    deleting = taken
    left = differing - lost - orphans
    if (gone + accepted + unsure === 0) break
  }
  return withLeft(rebuilt, left, deleting)
}

/** The last element of `packed` is `has_data`. */
const withoutProperties = "UPDATE has_data = 0, packed = arrayPushBack(arrayPopBack(packed), '0')"

async function mend(client: ClickHouseClient, rows: Rows, scope: MonthScope, halves: Halves) {
  const { orphans, acceptLost, most } = halves
  const events: Rows = { ...rows, derived: { ...rows.derived, table: rows.derived.sources[0]! } }
  const count = async (what: 'missing' | 'surplus', where: string) => {
    const [text] = await texts(
      client,
      `SELECT toString(sum(${what})) AS text FROM (${compared(rows)}) WHERE ${where} SETTINGS ${spilling}`,
    )
    return Number(text)
  }
  const select = (what: 'missing' | 'surplus', where: string) =>
    `SELECT * EXCEPT surplus, ${what} AS surplus FROM (${compared(rows)}) WHERE ${where}`
  const twice = {
    events: await takeAway(client, events, select('missing', 'inBoth'), scope, { most }),
    custom: await takeAway(client, rows, select('surplus', 'inBoth'), scope, { most }),
  }
  const plain = await count('missing', 'NOT inBoth AND NOT has_data')
  const lost = await count('missing', 'NOT inBoth AND has_data')
  const alone = await count('surplus', 'NOT inBoth')
  // In that table, `has_data` is an alias that is computed from the properties.
  const keys = rows.keys.replace(', `has_data`', '')
  if (plain > 0) {
    await add(client, { ...rows, keys }, repeated(rows, 'missing', 'NOT inBoth AND NOT has_data', keys))
  }
  if (alone > 0 && orphans === 'adopt') await add(client, events, repeated(rows, 'surplus', 'NOT inBoth'))
  const removed =
    orphans === 'remove' ? await takeAway(client, rows, select('surplus', 'NOT inBoth'), scope, { most }) : 0
  const change = { most, change: withoutProperties }
  const accepted =
    acceptLost && lost > 0
      ? await takeAway(client, events, select('missing', 'NOT inBoth AND has_data'), scope, change)
      : 0
  return {
    added: plain + (orphans === 'adopt' ? alone : 0),
    taken: twice.events + twice.custom + removed,
    lost,
    accepted,
    orphans: orphans === undefined ? alone : 0,
  }
}

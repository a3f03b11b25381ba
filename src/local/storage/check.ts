import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import {
  type Derived,
  type MonthScope,
  monthsOf,
  type Rows,
  rowsOf,
  type Scope,
  sourceFilter,
  within,
} from './derived.ts'
import { selected, texts } from './selected.ts'

/**
 * The difference between a derived table and the results of its views, for a website and a month. `missing` and
 * `surplus` count definite differences: rows, or the sums of their counts. `unmerged` counts rows that still have to be
 * merged. `unsure` counts changes during the check: up to this many more rows may be missing or surplus.
 */
export interface Difference {
  readonly month: number
  readonly websiteId: string
  readonly missing: number
  readonly surplus: number
  readonly unmerged: number
  readonly unsure: number
  /** How many of the surplus rows of `custom_events` lack their event. */
  readonly orphans?: number
}

/** The table with the results of the last comparison. */
export const lookTable = 'check_look'

/**
 * The maximum number of comparisons of a month that writers are changing. Differences that remain after that stay
 * `unsure`.
 */
const looks = 3

/** Compares a derived table with its sources, month by month. Writers need not stop. */
export async function check(client: ClickHouseClient, derived: Derived, scope: Scope): Promise<Difference[]> {
  const rows = await rowsOf(client, derived)
  const found = await unmerged(client, derived, scope)
  for (const { scopes, suspects } of await monthsThatMayDiffer(client, rows, scope)) {
    for (let made = 1; made <= looks; made++) {
      const differences = await look(client, rows, scopes, made === 1 ? suspects : undefined)
      const isSure = differences.every(({ unsure }) => unsure === 0)
      if (isSure || made === looks) found.push(...differences)
      if (isSure) break
    }
  }
  return found.toSorted((one, other) => one.month - other.month)
}

/** The maximum number of rows in the months that one statement compares, and of the month and website pairs in it. */
const mostTogether = { rows: 1_000_000, pairs: 500 }

/** Months to compare together, and the suspected websites in them, if known. */
export interface Months {
  readonly scopes: readonly MonthScope[]
  readonly suspects?: readonly MonthScope[]
}

/**
 * The months that need a separate comparison. Planning a statement takes time, so small months are first compared
 * together.
 */
export async function monthsThatMayDiffer(client: ClickHouseClient, rows: Rows, scope: Scope): Promise<Months[]> {
  if (scope.month !== undefined) return [{ scopes: [{ ...scope, month: scope.month }] }]
  const batches: { rows: number; months: MonthScope[] }[] = []
  const most = Math.max(1, Math.floor(mostTogether.pairs / Math.max(1, scope.websiteIds.length)))
  for (const one of await monthsOf(client, rows.derived, scope)) {
    const last = batches.at(-1)
    const month = { ...scope, month: one.month }
    if (last && last.months.length < most && last.rows + one.rows <= mostTogether.rows) {
      last.months.push(month)
      last.rows += one.rows
    } else {
      batches.push({ rows: one.rows, months: [month] })
    }
  }
  const found: Months[] = []
  for (const { months } of batches) {
    for (const one of await suspected(client, rows, months)) {
      found.push({ scopes: [{ ...scope, month: one.month }], suspects: [one] })
    }
  }
  return found
}

/**
 * Compares once, in one or more months. Then `compared` reads the result from `lookTable`.
 *
 * An insert fills the tables one after the other, so a single read cannot tell a fault from a running insert. This
 * reads three times and waits between the reads for all running inserts. Rows that the first read finds in the sources
 * must be in the table at the second read. Rows that the second read finds in the table must be in the sources at the
 * third. So a row is missing if the second read has fewer than the first, and surplus if it has more than the third,
 * whatever was inserted in the meantime. `known` are the suspected websites, if they were just determined.
 */
export async function look(
  client: ClickHouseClient,
  rows: Rows,
  scopes: readonly MonthScope[],
  known?: readonly MonthScope[],
): Promise<Difference[]> {
  const suspects = known ?? (await suspected(client, rows, scopes))
  if (suspects.length === 0) return []
  // A longer list of ids would cost more than it saves.
  const narrowed = suspects.flatMap(({ websiteIds }) => websiteIds).length <= 1000 ? suspects : scopes
  await client.command({ query: `DROP TABLE IF EXISTS ${lookTable}` })
  await createLook(client, rows)
  await read(client, rows, 'earlier', rows.expected, narrowed)
  await insertsEnded(client)
  await read(client, rows, 'stored', rows.stored(narrowed), narrowed)
  await insertsEnded(client)
  await read(client, rows, 'later', rows.expected, narrowed)
  return differences(client, rows, scopes[0]!.month)
}

/**
 * The keys that differ in the last comparison. `missing` and `surplus` count definite differences, `unsure` possible
 * ones. `inBoth` says whether both sides have the key.
 */
export const compared = ({ keys, identity }: Rows): string =>
  identity === undefined
    ? `SELECT ${keys},
        sum(stored) > 0 AND sum(later) > 0 AS inBoth,
        greatest(sum(earlier) - sum(stored), 0) AS missing,
        greatest(sum(stored) - sum(later), 0) AS surplus,
        abs(sum(later) - sum(earlier)) AS unsure
      FROM ${lookTable} GROUP BY ${keys}
      HAVING missing != 0 OR surplus != 0 OR unsure != 0`
    : // An insert may change the row of a visit. A change between the first and the third read is unsure.
      `SELECT ${keys}, 0 AS inBoth,
        NOT isChanging AND wasEarlier > wasStored AS missing,
        NOT isChanging AND wasStored > wasEarlier AS surplus,
        toInt64(isChanging) AS unsure
      FROM (
        SELECT ${keys}, sum(earlier) AS wasEarlier, sum(stored) AS wasStored, sum(later) AS wasLater,
          max(wasEarlier != wasLater) OVER (PARTITION BY ${identity}) AS isChanging
        FROM ${lookTable} GROUP BY ${keys}
      )
      WHERE isChanging OR wasEarlier != wasStored`

/** Groups beyond this many bytes are spilled to disk. */
export const spilling = 'max_bytes_before_external_group_by = 500000000'

/**
 * The websites whose rows seem to differ, by month. Compares two sums modulo 2^64: of `n`, and of `n` times a hash of
 * the keys. Both sums stay the same if a count is split into several rows.
 */
async function suspected(
  client: ClickHouseClient,
  rows: Rows,
  scopes: readonly MonthScope[],
): Promise<readonly MonthScope[]> {
  const found = await selected<{ ofMonth: number; websiteIds: string[] }>(
    client,
    `SELECT ofMonth, groupArray(toString(website_id)) AS websiteIds
     FROM (
       SELECT toUInt32(${rows.derived.month}) AS ofMonth, website_id
       FROM (
         SELECT ${rows.keys}, n FROM (${rows.stored(scopes)})
         UNION ALL
         SELECT ${rows.keys}, -n AS n FROM (${rows.expected})
       )
       GROUP BY ofMonth, website_id
       HAVING sum(n) != 0 OR sum(n * reinterpretAsInt64(${hashOf(rows)})) != 0
     )
     GROUP BY ofMonth ORDER BY ofMonth
     SETTINGS ${sourceFilter(rows.derived, scopes)}`,
  )
  return found.map(({ ofMonth, websiteIds }) => ({ month: ofMonth, websiteIds }))
}

/** The hash of a tuple. A hash of separate columns would be NULL if one of them is NULL. */
export const hashOf = ({ keys }: Rows): string => `sipHash64(tuple(${keys}))`

async function createLook(client: ClickHouseClient, { keys, derived }: Rows): Promise<void> {
  const zeros = ['earlier', 'stored', 'later'].map((side) => `toInt64(0) AS ${side}`).join(', ')
  await client.command({
    query: `CREATE TABLE ${lookTable} ENGINE = MergeTree ORDER BY tuple()
      AS SELECT ${keys}, ${zeros} FROM ${derived.table} WHERE 0`,
    clickhouse_settings: { allow_suspicious_low_cardinality_types: 1 },
  })
}

async function read(
  client: ClickHouseClient,
  { keys, derived }: Rows,
  side: string,
  select: string,
  scopes: readonly Scope[],
) {
  await client.command({
    query: `INSERT INTO ${lookTable} (${keys}, ${side})
      SELECT ${keys}, sum(n) FROM (${select}) GROUP BY ${keys}
      SETTINGS ${sourceFilter(derived, scopes)}, ${spilling}`,
  })
}

/** Waits for all inserts that are currently running. */
export async function insertsEnded(client: ClickHouseClient): Promise<void> {
  const running = () =>
    texts(client, "SELECT query_id AS text FROM system.processes WHERE query_kind IN ('Insert', 'AsyncInsertFlush')")
  let awaited = await running()
  for (let asked = 0; awaited.length > 0; asked++) {
    if (asked > longestInsert)
      throw new Error(`An insert has run for 20 minutes: ${awaited.join(', ')}. Try again when it has ended.`)
    await delay(pause)
    const still = new Set(await running())
    awaited = awaited.filter((id) => still.has(id))
  }
}

/** The pause between two checks for running inserts, in milliseconds, and the maximum number of checks (20 minutes). */
const pause = 20
const longestInsert = 60_000

interface Found {
  readonly websiteId: string
  readonly missing: string
  readonly surplus: string
  readonly unsure: string
  readonly orphans: string
}

/** `month` is the month to which these differences are attributed. */
async function differences(client: ClickHouseClient, rows: Rows, month: number): Promise<Difference[]> {
  const found = await selected<Found>(
    client,
    `SELECT toString(website_id) AS websiteId, sum(found.missing) AS missing, sum(found.surplus) AS surplus,
        sum(found.unsure) AS unsure, sumIf(found.surplus, NOT inBoth) AS orphans
      FROM (${compared(rows)}) AS found GROUP BY website_id ORDER BY websiteId SETTINGS ${spilling}`,
  )
  return found.map(({ websiteId, missing, surplus, unsure, orphans }) => ({
    month,
    websiteId,
    missing: Number(missing),
    surplus: Number(surplus),
    unmerged: 0,
    unsure: Number(unsure),
    ...(rows.derived.beside && Number(orphans) > 0 && { orphans: Number(orphans) }),
  }))
}

/** A row with a count of 0 or less exists only until it is merged with the rows that it corrects. */
export const isUnmerged = (counts: string): string => `${counts} <= 0`

async function unmerged(client: ClickHouseClient, derived: Derived, scope: Scope): Promise<Difference[]> {
  if (!derived.counts || derived.hasExtremes) return []
  const found = await selected<{ ofMonth: number; websiteId: string; rows: string }>(
    client,
    `SELECT toUInt32(${derived.month}) AS ofMonth, toString(website_id) AS websiteId, count() AS rows
      FROM ${derived.table} WHERE ${within(derived, scope)} AND ${isUnmerged(derived.counts)}
      GROUP BY ALL ORDER BY ofMonth, websiteId`,
  )
  return found.map(({ ofMonth, websiteId, rows }) => ({
    month: ofMonth,
    websiteId,
    missing: 0,
    surplus: 0,
    unmerged: Number(rows),
    unsure: 0,
  }))
}

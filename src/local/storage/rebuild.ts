import type { ClickHouseClient } from '@clickhouse/client-web'
import {
  compared,
  type Difference,
  hashOf,
  isUnmerged,
  look,
  type Months,
  monthsThatMayDiffer,
  spilling,
} from './check.ts'
import { stagingTable } from './clickhouse.ts'
import {
  type Derived,
  type MonthScope,
  orderOf,
  type Rows,
  rowsOf,
  type Scope,
  sourceFilter,
  within,
} from './derived.ts'
import { selected, texts } from './selected.ts'

/**
 * The repairs of a derived table in one month. `unsure` counts differences that concurrent writes made uncertain, and
 * `left`, if any.
 */
export interface Rebuilt {
  readonly month: number
  readonly added: number
  readonly taken: number
  readonly unsure: number
  /** The number of definite differences that could not be repaired. */
  readonly left?: number
  /** The number of events whose properties are missing from `custom_events`. */
  readonly lost?: number
  /** The number of rows in `custom_events` whose event is missing. */
  readonly orphans?: number
}

/** The maximum number of comparisons of a month without progress. Running inserts can also cause differences. */
const looks = 10

/**
 * Repairs a derived table from its sources, month by month, while others read and write it. It repairs only definite
 * differences (see `look`). For tables that only count, several months are repaired together, because they have few
 * rows, and a correction merges a whole year.
 */
export async function rebuild(
  client: ClickHouseClient,
  derived: Derived,
  scope: Scope | readonly MonthScope[],
): Promise<Rebuilt[]> {
  const rows = await rowsOf(client, derived)
  const counts = derived.hasExtremes ? undefined : derived.counts
  const done: Rebuilt[] = []
  for (const part of await parts(client, rows, scope, counts !== undefined)) {
    const rebuilt = await (derived.hasExtremes ? remakeMonth : rebuildMonths)(client, rows, part)
    if (rebuilt.added + rebuilt.taken + rebuilt.unsure > 0) done.push(rebuilt)
  }
  if (counts) await merge(client, derived, counts, scope)
  return done
}

/** The months that are repaired together. */
async function parts(
  client: ClickHouseClient,
  rows: Rows,
  scope: Scope | readonly MonthScope[],
  isTogether: boolean,
): Promise<readonly Months[]> {
  if ('websiteIds' in scope) return monthsThatMayDiffer(client, rows, scope)
  return isTogether ? [{ scopes: scope }] : scope.map((one) => ({ scopes: [one] }))
}

async function rebuildMonths(client: ClickHouseClient, rows: Rows, { scopes, suspects }: Months): Promise<Rebuilt> {
  let known = suspects
  let rebuilt: Rebuilt = { month: scopes[0]!.month, added: 0, taken: 0, unsure: 0 }
  let left = Number.POSITIVE_INFINITY
  let [before, deleting] = [0, 0]
  for (let made = 0; made < looks; made++) {
    const found = await look(client, rows, scopes, known)
    known = undefined
    const [missing, surplus, unsure] = [total(found, 'missing'), total(found, 'surplus'), total(found, 'unsure')]
    rebuilt = { ...rebuilt, unsure, taken: rebuilt.taken - notGone(before, deleting, surplus) }
    if (missing + surplus + unsure === 0) return rebuilt
    if (missing + surplus < left) made = 0
    left = missing + surplus
    if (left === 0) continue
    before = surplus
    const taken = rows.derived.counts ? await correct(client, rows, surplus) : await copy(client, rows, missing, scopes)
    rebuilt = { ...rebuilt, added: rebuilt.added + missing, taken: rebuilt.taken + taken }
    deleting = rows.derived.counts ? 0 : taken
  }
  return withLeft(rebuilt, left, deleting)
}

/**
 * How many of the rows that the last deletion took are still in the table, because a merge moved them before that.
 * `before` and `now` are the numbers of surplus rows.
 */
export const notGone = (before: number, taken: number, now: number): number =>
  Math.min(taken, Math.max(0, now - (before - taken)))

/** Adds the differences that are left. `deleting` of these rows were deleted last, to no effect. */
export const withLeft = (rebuilt: Rebuilt, left: number, deleting: number): Rebuilt =>
  left > 0
    ? { ...rebuilt, taken: rebuilt.taken - Math.min(deleting, left), unsure: rebuilt.unsure + left, left }
    : rebuilt

/**
 * Rebuilds the month for the websites that differ, until none differ. A rebuild may lose rows of any website that are
 * written in the meantime, so all websites are compared each time. Older differences outside the scope are not
 * repaired.
 */
async function remakeMonth(client: ClickHouseClient, rows: Rows, { scopes, suspects }: Months): Promise<Rebuilt> {
  const scope = scopes[0]!
  const everybody = { month: scope.month, websiteIds: [] }
  let rebuilt: Rebuilt = { month: scope.month, added: 0, taken: 0, unsure: 0 }
  let found = await look(client, rows, scopes, suspects)
  if (wrong(found).length === 0) return { ...rebuilt, unsure: total(found, 'unsure') }
  const isOutside = ({ websiteId }: Difference) => !scope.websiteIds.includes(websiteId)
  const known = scope.websiteIds.length === 0 ? [] : (await look(client, rows, [everybody])).filter(isOutside)
  for (let made = 0; made < looks; made++) {
    const isKnown = (one: Difference) =>
      known.some(
        ({ websiteId, missing, surplus }) =>
          websiteId === one.websiteId && missing === one.missing && surplus === one.surplus,
      )
    const left = wrong(found).filter((one) => !isKnown(one))
    if (left.length === 0) return { ...rebuilt, unsure: total(found, 'unsure') }
    await remake(
      client,
      rows,
      scope.month,
      left.map(({ websiteId }) => websiteId),
    )
    rebuilt = {
      ...rebuilt,
      added: rebuilt.added + total(left, 'missing'),
      taken: rebuilt.taken + total(left, 'surplus'),
    }
    found = await look(client, rows, [everybody])
  }
  return { ...rebuilt, unsure: total(found, 'missing') + total(found, 'surplus') + total(found, 'unsure') }
}

const wrong = (found: readonly Difference[]): Difference[] =>
  found.filter(({ missing, surplus }) => missing + surplus > 0)

/** Corrects counts by adding rows. A row has a negative count where the stored count is too high. */
async function correct(client: ClickHouseClient, rows: Rows, surplus: number): Promise<number> {
  await add(client, rows, `SELECT ${rows.keys}, missing - surplus AS n FROM (${compared(rows)}) WHERE n != 0`)
  return surplus
}

async function copy(client: ClickHouseClient, rows: Rows, missing: number, scopes: readonly Scope[]): Promise<number> {
  if (missing > 0) await add(client, rows, repeated(rows, 'missing'))
  return takeAway(client, rows, `SELECT * FROM (${compared(rows)})`, scopes)
}

/** Selects each row of the last comparison that meets a condition, as many times as it is missing or surplus. */
export const repeated = (rows: Rows, what: 'missing' | 'surplus', where = '1', columns = rows.keys): string =>
  `SELECT ${columns} FROM (${compared(rows)}) ARRAY JOIN range(toUInt64(${what})) AS copy WHERE ${where}`

export const total = (found: readonly Difference[], what: 'missing' | 'surplus' | 'unsure'): number =>
  found.reduce((sum, one) => sum + one[what], 0)

/**
 * Adds rows of one month by attaching whole parts instead of inserting. So all rows become visible at the same time, no
 * view passes them on to other tables, and replicas do not deduplicate them.
 */
export async function add(
  client: ClickHouseClient,
  { keys, derived }: Pick<Rows, 'keys' | 'derived'>,
  select: string,
): Promise<void> {
  const { table, counts } = derived
  await stage(client, table, async (command) => {
    await command(
      `INSERT INTO ${stagingTable} (${counts ? `${keys}, ${counts}` : keys}) ${select} SETTINGS ${spilling}`,
    )
    for (const id of await texts(client, `SELECT DISTINCT _partition_id AS text FROM ${stagingTable}`)) {
      await command(`ALTER TABLE ${table} ATTACH PARTITION ID '${id}' FROM ${stagingTable}`)
    }
  })
}

/**
 * Rebuilds a month of these websites in another table, copies the other rows of the month there, and replaces the month
 * in one step.
 */
async function remake(
  client: ClickHouseClient,
  rows: Rows,
  month: number,
  websiteIds: readonly string[],
): Promise<void> {
  const { keys, derived } = rows
  const { table } = derived
  const others = `${within(derived, { month, websiteIds: [] })} AND NOT (${within(derived, { websiteIds })})`
  await stage(client, table, async (command) => {
    await command(`INSERT INTO ${stagingTable} SELECT * FROM ${table} WHERE ${others}`)
    await command(
      `INSERT INTO ${stagingTable} (${keys}) SELECT ${keys} FROM (${rows.expected})
       SETTINGS ${sourceFilter(derived, { month, websiteIds })}, ${spilling}`,
    )
    const [part] = await texts(client, `SELECT toString(_partition_id) AS text FROM ${stagingTable} LIMIT 1`)
    await command(
      `ALTER TABLE ${table} ${part ? `REPLACE PARTITION ID '${part}' FROM ${stagingTable}` : `DROP PARTITION ${month}`}`,
    )
  })
}

type Command = (query: string) => Promise<unknown>

/** Runs `work` with an empty table `stagingTable` that has the same columns and partitions. */
async function stage(
  client: ClickHouseClient,
  table: string,
  work: (command: Command) => Promise<void>,
): Promise<void> {
  const command = (query: string) =>
    client.command({ query, clickhouse_settings: { allow_suspicious_low_cardinality_types: 1 } })
  await command(`DROP TABLE IF EXISTS ${stagingTable}`)
  await command(`CREATE TABLE ${stagingTable} AS ${table} ENGINE = MergeTree ${await orderOf(client, table)}`)
  await work(command)
  await command(`DROP TABLE ${stagingTable}`)
}

/** The maximum number of rows that one mutation deletes. Its statement contains their positions. */
const mostAtOnce = 200_000

/**
 * Deletes surplus rows by their positions in parts, so that equal rows elsewhere stay. Returns their number. If a part
 * has been merged in the meantime, its positions match nothing, and the next comparison finds the rows again. `found`
 * selects the keys and `surplus`, the number to delete, of which at most `most` are deleted. `change` replaces the
 * deletion with another mutation.
 */
export async function takeAway(
  client: ClickHouseClient,
  rows: Rows,
  found: string,
  scopes: Scope | readonly Scope[],
  { most = mostAtOnce, change = 'DELETE' }: { readonly most?: number | undefined; readonly change?: string } = {},
): Promise<number> {
  const { table } = rows.derived
  const surplus = `SELECT ${hashOf(rows)} AS hash, surplus FROM (${found}) WHERE surplus > 0`
  const parts = await selected<{ part: string; offsets: number[] }>(
    client,
    `SELECT _part AS part, groupArray(toUInt32(_part_offset)) AS offsets
      FROM (
        SELECT _part, _part_offset FROM (
          SELECT _part, _part_offset, hash, row_number() OVER (PARTITION BY hash) AS twin
          FROM (SELECT _part, _part_offset, ${hashOf(rows)} AS hash FROM ${table} WHERE ${within(rows.derived, scopes)})
          WHERE hash IN (SELECT hash FROM (${surplus}))
        ) AS stored
        INNER JOIN (${surplus}) AS known USING hash
        WHERE twin <= surplus LIMIT ${most}
      ) GROUP BY part ORDER BY part`,
  )
  if (parts.length === 0) return 0
  const isThere = parts.map(({ part, offsets }) => `_part = '${part}' AND _part_offset IN (${offsets.join(', ')})`)
  await client.command({
    query: `ALTER TABLE ${table} ${change} WHERE ${isThere.join(' OR ')}`,
    clickhouse_settings: { mutations_sync: '2', max_query_size: '10000000' },
  })
  return parts.reduce((sum, { offsets }) => sum + offsets.length, 0)
}

/** The maximum number of attempts to merge a partition. A part that is being merged cannot join another merge. */
const attempts = 100

/** Merges counts with their corrections, if any. A row whose count becomes 0 disappears. */
async function merge(
  client: ClickHouseClient,
  derived: Derived,
  counts: string,
  scopes: Scope | readonly Scope[],
): Promise<void> {
  const partitions = () =>
    texts(
      client,
      `SELECT DISTINCT _partition_id AS text FROM ${derived.table} WHERE ${within(derived, scopes)} AND ${isUnmerged(counts)}`,
    )
  let left = await partitions()
  for (let made = 0; left.length > 0; made++) {
    if (made === attempts) {
      throw new Error(`${derived.table}: counts of partition ${left.join(', ')} are 0 or negative after all merges.`)
    }
    for (const id of left) await client.command({ query: `OPTIMIZE TABLE ${derived.table} PARTITION ID '${id}' FINAL` })
    left = await partitions()
  }
}

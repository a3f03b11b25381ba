import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import {
  type Derived,
  monthsOf,
  type Rows,
  refuseClusterFront,
  rowsOf,
  type Scope,
  sourceFilter,
  texts,
  within,
} from './derived.ts'

/**
 * How a derived table differs from what its views select, of a website and month: how many of its rows, or of what it
 * counts, are missing for certain and are too many for certain, and how many rows have still to be merged with others.
 * `unsure` came while it was looked at: so many more may be missing or too many.
 */
export interface Difference {
  readonly month: number
  readonly websiteId: string
  readonly missing: number
  readonly surplus: number
  readonly unmerged: number
  readonly unsure: number
}

/** Where the rows of a look lie while it is worked with. */
export const lookTable = 'check_look'

/** Looks at a month before what came meanwhile is left unsure. */
const looks = 3

/** Compares a derived table with its sources, month by month; writers may go on. */
export async function check(client: ClickHouseClient, derived: Derived, scope: Scope): Promise<Difference[]> {
  const rows = await rowsOf(client, derived)
  const found: Difference[] = []
  for (const month of await months(client, derived, scope)) {
    const ofMonth = { ...scope, month }
    found.push(...(await unmerged(client, derived, ofMonth)))
    for (let made = 1; made <= looks; made++) {
      const differences = await look(client, rows, ofMonth)
      const isSure = differences.every(({ unsure }) => unsure === 0)
      if (isSure || made === looks) found.push(...differences)
      if (isSure) break
    }
  }
  return found
}

export const months = async (client: ClickHouseClient, derived: Derived, scope: Scope): Promise<number[]> =>
  scope.month === undefined ? monthsOf(client, derived, scope) : [scope.month]

/**
 * Looks at a month once; afterwards `lookTable` holds what `compared` reads. An insert fills the tables one after the
 * other, so what one look at both sides sees to differ may be an insert under way. For certain is only what follows
 * from three reads, between which every insert that ran has ended: what the sources held at the first is stored at the
 * second, and what is stored at the second the sources hold at the third. Less than the first is missing, more than the
 * third is too many, whatever came meanwhile.
 */
export async function look(
  client: ClickHouseClient,
  rows: Rows,
  scope: Scope & { month: number },
): Promise<Difference[]> {
  const suspects = await suspected(client, rows, scope)
  await client.command({ query: `DROP TABLE IF EXISTS ${lookTable}` })
  if (suspects.length === 0) return []
  // More ids than these are no filter worth its length.
  const narrowed = suspects.length <= 1000 ? { ...scope, websiteIds: suspects } : scope
  await createLook(client, rows)
  await read(client, rows, 'earlier', rows.expected, narrowed)
  await insertsEnded(client)
  await read(client, rows, 'stored', rows.stored(narrowed), narrowed)
  await insertsEnded(client)
  await read(client, rows, 'later', rows.expected, narrowed)
  return differences(client, rows, scope.month)
}

/**
 * Each key of the last look with `missing` and `surplus`, how many are so for certain, and `unsure`; `inBoth`: whether each side
 * has some.
 */
export const compared = ({ keys }: Rows): string => `SELECT ${keys},
    sum(stored) > 0 AND sum(later) > 0 AS inBoth,
    greatest(sum(earlier) - sum(stored), 0) AS missing,
    greatest(sum(stored) - sum(later), 0) AS surplus,
    abs(sum(later) - sum(earlier)) AS unsure
  FROM ${lookTable} GROUP BY ${keys}
  HAVING missing != 0 OR surplus != 0 OR unsure != 0`

/** Groups beyond this many bytes go to the disk. */
export const spilling = 'max_bytes_before_external_group_by = 500000000'

/**
 * Websites whose rows seem to differ. Of each side only two numbers are kept, which do not depend on how counts are
 * split into rows: the sum of `n`, and of `n` times a hash of the keys, modulo 2^64.
 */
const suspected = (client: ClickHouseClient, rows: Rows, scope: Scope): Promise<string[]> =>
  texts(
    client,
    `SELECT toString(website_id) AS text
     FROM (
       SELECT ${rows.keys}, n FROM (${rows.stored(scope)})
       UNION ALL
       SELECT ${rows.keys}, -n AS n FROM (${rows.expected})
     )
     GROUP BY website_id
     HAVING sum(n) != 0 OR sum(n * reinterpretAsInt64(${hashOf(rows)})) != 0
     SETTINGS ${sourceFilter(rows.derived, scope)}`,
  )

export const hashOf = ({ keys }: Rows): string => `sipHash64(${keys})`

async function createLook(client: ClickHouseClient, { keys, derived }: Rows): Promise<void> {
  const zeros = ['earlier', 'stored', 'later'].map((side) => `toInt64(0) AS ${side}`).join(', ')
  await client.command({
    query: `CREATE TABLE ${lookTable} ENGINE = MergeTree ORDER BY tuple()
      AS SELECT ${keys}, ${zeros} FROM ${derived.table} WHERE 0`,
    clickhouse_settings: { allow_suspicious_low_cardinality_types: 1 },
  })
}

async function read(client: ClickHouseClient, { keys, derived }: Rows, side: string, select: string, scope: Scope) {
  await client.command({
    query: `INSERT INTO ${lookTable} (${keys}, ${side})
      SELECT ${keys}, sum(n) FROM (${select}) GROUP BY ${keys}
      SETTINGS ${sourceFilter(derived, scope)}, ${spilling}`,
  })
}

/** Ends once every insert has ended that runs now. */
async function insertsEnded(client: ClickHouseClient): Promise<void> {
  const running = () =>
    texts(client, "SELECT query_id AS text FROM system.processes WHERE query_kind IN ('Insert', 'AsyncInsertFlush')")
  let awaited = await running()
  for (let asked = 0; awaited.length > 0; asked++) {
    if (asked > longestInsert) throw new Error(`An insert does not end: ${awaited.join(', ')}. Try again without it.`)
    await delay(pause)
    const still = new Set(await running())
    awaited = awaited.filter((id) => still.has(id))
  }
}

/** Milliseconds between two questions whether inserts have ended, and how many questions there are: 20 minutes. */
const pause = 20
const longestInsert = 60_000

interface Found {
  readonly websiteId: string
  readonly missing: string
  readonly surplus: string
  readonly unsure: string
}

async function differences(client: ClickHouseClient, rows: Rows, month: number): Promise<Difference[]> {
  const result = await client.query({
    query: `SELECT toString(website_id) AS websiteId, sum(missing) AS missing, sum(surplus) AS surplus, sum(unsure) AS unsure
      FROM (${compared(rows)}) GROUP BY website_id ORDER BY websiteId SETTINGS ${spilling}`,
    format: 'JSONEachRow',
  })
  return (await result.json<Found>()).map(({ websiteId, missing, surplus, unsure }) => ({
    month,
    websiteId,
    missing: Number(missing),
    surplus: Number(surplus),
    unmerged: 0,
    unsure: Number(unsure),
  }))
}

/** A count of nothing, or less, stands only until it is merged with the rows that it corrects. */
export const isUnmerged = ({ counts }: Derived): string => (counts ? `${counts} <= 0` : '0')

async function unmerged(
  client: ClickHouseClient,
  derived: Derived,
  scope: Scope & { month: number },
): Promise<Difference[]> {
  const result = await client.query({
    query: `SELECT toString(website_id) AS websiteId, count() AS rows FROM ${derived.table}
      WHERE ${within(derived, scope)} AND ${isUnmerged(derived)} GROUP BY website_id ORDER BY websiteId`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ websiteId: string; rows: string }>()).map(({ websiteId, rows }) => ({
    month: scope.month,
    websiteId,
    missing: 0,
    surplus: 0,
    unmerged: Number(rows),
    unsure: 0,
  }))
}

const runningTable = 'check_running'

/** Runs `work` with no other check, rebuild or purge beside it: two would each put right what both found. */
export async function alone<Result>(
  client: ClickHouseClient,
  name: 'check' | 'rebuild' | 'purge',
  work: () => Promise<Result>,
): Promise<Result> {
  await refuseClusterFront(client, name)
  await begin(client)
  try {
    return await work()
  } finally {
    for (const table of [lookTable, runningTable]) await client.command({ query: `DROP TABLE IF EXISTS ${table}` })
  }
}

async function begin(client: ClickHouseClient): Promise<void> {
  try {
    await client.command({ query: `CREATE TABLE ${runningTable} (nothing UInt8) ENGINE = Memory` })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(runningTable)) throw error
    const statement = `DROP TABLE ${runningTable}`
    throw new Error(
      `Another check, rebuild or purge is at work on this database. If one was cut short, run on ClickHouse: ${statement}`,
      { cause: error },
    )
  }
}

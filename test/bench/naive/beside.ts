import { readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { createClient } from '@clickhouse/client-web'
import type { Server } from '../../../src/clickhouse/server.ts'
import type { Compiled } from '../../../src/query/sql.ts'
import { ask, median, type Scan, timed } from '../measure.ts'
import type { GridCell } from './grid.ts'

/** The database of the naive layout, beside Weir's on the same server. */
const database = 'naive'

/** Both layouts, as clients of their databases. */
export interface Layouts {
  readonly weir: ClickHouseClient
  readonly naive: ClickHouseClient
}

export type Layout = keyof Layouts

export type Beside<Value> = Readonly<Record<Layout, Value>>

/** One measured cell; times in milliseconds, both statements of a page one after the other for the naive layout. */
export interface BesideCell extends Omit<GridCell, 'statements'> {
  readonly milliseconds: Beside<number>
  readonly scan: Beside<Scan>
}

/** A client of the naive layout, whose tables are there then. */
export async function naiveClient(
  { timeout: _, ...server }: Server,
  main: ClickHouseClient,
): Promise<ClickHouseClient> {
  await main.command({ query: `create database if not exists ${database}` })
  const client = createClient({ ...server, database, request_timeout: 3_600_000, use_multipart_params_auto: true })
  const ddl = readFileSync(new URL('./naive.sql', import.meta.url), 'utf8')
  for (const query of ddl.split(/;\n/).filter((text) => text.replace(/--.*\n/g, '').trim() !== '')) {
    await client.command({ query })
  }
  return client
}

const warmUps = 1

/** Both layouts in turn, each round in the other order. */
export async function besideEachOther(cell: GridCell, layouts: Layouts, runs: number): Promise<BesideCell> {
  const times = { weir: [] as number[], naive: [] as number[] }
  for (let round = 0; round < warmUps + runs; round++) {
    const { weir, naive } = cell.statements(round)
    const turns = [
      async () => times.weir.push(await timed(() => Promise.all(weir.map((one) => ask(layouts.weir, one))))),
      async () => times.naive.push(await timed(() => inTurn(naive, (one) => ask(layouts.naive, one)))),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const { statements, ...named } = cell
  const { weir, naive } = statements(0)
  return {
    ...named,
    milliseconds: { weir: median(times.weir.slice(warmUps)), naive: median(times.naive.slice(warmUps)) },
    scan: { weir: await scanOf(layouts.weir, weir), naive: await scanOf(layouts.naive, naive) },
  }
}

/** Throws where the two layouts do not answer a cell with equally many rows, beyond the one that a page looks ahead. */
export async function checkSame(cell: GridCell, layouts: Layouts, most: number): Promise<void> {
  const { weir, naive } = cell.statements(0)
  const rows = async (client: ClickHouseClient, one: Compiled) => Math.min(most, (await ask(client, one)).data.length)
  const counts = [await rows(layouts.weir, weir.at(-1)!), await rows(layouts.naive, naive.at(-1)!)]
  if (cell.range !== 'any' && counts[0] !== counts[1]) {
    throw new Error(`${cell.endpoint} over ${cell.range} has ${counts[0]} rows here, ${counts[1]} in the naive layout.`)
  }
}

/** Scans as they are the first time: what ClickHouse remembers of a condition is left out. */
async function scanOf(client: ClickHouseClient, statements: readonly Compiled[]): Promise<Scan> {
  const scans = await inTurn(statements, async (one) => {
    const { statistics } = await ask(client, one, { use_query_condition_cache: 0 })
    return { rows: statistics?.rows_read ?? 0, bytes: statistics?.bytes_read ?? 0 }
  })
  return scans.reduce((sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes }))
}

async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

export const ratioOf = ({ milliseconds: { weir, naive } }: BesideCell): number => naive / weir

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

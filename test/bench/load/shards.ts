import { benchPlan, datasetSteps } from '../../../src/local/dataset/index.ts'
import { seal } from '../../../src/local/storage/seal.ts'
import { type Cluster, type Database, startCluster } from '../../support/cluster.ts'
import { weirCost } from '../compare/beside.ts'
import { type Cell, cellsOf, ranges, sealed } from '../compare/cells.ts'
import { questionOf } from '../compare/print.ts'
import { seed, to } from '../data.ts'
import { clientOf, type DataSet } from '../data-set.ts'
import { type Cost, clockOf, medianCost } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'

const layouts = ['single', 'sharded'] as const satisfies readonly Database[]

interface Row extends Pick<Cell, 'endpoint' | 'variant' | 'filter' | 'range'> {
  readonly cost: Readonly<Record<(typeof layouts)[number], Cost>>
}

const [runs, warmUps] = [7, 1]
const years: readonly string[] = [ranges[2]!.range, sealed.range]
const asked = ['stats', 'pageviews', 'metrics', 'sessions/stats']

/**
 * Compares a front of two shards with one server that has the same rows, over 12 months of the largest website. The
 * shards are two databases of one engine, which the front reads through views. Therefore, checks read rows that they
 * could count in projections otherwise, and both shards share the processor.
 */
export async function shards(events: number, progress: (line: string) => void): Promise<Section> {
  const cluster = await startCluster(false)
  const set = (database: Database) => ({ layouts: { weir: clientOf(cluster.server(database)) } }) as unknown as DataSet
  const sets = { single: set('single'), sharded: set('sharded') }
  try {
    await fill(cluster, sets.single, events, progress)
    const clock = await clockOf(sets.single.layouts.weir)
    const none = { events: [''], sessions: [''] }
    const all = (['statistics', 'sessions'] as const).flatMap((group) =>
      cellsOf(group, { largest: none, smallest: none }),
    )
    const rows: Row[] = []
    for (const cell of all) {
      const { endpoint, variant, filter, range, website } = cell
      if (website !== 'largest' || !years.includes(range) || !asked.includes(endpoint.split('?')[0]!)) continue
      progress(`shards: ${questionOf(cell)} over ${range}, filter: ${filter}`)
      const costs = { single: [] as Cost[], sharded: [] as Cost[] }
      for (let round = 0; round < warmUps + runs; round++) {
        for (const one of round % 2 === 0 ? layouts : layouts.toReversed()) {
          const cost = await weirCost(cell, sets[one], clock, round)
          if (round >= warmUps) costs[one].push(cost)
        }
      }
      const cost = { single: medianCost(costs.single), sharded: medianCost(costs.sharded) }
      rows.push({ endpoint, variant, filter, range, cost })
    }
    return {
      heading: 'Two shards',
      how: `12 months of the largest of 50 websites with ${whole(events)} events, medians of ${runs} runs in turn.`,
      ...{ page: [table(columns, rows)], more: [], found: rows },
    }
  } finally {
    for (const { layouts } of Object.values(sets)) await layouts.weir.close()
    await cluster.close()
  }
}

/** Fills one server, copies its events to the shards, and seals all days of all three. */
async function fill(
  cluster: Cluster,
  single: DataSet,
  events: number,
  progress: (line: string) => void,
): Promise<void> {
  const client = single.layouts.weir
  for (const { query, query_params } of datasetSteps(benchPlan(events, to, seed))) {
    progress('shards: filling')
    await client.command({ query, query_params })
  }
  const names = await cluster.ask(
    'single',
    `SELECT name FROM system.columns WHERE database = 'single' AND table = 'ingest' AND name IN (
       SELECT name FROM system.columns WHERE database = 'single' AND table = 'events') AND default_kind != 'ALIAS'`,
  )
  await cluster.run(`INSERT INTO sharded.ingest (${names}) SELECT ${names} FROM single.events`)
  progress('shards: sealing')
  for (const server of [cluster.server('single'), cluster.shard(1), cluster.shard(2)]) {
    const sealing = clientOf(server)
    await seal(sealing, { websiteIds: [], patience: 0 }).finally(() => sealing.close())
  }
}

const columns: Column<Row>[] = [
  { heading: 'question', isText: true, write: questionOf },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'filter', isText: true, write: ({ filter }) => filter },
  { heading: 'one server, ms', write: ({ cost }) => fixed(cost.single.processor) },
  { heading: 'two shards, ms', write: ({ cost }) => fixed(cost.sharded.processor) },
  { heading: 'ratio', write: ({ cost }) => fixed(cost.sharded.processor / cost.single.processor, 2) },
]

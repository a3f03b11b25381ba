import type { ClickHouseClient } from '@clickhouse/client-web'
import { run } from '../../../src/clickhouse/run.ts'
import { routeTo } from '../../support/route.ts'
import { largest, smallest } from '../data.ts'
import type { DataSet } from '../datasets.ts'
import type { Flags } from '../flags.ts'
import { ask, median, type Scan } from '../measure.ts'
import {
  afresh,
  askedBy,
  knownBy,
  mediansOf,
  naiveTimeOf,
  type Size,
  scanOf,
  type Took,
  timeOf,
  weirTime,
} from '../naive/beside.ts'
import type { Beside } from '../naive/layout.ts'
import { type ProcessorClock, processorClock } from '../processor.ts'
import { type StatisticsCell, statisticsOf } from './grid.ts'
import { differenceOf, type Row } from './same.ts'

/** The cost of an answer, in milliseconds. */
export interface Cost extends Took {
  /** ClickHouse's processor time. */
  readonly processor: number
}

/** One measured cell. The naive layout runs its statements one after the other. */
export interface BesideStatistics extends Pick<StatisticsCell, 'endpoint' | 'range' | 'filter'> {
  readonly website: Size
  readonly runs: number
  readonly cost: Beside<Cost> & { readonly rollup?: Cost }
  readonly scan: Beside<Scan>
}

export interface Statistics {
  /** Whether the whole grid was measured. */
  readonly isWhole: boolean
  readonly cells: readonly BesideStatistics[]
}

/** The data set, and the hourly rollup of the same events. */
export interface ComparedSet extends DataSet {
  readonly rollup: ClickHouseClient
}

/** Every chosen cell of the grid on the largest and the smallest website, in both layouts. */
export async function statisticsBeside(
  set: ComparedSet,
  { wantsEndpoint }: Pick<Flags, 'wantsEndpoint'>,
  progress: (line: string) => void,
): Promise<Statistics> {
  const clock = await processorClock(set.layouts.weir)
  const grid = [
    ...statisticsOf(largest).map((cell) => ({ website: 'largest' as const, cell })),
    ...statisticsOf(smallest).map((cell) => ({ website: 'smallest' as const, cell })),
  ]
  const wanted = grid.filter(({ cell }) => wantsEndpoint(cell.endpoint))
  const cells: BesideStatistics[] = []
  for (const { website, cell } of wanted) {
    progress(`statistics: ${nameOf(cell)} of the ${website} website`)
    cells.push({ website, ...(await besideEachOther(cell, set, clock)) })
  }
  return { isWhole: wanted.length === grid.length, cells }
}

export const nameOf = ({ endpoint, range, filter }: StatisticsCell): string =>
  `${endpoint} over ${range}, filter: ${filter}`

/** The target time of a cell's runs in the naive layout, in milliseconds; their number stays within these bounds. */
const naiveTime = 300
const runs = { fewest: 3, most: 7 }

export async function besideEachOther(
  cell: StatisticsCell,
  set: ComparedSet,
  clock: ProcessorClock,
): Promise<Omit<BesideStatistics, 'website'>> {
  const { endpoint, range, filter } = cell
  const { naiveMilliseconds, scan } = await firstLook(cell, set)
  const counted = Math.min(Math.max(Math.ceil(naiveTime / naiveMilliseconds), runs.fewest), runs.most)
  const costs = { weir: [] as Cost[], naive: [] as Cost[], rollup: [] as Cost[] }
  const hasRollup = cell.statements(0).rollup.length > 0
  for (let round = 1; round <= counted; round++) {
    const turns = [
      async () => costs.weir.push(await costOf(clock, () => weirTime(cell, set.layouts, round))),
      async () => costs.naive.push(await costOf(clock, () => naiveTimeOf(cell, set.layouts, round))),
      async () => {
        if (!hasRollup) return
        costs.rollup.push(await costOf(clock, () => timeOf(cell.statements(round).rollup, set.rollup)))
      },
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  return {
    ...{ endpoint, range, filter, runs: counted, scan },
    cost: {
      ...{ weir: medianCost(costs.weir), naive: medianCost(costs.naive) },
      ...(hasRollup && { rollup: medianCost(costs.rollup) }),
    },
  }
}

/** The rows read, and the time of the naive layout. Throws if the layouts answer differently. */
async function firstLook(cell: StatisticsCell, { layouts, server, rollup: client }: ComparedSet) {
  const known = await knownBy(layouts.weir, cell.websiteId, cell.statements(0).weir)
  const { weir, naive, rollup } = cell.statements(0, known)
  const read = { weir: [] as Asked[], naive: [] as Asked[] }
  for (const one of weir) read.weir.push(...(await askedBy(layouts.weir, one, afresh)))
  const started = performance.now()
  for (const one of naive) {
    read.naive.push(await ask(layouts.naive, one, { ...afresh, output_format_json_quote_64bit_integers: 0 }))
  }
  const naiveMilliseconds = performance.now() - started
  const exact = await cell.rows(0, (statement) => run(routeTo(server), statement, new AbortController().signal), known)
  const rolledUp: Asked[] = []
  for (const one of rollup)
    rolledUp.push(await ask(client, one, { ...afresh, output_format_json_quote_64bit_integers: 0 }))
  for (const [layout, answers] of Object.entries({
    naive: read.naive,
    ...(rollup.length > 0 && { rollup: rolledUp }),
  })) {
    const difference = differenceOf(
      exact,
      answers.flatMap(({ data }) => data as Row[]),
      cell.estimated,
    )
    if (difference) throw new Error(`${nameOf(cell)} differs in the layout ${layout}: ${difference}`)
  }
  return { naiveMilliseconds, scan: { weir: scanOf(read.weir), naive: scanOf(read.naive) } }
}

type Asked = Awaited<ReturnType<typeof ask>>

/** Runs something, and measures the processor time beside its own account. */
export async function costOf(clock: ProcessorClock, work: () => Promise<Took>): Promise<Cost> {
  let took: Took | undefined
  const processor = await clock.of(async () => {
    took = await work()
  })
  return { ...took!, processor }
}

export const medianCost = (costs: readonly Cost[]): Cost => ({
  ...mediansOf(costs),
  processor: median(costs.map(({ processor }) => processor)),
})

/** The rollup's processor time as a multiple of Weir's; undefined where it has no answer. */
export const multipleOfRollup = ({ cost: { weir, rollup } }: Pick<BesideStatistics, 'cost'>): number | undefined =>
  rollup && rollup.processor / weir.processor

/** The naive layout's cost as a multiple of Weir's. */
export const multipleOf =
  (what: keyof Cost) =>
  ({ cost: { weir, naive } }: Pick<BesideStatistics, 'cost'>): number =>
    naive[what] / weir[what]

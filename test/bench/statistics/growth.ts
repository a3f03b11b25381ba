import { largest } from '../data.ts'
import type { DataSet } from '../datasets.ts'
import { growthIn, type Sizes } from '../growth.ts'
import { weirTime } from '../naive/beside.ts'
import { processorClock } from '../processor.ts'
import { type Cost, costOf, medianCost } from './beside.ts'
import { isOfStatistics, type StatisticsCell, statisticsOf } from './grid.ts'

/** The cost of a statistic over twelve months of the largest website, for both data sets. */
export interface StatisticsGrowthCell extends Pick<StatisticsCell, 'endpoint' | 'filter'> {
  readonly cost: Sizes<Cost>
}

export interface StatisticsGrowth {
  readonly events: Sizes<number>
  readonly runs: number
  readonly cells: readonly StatisticsGrowthCell[]
}

const runs = 5
const warmUps = 1

/** Every chosen statistic over twelve months, in Weir's storage. */
export async function statisticsGrowthOf(
  sets: Sizes<DataSet>,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<StatisticsGrowth> {
  const clock = await processorClock(sets.large.layouts.weir)
  const wanted = statisticsOf(largest).filter(
    (cell) => cell.range === '12 months' && isOfStatistics(cell) && wantsEndpoint(cell.endpoint),
  )
  const cells: StatisticsGrowthCell[] = []
  for (const cell of wanted) {
    const { endpoint, filter } = cell
    progress(`growth of ${endpoint}, filter: ${filter}`)
    const costs: Sizes<Cost[]> = { large: [], tenth: [] }
    for (let round = 0; round < warmUps + runs; round++) {
      for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
        const cost = await costOf(clock, () => weirTime(cell, sets[size].layouts, round))
        if (round >= warmUps) costs[size].push(cost)
      }
    }
    cells.push({ endpoint, filter, cost: { large: medianCost(costs.large), tenth: medianCost(costs.tenth) } })
  }
  return { events: { large: sets.large.filling.events, tenth: sets.tenth.filling.events }, runs, cells }
}

const sizes = ['large', 'tenth'] as const

/** The growth of the processor time. */
export const statisticsGrowthIn = ({ cost }: Pick<StatisticsGrowthCell, 'cost'>): number =>
  growthIn({ large: cost.large.processor, tenth: cost.tenth.processor })

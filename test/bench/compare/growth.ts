import type { DataSet } from '../data-set.ts'
import { type Cost, clockOf, medianCost } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { weirCost } from './beside.ts'
import { type Cell, cellsOf, ranges } from './cells.ts'
import { questionOf } from './print.ts'

/** One value for each of the two data sets. */
type Sizes<Value> = Readonly<Record<'large' | 'tenth', Value>>

interface Grown extends Pick<Cell, 'endpoint' | 'variant' | 'filter'> {
  readonly cost: Sizes<Cost>
}

const [runs, warmUps] = [7, 1]
const sizes = ['large', 'tenth'] as const

/** Lists and statistics over twelve months of the largest website in Weir's storage, with a tenth of the events. */
export async function growth(
  sets: Sizes<DataSet>,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<Section> {
  const clock = await clockOf(sets.large.layouts.weir)
  const wanted = [...cellsOf('lists', sets.large.ids), ...cellsOf('statistics', sets.large.ids)].filter(
    ({ endpoint, website, range }) =>
      website === 'largest' && range === ranges.at(-1)!.range && wantsEndpoint(endpoint),
  )
  const grown: Grown[] = []
  for (const cell of wanted) {
    const { endpoint, variant, filter } = cell
    progress(`growth of ${endpoint} ${variant}, filter: ${filter}`)
    const costs: Sizes<Cost[]> = { large: [], tenth: [] }
    for (let round = 0; round < warmUps + runs; round++) {
      for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
        const cost = await weirCost(cell, sets[size], clock, round)
        if (round >= warmUps) costs[size].push(cost)
      }
    }
    grown.push({ endpoint, variant, filter, cost: { large: medianCost(costs.large), tenth: medianCost(costs.tenth) } })
  }
  const { large, tenth } = sets
  return {
    heading: `Growth from ${whole(tenth.stored.events)} to ${whole(large.stored.events)} events`,
    how: `Twelve months of the largest website in Weir, medians of ${runs} runs in turn.`,
    page: [table(columns, grown)],
    ...{ more: [], found: grown },
  }
}

const columns: Column<Grown>[] = [
  { heading: 'question', isText: true, write: questionOf },
  { heading: 'filter', isText: true, write: ({ filter }) => filter },
  { heading: 'processor ms, tenth', write: ({ cost }) => fixed(cost.tenth.processor) },
  { heading: 'processor ms', write: ({ cost }) => fixed(cost.large.processor) },
  { heading: 'growth', write: ({ cost }) => fixed(cost.large.processor / cost.tenth.processor, 2) },
]

import { eventIdsOf, largest, to } from './data.ts'
import type { DataSet } from './datasets.ts'
import { median } from './measure.ts'
import { naiveTimeOf, type Took, weirTime } from './naive/beside.ts'
import { type GridCell, gridOf } from './naive/grid.ts'
import type { Beside } from './naive/layout.ts'
import { processorTime } from './processes.ts'

/** One value for each data set. */
export type Sizes<Value> = Readonly<Record<'large' | 'tenth', Value>>

/** The cost of an endpoint over twelve months of the largest website, for both data sets; times in milliseconds. */
export interface GrowthCell {
  readonly endpoint: string
  readonly isFiltered: boolean
  readonly milliseconds: Beside<Sizes<number>>
  /** The mean processor time of Weir's statements; undefined if it cannot be read. */
  readonly processor: Sizes<number> | undefined
}

export interface Growth {
  readonly events: Sizes<number>
  readonly runs: Beside<number>
  readonly cells: readonly GrowthCell[]
}

/** Large differences need few runs. Many runs are needed to distinguish a growth of 2 from one of 2.2. */
const runs = { weir: 21, naive: 3 }
const warmUps = 1

/** The number of ids that look-ups rotate through. */
const lookups = 100

/**
 * Every chosen endpoint over twelve months: first pages, with and without a filter. `engine` is ClickHouse's process
 * id.
 */
export async function growthOf(
  sets: Sizes<DataSet>,
  engine: number | undefined,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<Growth> {
  const grids = { large: await cellsOf(sets.large), tenth: await cellsOf(sets.tenth) }
  const cells: GrowthCell[] = []
  for (const [index, large] of grids.large.entries()) {
    if (!wantsEndpoint(large.endpoint)) continue
    progress(`growth of ${large.endpoint}, ${large.isFiltered ? 'filtered' : 'unfiltered'}`)
    cells.push(await grownBetween({ large, tenth: grids.tenth[index]! }, sets, engine))
  }
  return { events: { large: sets.large.filling.events, tenth: sets.tenth.filling.events }, runs, cells }
}

const cellsOf = async ({ layouts }: DataSet): Promise<GridCell[]> =>
  gridOf(largest, to, await eventIdsOf(layouts, largest, lookups)).filter(
    ({ range, page }) => (range === '12 months' || range === 'any') && page !== 500,
  )

async function grownBetween(
  cells: Sizes<GridCell>,
  sets: Sizes<DataSet>,
  engine: number | undefined,
): Promise<GrowthCell> {
  const weir = await inTurn(runs.weir, (size, round) => weirTime(cells[size], sets[size].layouts, round), engine)
  const naive = await inTurn(runs.naive, (size, round) => naiveTimeOf(cells[size], sets[size].layouts, round))
  const { endpoint, isFiltered } = cells.large
  return {
    endpoint,
    isFiltered,
    milliseconds: { weir: weir.milliseconds, naive: naive.milliseconds },
    processor: weir.processor,
  }
}

interface Taken {
  readonly milliseconds: Sizes<number>
  readonly processor: Sizes<number> | undefined
}

/** Measures both sizes in every round, with the order reversed each round. */
async function inTurn(
  runs: number,
  timeOf: (size: keyof Sizes<unknown>, round: number) => Promise<Took>,
  engine?: number,
): Promise<Taken> {
  const times: Sizes<number[]> = { large: [], tenth: [] }
  const worked = { large: 0, tenth: 0 }
  const sizes = ['large', 'tenth'] as const
  for (let round = 0; round < warmUps + runs; round++) {
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
      const before = workOf(engine)
      const { milliseconds } = await timeOf(size, round)
      if (round < warmUps) continue
      worked[size] += workOf(engine) - before
      times[size].push(milliseconds)
    }
  }
  return {
    milliseconds: { large: median(times.large), tenth: median(times.tenth) },
    processor: Number.isNaN(worked.large) ? undefined : { large: worked.large / runs, tenth: worked.tenth / runs },
  }
}

/** The processor time of the engine, in milliseconds; NaN if it cannot be read. */
const workOf = (engine: number | undefined): number =>
  (engine === undefined ? undefined : processorTime(engine)) ?? Number.NaN

export const growthIn = ({ large, tenth }: Sizes<number>): number => large / tenth

import { largest, sessionIdsOf, to, websiteRows } from '../data.ts'
import type { DataSet } from '../datasets.ts'
import type { Flags } from '../flags.ts'
import { weirTime } from '../naive/beside.ts'
import { processorClock } from '../processor.ts'
import { type BesideStatistics, besideEachOther, costOf, medianCost, nameOf } from '../statistics/beside.ts'
import { comparedCells, type Group, type ReadOnce, readingOf, readOnceNames } from './grid.ts'

/** A report compared with reading its columns once, over twelve months: processor time in milliseconds. */
interface Reading extends Pick<BesideStatistics, 'filter'> {
  readonly endpoint: ReadOnce
  readonly processor: number
  readonly reading: number
}

export interface Compared {
  readonly group: Group
  /** Whether all cells were measured. */
  readonly isWhole: boolean
  readonly cells: readonly BesideStatistics[]
  readonly readings: readonly Reading[]
  /** The events of the website. */
  readonly websiteRows: number
}

/** The number of sessions that look-ups rotate through. */
const lookups = 20

const readings = 5

/** Every chosen cell of the group on the largest website, in both layouts. */
export async function comparedBeside(
  group: Group,
  set: DataSet,
  { wantsEndpoint }: Pick<Flags, 'wantsEndpoint'>,
  progress: (line: string) => void,
): Promise<Compared> {
  const clock = await processorClock(set.layouts.weir)
  const grid = comparedCells(group, largest, to, await sessionIdsOf(set.layouts, largest, lookups))
  const wanted = grid.filter(({ endpoint }) => wantsEndpoint(endpoint))
  const cells: BesideStatistics[] = []
  for (const cell of wanted) {
    progress(`${group}: ${nameOf(cell)}`)
    cells.push({ website: 'largest', ...(await besideEachOther(cell, set, clock)) })
  }
  const onceRead: Reading[] = []
  for (const name of readOnceNames) {
    const ofName = cells.filter(({ endpoint, range }) => endpoint === name && range === '12 months')
    if (ofName.length === 0) continue
    const reading = await medianReading(name)
    for (const { filter, cost } of ofName) {
      onceRead.push({ endpoint: name, filter, processor: cost.weir.processor, reading })
    }
  }
  const isWhole = wanted.length === grid.length
  return { group, isWhole, cells, readings: onceRead, websiteRows: await websiteRows(set.layouts, largest) }

  async function medianReading(name: ReadOnce): Promise<number> {
    const costs = []
    for (let round = 0; round <= readings; round++) {
      const cost = await costOf(clock, () => weirTime(readingOf(name, largest, to), set.layouts, round))
      if (round > 0) costs.push(cost)
    }
    return medianCost(costs).processor
  }
}

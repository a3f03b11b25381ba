import { codeOf } from '../../../src/clickhouse/failures.ts'
import { settingsFor } from '../../../src/clickhouse/query.ts'
import { largest, sessionIdsOf, to, websiteRows } from '../data.ts'
import type { Flags } from '../flags.ts'
import { askedBy, plannedBy, weirTime } from '../naive/beside.ts'
import { processorClock } from '../processor.ts'
import {
  type BesideStatistics,
  besideEachOther,
  type ComparedSet,
  costOf,
  medianCost,
  nameOf,
} from '../statistics/beside.ts'
import type { StatisticsCell } from '../statistics/grid.ts'
import { comparedCells, type Group, type ReadOnce, readingOf, readOnceNames } from './grid.ts'

/** A report compared with reading its columns once, over twelve months: processor time in milliseconds. */
interface Reading extends Pick<BesideStatistics, 'filter'> {
  readonly endpoint: ReadOnce
  readonly processor: number
  readonly reading: number
}

/** The memory that a report over twelve months needs in ClickHouse: the least limit that it does not pass, in MiB. */
interface Memory extends Pick<BesideStatistics, 'endpoint' | 'filter'> {
  readonly mebibytes: number
}

export interface Compared {
  readonly group: Group
  /** Whether all cells were measured. */
  readonly isWhole: boolean
  readonly cells: readonly BesideStatistics[]
  readonly readings: readonly Reading[]
  readonly memories: readonly Memory[]
  /** The events of the website. */
  readonly websiteRows: number
}

/** The number of sessions that look-ups rotate through. */
const lookups = 20

const readings = 5

/** In MiB. */
const memoryLimits = [64, 128, 256, 512, 1024, 2048, 4096]

/** ClickHouse's code of the error. */
const pastMemory = '241'

/** Every chosen cell of the group on the largest website, in both layouts. */
export async function comparedBeside(
  group: Group,
  set: ComparedSet,
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
  const memories: Memory[] = []
  for (const { websiteId, endpoint, range, filter, statements } of wanted) {
    if (range !== '12 months') continue
    const plan = await plannedBy(set.layouts.weir, websiteId, (known) => statements(0, known).weir)
    memories.push({ endpoint, filter, mebibytes: await leastMemory(plan) })
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
  return { group, isWhole, cells, readings: onceRead, memories, websiteRows: await websiteRows(set.layouts, largest) }

  async function leastMemory(plan: ReturnType<StatisticsCell['statements']>['weir']): Promise<number> {
    for (const mebibytes of memoryLimits) {
      const settings = settingsFor({ timeout: 600, mostMemory: mebibytes * 2 ** 20 })
      try {
        for (const one of plan) await askedBy(set.layouts.weir, one, settings)
        return mebibytes
      } catch (error) {
        if (codeOf(error) !== pastMemory) throw error
      }
    }
    return Number.POSITIVE_INFINITY
  }

  async function medianReading(name: ReadOnce): Promise<number> {
    const costs = []
    for (let round = 0; round <= readings; round++) {
      const cost = await costOf(clock, () => weirTime(readingOf(name, largest, to), set.layouts, round))
      if (round > 0) costs.push(cost)
    }
    return medianCost(costs).processor
  }
}

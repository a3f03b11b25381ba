import { run } from '../../../src/clickhouse/run.ts'
import { routeTo } from '../../support/route.ts'
import type { DataSet } from '../data-set.ts'
import type { Beside } from '../layout.ts'
import {
  type Asked,
  afresh,
  ask,
  askedBy,
  type Clock,
  type Cost,
  clockOf,
  knownBy,
  medianCost,
  plannedBy,
  type Scan,
  scanOf,
  together,
} from '../measure.ts'
import type { Section } from '../print.ts'
import { type Cell, cellsOf, type Group, type Measured } from './cells.ts'
import { besideSection, questionOf } from './print.ts'
import { differenceOf, type Row } from './same.ts'

/** Runs every chosen cell of the group, in both layouts. */
export async function beside(
  group: Group,
  set: DataSet,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<Section> {
  const clock = await clockOf(set.layouts.weir)
  const cells: Measured[] = []
  for (const cell of cellsOf(group, set.ids)) {
    if (!wantsEndpoint(cell.endpoint)) continue
    progress(`${group}: ${nameOf(cell)}`)
    cells.push(await besideEachOther(cell, set, clock))
  }
  return besideSection(group, cells)
}

const nameOf = (cell: Cell): string =>
  `${questionOf(cell)} over ${cell.range} of the ${cell.website} website, filter: ${cell.filter}`

/** The total time to aim for with a cell's naive runs, in milliseconds, and the bounds for their number. */
const naiveTime = 300
const [fewest, most] = [3, 7]

async function besideEachOther(cell: Cell, set: DataSet, clock: Clock): Promise<Measured> {
  const { endpoint, variant, filter, range, website } = cell
  const { took, scan } = await firstLook(cell, set)
  const runs = Math.min(Math.max(Math.ceil(naiveTime / took), fewest), most)
  const costs = { weir: [] as Cost[], naive: [] as Cost[] }
  for (let round = 1; round <= runs; round++) {
    const turns = [
      async () => costs.weir.push(await weirCost(cell, set, clock, round)),
      async () => costs.naive.push(await clock.costOf(() => naiveAnswers(cell, set, round))),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const cost = { weir: medianCost(costs.weir), naive: medianCost(costs.naive) }
  return { endpoint, variant, filter, range, website, runs, cost, scan }
}

/** The cost of Weir's answer, with its look-ups about the website already cached. */
export async function weirCost(cell: Cell, { layouts }: DataSet, clock: Clock, round: number): Promise<Cost> {
  const plan = await plannedBy(layouts.weir, cell.websiteId, (known) => cell.weir(round, known))
  return clock.costOf(() => together(layouts.weir, plan))
}

async function naiveAnswers({ naive }: Cell, { layouts }: DataSet, round: number): Promise<Asked[]> {
  const settings = round === 0 ? { ...afresh, output_format_json_quote_64bit_integers: 0 as const } : {}
  const answers: Asked[] = []
  for (const one of naive(round)) answers.push(await ask(layouts.naive, one, settings))
  return answers
}

/** Counts the rows read and times the naive layout. Throws if the layouts answer differently. */
async function firstLook(cell: Cell, set: DataSet): Promise<{ took: number; scan: Beside<Scan> }> {
  const { weir: client } = set.layouts
  const known = await knownBy(client, cell.websiteId, cell.weir(0))
  const weir: Asked[] = []
  for (const one of cell.weir(0, known)) weir.push(...(await askedBy(client, one, afresh)))
  const started = performance.now()
  const naive = await naiveAnswers(cell, set, 0)
  const took = performance.now() - started
  const exact = await cell.rows((one) => run(routeTo(set.server), one, new AbortController().signal), known)
  const others = naive.flatMap(({ data }) => data as Row[])
  const difference = differenceOf(exact, others, cell.estimated)
  if (difference) throw new Error(`${nameOf(cell)} differs between the layouts: ${difference}`)
  return { took, scan: { weir: scanOf(weir), naive: scanOf(naive) } }
}

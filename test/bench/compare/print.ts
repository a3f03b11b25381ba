import { bytes, type Column, fixed, type Section, table, whole } from '../print.ts'
import { type Group, type Measured, type Size, sealed } from './cells.ts'
import type { Filter } from './question.ts'

/** The ratio of the naive layout's processor time to Weir's. */
const ratio = ({ cost: { weir, naive } }: Measured): number => naive.processor / weir.processor

export const besideSection = (group: Group, cells: readonly Measured[]): Section => ({
  heading: `${group[0]!.toUpperCase()}${group.slice(1)}`,
  how:
    "ClickHouse's processor time in milliseconds, medians of 3 to 7 runs, each over another range. A ratio is the " +
    "naive layout's time, divided by Weir's; means are geometric.",
  page: [table(meanColumns, meansOf(cells)), ...(group === 'statistics' ? [questionTable(cells)] : [])],
  more: [table(columns, cells)],
  found: cells,
})

interface Mean {
  readonly website: Size
  readonly what: string
  readonly cells: readonly Measured[]
}

function meansOf(cells: readonly Measured[]): readonly Mean[] {
  const found = [...new Set(cells.map(({ range }) => range))].filter((range) => range !== 'any')
  return (['largest', 'smallest'] as const).flatMap((website) => {
    const own = cells.filter((cell) => cell.website === website)
    const ofRange = found.map((what) => ({ website, what, cells: own.filter(({ range }) => range === what) }))
    return [...ofRange, { website, what: 'all', cells: own }].filter((mean) => mean.cells.length > 0)
  })
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

const meanColumns: Column<Mean>[] = [
  { heading: 'website', isText: true, write: ({ website }) => website },
  { heading: 'range', isText: true, write: ({ what }) => what },
  { heading: 'mean ratio', write: ({ cells }) => fixed(geometricMean(cells.map(ratio)), 2) },
  { heading: 'lowest', write: ({ cells }) => fixed(Math.min(...cells.map(ratio)), 2) },
]

/** The question that a cell measures. */
export const questionOf = ({ endpoint, variant }: Pick<Measured, 'endpoint' | 'variant'>): string =>
  [endpoint, variant].join(' ').trim()

/** Each question over 12 months of the largest website: naive, Weir up to now, and Weir over sealed days. */
function questionTable(cells: readonly Measured[]): string {
  const year = cells.filter(({ website, range }) => website === 'largest' && range.startsWith('12 months'))
  const write =
    (filter: Filter) =>
    (name: string): string => {
      const of = year.filter((cell) => questionOf(cell) === name && cell.filter === filter)
      const upToNow = of.find(({ range }) => range !== sealed.range)
      if (!upToNow) return ''
      const overSealed = of.find(({ range }) => range === sealed.range)?.cost.weir.processor
      const costs = [upToNow.cost.naive.processor, upToNow.cost.weir.processor]
      return [...costs.map(whole), overSealed === undefined ? '–' : whole(overSealed)].join('/')
    }
  return table(
    [
      { heading: 'question', isText: true, write: (name: string) => `\`${name}\`` },
      { heading: 'no filter', write: write('none') },
      { heading: 'client', write: write('client') },
      { heading: 'path', write: write('path') },
    ],
    [...new Set(year.map(questionOf))],
  )
}

const columns: Column<Measured>[] = [
  { heading: 'question', isText: true, write: questionOf },
  { heading: 'website', isText: true, write: ({ website }) => website },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'filter', isText: true, write: ({ filter }) => filter },
  { heading: 'naive ms', write: ({ cost }) => fixed(cost.naive.processor) },
  { heading: 'Weir ms', write: ({ cost }) => fixed(cost.weir.processor) },
  { heading: 'ratio', write: (cell) => fixed(ratio(cell), 2) },
  { heading: 'naive until answered', write: ({ cost }) => fixed(cost.naive.milliseconds) },
  { heading: 'Weir until answered', write: ({ cost }) => fixed(cost.weir.milliseconds) },
  { heading: 'naive rows', write: ({ scan }) => whole(scan.naive.rows) },
  { heading: 'Weir rows', write: ({ scan }) => whole(scan.weir.rows) },
  { heading: 'naive bytes', write: ({ scan }) => bytes(scan.naive.bytes) },
  { heading: 'Weir bytes', write: ({ scan }) => bytes(scan.weir.bytes) },
]

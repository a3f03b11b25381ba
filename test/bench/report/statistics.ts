import type { Compared } from '../reports/beside.ts'
import { type BesideStatistics, multipleOf, multipleOfRollup, type Statistics } from '../statistics/beside.ts'
import { isOfStatistics } from '../statistics/grid.ts'
import { type StatisticsGrowth, type StatisticsGrowthCell, statisticsGrowthIn } from '../statistics/growth.ts'
import { bytes, type Column, fixed, table, whole } from '../table.ts'
import { leastOfCompared, leastOfStatistics, statisticsGrowthAllowed } from '../targets.ts'
import { meanLines } from './layouts.ts'

const ratio = multipleOf('processor')

const ofRollup = (cell: BesideStatistics): string => {
  const multiple = multipleOfRollup(cell)
  return multiple === undefined ? '' : fixed(multiple, 2)
}

/** The means beside the rollup, of the cells that it answers. */
function rollupLines(cells: readonly BesideStatistics[]): string[] {
  const answered = cells.filter(({ cost }) => cost.rollup)
  return answered.length === 0 ? [] : [meanLines(answered, { '': (cell) => multipleOfRollup(cell)! }, 'rollup')]
}

/** The cost of each cell; `other` is the heading of the column that distinguishes cells of one report. */
const besideColumns = (other: string, least: (cell: BesideStatistics) => number): Column<BesideStatistics>[] => [
  { heading: 'report', isText: true, write: ({ endpoint }) => endpoint },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: other, isText: true, write: ({ filter }) => filter },
  { heading: 'naive processor ms', write: ({ cost }) => fixed(cost.naive.processor) },
  { heading: 'Weir processor ms', write: ({ cost }) => fixed(cost.weir.processor) },
  {
    heading: 'ratio',
    write: (cell) => `${fixed(ratio(cell), 2)}${ratio(cell) < least(cell) ? ' !' : ''}`,
  },
  { heading: 'rollup processor ms', write: ({ cost }) => (cost.rollup ? fixed(cost.rollup.processor) : '') },
  { heading: 'ratio', write: (cell) => ofRollup(cell) },
  { heading: 'naive elapsed', write: ({ cost }) => fixed(cost.naive.inClickHouse) },
  { heading: 'Weir elapsed', write: ({ cost }) => fixed(cost.weir.inClickHouse) },
  { heading: 'naive HTTP', write: ({ cost }) => fixed(cost.naive.milliseconds) },
  { heading: 'Weir HTTP', write: ({ cost }) => fixed(cost.weir.milliseconds) },
  { heading: 'naive rows', write: ({ scan }) => whole(scan.naive.rows) },
  { heading: 'Weir rows', write: ({ scan }) => whole(scan.weir.rows) },
  { heading: 'naive bytes', write: ({ scan }) => bytes(scan.naive.bytes) },
  { heading: 'Weir bytes', write: ({ scan }) => bytes(scan.weir.bytes) },
]

/** Compares the statistics of the two layouts; ratios are the naive layout's value divided by Weir's. */
export function statisticsLines({ cells }: Statistics): string {
  const columns = besideColumns('filter', leastOfStatistics)
  const of = (website: BesideStatistics['website']) => cells.filter((cell) => cell.website === website)
  const counted = cells.filter(isOfStatistics)
  return [
    '### Statistics beside the naive layout',
    "By ClickHouse's processor time; elapsed is ClickHouse's own account, HTTP what a client sees. All are medians, in " +
      'milliseconds. The means are without events/stats.',
    ...(counted.length === 0
      ? []
      : [
          meanLines(counted, {
            '': ratio,
            ', elapsed': multipleOf('inClickHouse'),
            ', HTTP': multipleOf('milliseconds'),
          }),
        ]),
    ...rollupLines(cells),
    'The largest website:',
    table(columns, of('largest')),
    'The smallest website:',
    table(columns, of('smallest')),
  ].join('\n\n')
}

/** Compares further endpoints of the largest website. */
export const comparedLines = (heading: string, { group, cells, readings, memories }: Compared): string =>
  [
    `### ${heading} beside the naive layout`,
    "The largest website, by ClickHouse's processor time; medians, in milliseconds.",
    table(
      besideColumns('what', () => leastOfCompared[group].cell),
      cells,
    ),
    ...rollupLines(cells),
    `Memory that suffices in ClickHouse over 12 months, in MiB: ${memories
      .map(({ endpoint, filter, mebibytes }) => `${endpoint}${filter && ` (${filter})`} ${mebibytes}`)
      .join(', ')}.`,
    ...readings.map(
      ({ endpoint, filter, processor, reading }) =>
        `${endpoint} (${filter}) over 12 months: ${fixed(processor)} ms. Reading its columns once: ${fixed(reading)} ms.`,
    ),
  ].join('\n\n')

const grown = (cell: StatisticsGrowthCell): string =>
  `${fixed(statisticsGrowthIn(cell), 2)}${statisticsGrowthIn(cell) > statisticsGrowthAllowed(cell) ? ' !' : ''}`

/** The growth of the statistics with the number of events. */
export function statisticsGrowthLines({ events, runs, cells }: StatisticsGrowth): string {
  const columns: Column<StatisticsGrowthCell>[] = [
    { heading: 'report', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'filter', isText: true, write: ({ filter }) => filter },
    { heading: 'processor ms, tenth', write: ({ cost }) => fixed(cost.tenth.processor) },
    { heading: 'processor ms', write: ({ cost }) => fixed(cost.large.processor) },
    { heading: 'growth', write: (cell) => grown(cell) },
    { heading: 'at most', write: (cell) => String(statisticsGrowthAllowed(cell)) },
    { heading: 'elapsed, tenth', write: ({ cost }) => fixed(cost.tenth.inClickHouse) },
    { heading: 'elapsed', write: ({ cost }) => fixed(cost.large.inClickHouse) },
    { heading: 'HTTP, tenth', write: ({ cost }) => fixed(cost.tenth.milliseconds) },
    { heading: 'HTTP', write: ({ cost }) => fixed(cost.large.milliseconds) },
  ]
  return [
    `### Growth of statistics from ${whole(events.tenth)} to ${whole(events.large)} events`,
    `Twelve months of the largest website in Weir; medians of ${runs} interleaved runs.`,
    table(columns, cells),
  ].join('\n\n')
}

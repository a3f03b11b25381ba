import type { TableSize } from '../data.ts'
import { type Growth, type GrowthCell, growthIn } from '../growth.ts'
import { type BesideCell, type BesideNaive, geometricMean, ownRatioOf, ratioOf, type Took } from '../naive/beside.ts'
import { bytes, type Column, fixed, table, whole } from '../table.ts'
import type { TableCost } from '../tables.ts'
import { bytesOf, growthAllowed, insertRate, leastRatio, storageShare } from '../targets.ts'
import type { Findings } from './index.ts'

interface LayoutTable extends TableSize {
  readonly layout: string
}

/** The disk space of both layouts, and how fast they were filled. */
export function storageLines(found: Pick<Findings, 'filling' | 'tables'>): string {
  const { tables, filling } = found
  const columns: Column<LayoutTable>[] = [
    { heading: 'layout', isText: true, write: (row) => row.layout },
    { heading: 'table', isText: true, write: (row) => row.table },
    { heading: 'rows', write: (row) => whole(row.rows) },
    { heading: 'parts', write: (row) => whole(row.parts) },
    { heading: 'size', write: (row) => bytes(row.bytes) },
    { heading: 'bytes/row', write: (row) => fixed(row.bytes / row.rows) },
    { heading: 'packed to', write: (row) => `${fixed((100 * row.bytes) / row.uncompressedBytes, 0)} %` },
  ]
  const rows = [
    ...tables.weir.map((one) => ({ ...one, layout: 'Weir' })),
    ...tables.naive.map((one) => ({ ...one, layout: 'naive' })),
  ]
  return ['### Storage and inserts', table(columns, rows), `${sizeLine(found)} ${insertLine(filling, found)}`].join(
    '\n\n',
  )
}

function sizeLine({ tables, filling: { events } }: Pick<Findings, 'filling' | 'tables'>): string {
  const weir = `Weir ${bytes(bytesOf(tables.weir))} (${fixed(bytesOf(tables.weir) / events)} bytes an event)`
  if (tables.naive.length === 0) return `${weir}.`
  return `${weir}, naive ${bytes(bytesOf(tables.naive))}: ${fixed(storageShare({ tables }), 2)} times as much.`
}

function insertLine({ events, seconds }: Findings['filling'], found: Pick<Findings, 'filling'>): string {
  if (!seconds) return 'The two were not filled in one run.'
  return (
    `Filled in turn at ${whole(events / seconds.weir)} events a second, the naive layout at ` +
    `${whole(events / seconds.naive)}: ${fixed(insertRate(found)!, 2)} times the rate.`
  )
}

/** What each table costs per event. */
export function costLines(costs: readonly TableCost[]): string {
  const columns: Column<TableCost>[] = [
    { heading: 'table', isText: true, write: (row) => row.table },
    { heading: 'rows per event', write: (row) => fixed(row.rows, 3) },
    { heading: 'bytes per event', write: (row) => fixed(row.bytes) },
    { heading: 'µs per event', write: (row) => fixed(row.microseconds, 2) },
  ]
  return `### The cost of each table\n\n${table(columns, costs)}`
}

/** Compares the two layouts; ratios are the naive layout's value divided by Weir's. */
export function layoutLines({ cells, least }: BesideNaive): string {
  const columns: Column<BesideCell>[] = [
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'filter', isText: true, write: ({ isFiltered }) => (isFiltered ? 'yes' : 'no') },
    { heading: 'page', write: ({ page }) => (page === undefined ? '' : String(page)) },
    { heading: 'naive ms', write: ({ milliseconds }) => fixed(milliseconds.naive) },
    { heading: 'Weir ms', write: ({ milliseconds }) => fixed(milliseconds.weir) },
    { heading: 'ratio', write: (cell) => `${fixed(ratioOf(cell), 2)}${ratioOf(cell) < leastRatio(cell) ? ' !' : ''}` },
    { heading: 'its own ratio', write: (cell) => fixed(ownRatioOf(cell), 2) },
    { heading: 'naive rows', write: ({ scan }) => whole(scan.naive.rows) },
    { heading: 'Weir rows', write: ({ scan }) => whole(scan.weir.rows) },
    { heading: 'naive bytes', write: ({ scan }) => bytes(scan.naive.bytes) },
    { heading: 'Weir bytes', write: ({ scan }) => bytes(scan.weir.bytes) },
  ]
  const of = (website: BesideCell['website']) => cells.filter((cell) => cell.website === website)
  return [
    '### Beside the naive layout',
    meanLines(cells, { '': ratioOf, ', in ClickHouse': ownRatioOf }),
    leastLine(cells, least),
    'The largest website:',
    table(columns, of('largest')),
    'The smallest website:',
    table(columns, of('smallest')),
  ].join('\n\n')
}

type MeanCell = Pick<BesideCell, 'website' | 'range'>

interface Means<Cell> {
  readonly website: string
  readonly cells: readonly Cell[]
  readonly ratio: (cell: Cell) => number
}

/** Geometric means of ratios, by range; the keys of `ratios` name what is compared. */
export function meanLines<Cell extends MeanCell>(
  cells: readonly Cell[],
  ratios: Readonly<Record<string, (cell: Cell) => number>>,
  layout = 'naive',
): string {
  const ranges = [...new Set(cells.map(({ range }) => range))].filter((range) => range !== 'any')
  const mean = ({ ratio }: Means<Cell>, of: readonly Cell[]) =>
    of.length === 0 ? '' : fixed(geometricMean(of.map(ratio)), 2)
  const columns: Column<Means<Cell>>[] = [
    { heading: `geometric mean of ${layout} / Weir`, isText: true, write: ({ website }) => website },
    { heading: 'all', write: (row) => mean(row, row.cells) },
    ...ranges.map((range) => ({
      heading: range,
      write: (row: Means<Cell>) =>
        mean(
          row,
          row.cells.filter((cell) => cell.range === range),
        ),
    })),
    {
      heading: 'lowest cell',
      write: (row) => (row.cells.length === 0 ? '' : fixed(Math.min(...row.cells.map(row.ratio)), 2)),
    },
  ]
  const rows = ([what, ratio]: readonly [string, Means<Cell>['ratio']]): Means<Cell>[] => [
    { website: `both websites${what}`, cells, ratio },
    ...(['largest', 'smallest'] as const).map((website) => ({
      website: `the ${website}${what}`,
      cells: cells.filter((cell) => cell.website === website),
      ratio,
    })),
  ]
  return table(columns, Object.entries(ratios).flatMap(rows))
}

/** The best possible mean: if each statement took only as long as the cheapest one that reads events. */
function leastLine(cells: readonly BesideCell[], { milliseconds, inClickHouse }: Took): string {
  const mean = (naive: (cell: BesideCell) => number, least: number) =>
    fixed(geometricMean(cells.map((cell) => naive(cell) / least)), 2)
  return (
    `Counting the events of the smallest website's day takes ${fixed(milliseconds)} ms, ${fixed(inClickHouse)} of them in ClickHouse. ` +
    `Were every answer of Weir as cheap, the geometric mean over the grid would be ${mean((cell) => cell.milliseconds.naive, milliseconds)}, ` +
    `in ClickHouse ${mean((cell) => cell.inClickHouse.naive, inClickHouse)}.`
  )
}

/** The growth of costs with the number of events. */
export function growthLines({ events, runs, cells }: Growth): string {
  const columns: Column<GrowthCell>[] = [
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'filter', isText: true, write: ({ isFiltered }) => (isFiltered ? 'yes' : 'no') },
    { heading: 'naive ms, tenth', write: ({ milliseconds }) => fixed(milliseconds.naive.tenth) },
    { heading: 'naive ms', write: ({ milliseconds }) => fixed(milliseconds.naive.large) },
    { heading: 'growth', write: ({ milliseconds }) => fixed(growthIn(milliseconds.naive), 2) },
    { heading: 'Weir ms, tenth', write: ({ milliseconds }) => fixed(milliseconds.weir.tenth) },
    { heading: 'Weir ms', write: ({ milliseconds }) => fixed(milliseconds.weir.large) },
    { heading: 'growth', write: ({ milliseconds }) => fixed(growthIn(milliseconds.weir), 2) },
    { heading: 'at most', write: (cell) => growthAllowed(cell)?.toString() ?? '' },
    { heading: 'Weir processor ms, tenth', write: ({ processor }) => (processor ? fixed(processor.tenth) : '') },
    { heading: 'Weir processor ms', write: ({ processor }) => (processor ? fixed(processor.large) : '') },
    { heading: 'growth', write: ({ processor }) => (processor ? fixed(growthIn(processor), 2) : '') },
  ]
  return [
    `### Growth from ${whole(events.tenth)} to ${whole(events.large)} events`,
    `Twelve months of the largest website, first pages; medians of ${runs.weir} interleaved runs, of ${runs.naive} in the naive layout.`,
    table(columns, cells),
  ].join('\n\n')
}

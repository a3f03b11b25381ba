import type { AccessCost, AccessFindings, ColdCost } from './access.ts'
import type { Filling, TableSize } from './data.ts'
import type { Machine } from './machine.ts'
import type { Cell, Scan } from './measure.ts'
import type { Memory } from './memory.ts'
import { type BesideCell, geometricMean, ratioOf } from './naive/beside.ts'
import { bytes, type Column, fixed, table, whole } from './table.ts'
import { isCheapCheck, isQuick, isShortCheck, share, type Target } from './targets.ts'

/** Everything that a run found. */
export interface Findings {
  readonly machine: Machine
  readonly filling: Filling
  readonly tables: readonly TableSize[]
  readonly websiteRows: number
  readonly runs: number
  readonly cells: readonly Cell[]
  readonly lookups: number
  /** The costliest of the look-ups by id. */
  readonly lookup: Scan
  readonly access: AccessFindings | undefined
  readonly naive:
    | { readonly runs: number; readonly cells: readonly BesideCell[]; readonly tables: readonly TableSize[] }
    | undefined
  readonly memory: Memory | undefined
  readonly targets: readonly Target[]
}

/** The findings as text to read. */
export const report = (found: Findings): string =>
  [
    machineLines(found.machine),
    storageLines(found),
    `Endpoints, on a website of ${whole(found.websiteRows)} events (medians of ${found.runs} interleaved runs)\n${table(cellColumns(found.websiteRows), found.cells)}`,
    `The costliest of ${found.lookups} look-ups of event-data/:eventId read ${whole(found.lookup.rows)} rows, ${bytes(found.lookup.bytes)}.`,
    naiveLines(found),
    accessLines(found.access),
    memoryLines(found.memory),
    summaryLines(found.targets),
  ].join('\n\n')

const machineLines = (machine: Machine): string =>
  `${machine.cores} cores (${machine.processor}), ${machine.memoryGiB} GiB, load ${machine.loadBefore} before the run; ` +
  `ClickHouse ${machine.clickhouse}, workerd ${machine.workerd}, Node ${machine.node}`

function storageLines({ filling: { events, seconds }, tables }: Findings): string {
  const rate =
    seconds === undefined ? '' : `, inserted in ${fixed(seconds.weir)} s: ${whole(events / seconds.weir)} a second`
  const size = sizeOf(tables)
  const columns: Column<TableSize>[] = [
    { heading: 'table', isText: true, write: (row) => row.table },
    { heading: 'rows', write: (row) => whole(row.rows) },
    { heading: 'parts', write: (row) => whole(row.parts) },
    { heading: 'size', write: (row) => bytes(row.bytes) },
    { heading: 'bytes/row', write: (row) => fixed(row.bytes / row.rows) },
    { heading: 'packed to', write: (row) => `${fixed((100 * row.bytes) / row.uncompressedBytes, 0)} %` },
  ]
  return `${whole(events)} events${rate}; stored in ${bytes(size)}, ${fixed(size / events)} bytes an event\n${table(columns, tables)}`
}

const sizeOf = (tables: readonly TableSize[]): number => tables.reduce((sum, one) => sum + one.bytes, 0)

/** The two layouts beside each other; ratios are the naive layout's to Weir's. */
function naiveLines({ naive, filling: { seconds }, tables }: Findings): string {
  if (!naive) return 'The naive layout was not measured.'
  const columns: Column<BesideCell>[] = [
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'filter', isText: true, write: ({ isFiltered }) => (isFiltered ? 'yes' : 'no') },
    { heading: 'page', write: ({ page }) => (page === undefined ? '' : String(page)) },
    { heading: 'naive ms', write: ({ milliseconds }) => fixed(milliseconds.naive) },
    { heading: 'Weir ms', write: ({ milliseconds }) => fixed(milliseconds.weir) },
    { heading: 'ratio', write: (cell) => fixed(ratioOf(cell), 2) },
    { heading: 'naive rows', write: ({ scan }) => whole(scan.naive.rows) },
    { heading: 'Weir rows', write: ({ scan }) => whole(scan.weir.rows) },
    { heading: 'naive bytes', write: ({ scan }) => bytes(scan.naive.bytes) },
    { heading: 'Weir bytes', write: ({ scan }) => bytes(scan.weir.bytes) },
  ]
  const mean = (cells: readonly BesideCell[]) => fixed(geometricMean(cells.map(ratioOf)), 2)
  const year = naive.cells.filter(({ range }) => range === '12 months')
  const rate = seconds ? `; insert rate ${fixed(seconds.naive / seconds.weir, 2)} times the naive one` : ''
  return [
    `Beside the naive layout, on the same website (medians of ${naive.runs} interleaved runs)`,
    table(columns, naive.cells),
    `Geometric mean of the ratios: ${mean(naive.cells)}; over 12 months: ${mean(year)}`,
    `Storage ${fixed(sizeOf(tables) / sizeOf(naive.tables), 2)} times the naive one (${bytes(sizeOf(naive.tables))})${rate}`,
  ].join('\n')
}

const cellColumns = (websiteRows: number): Column<Cell>[] => [
  { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'Worker ms', write: ({ worker }) => fixed(worker) },
  { heading: 'direct ms', write: ({ direct }) => fixed(direct) },
  { heading: 'ratio', write: ({ worker, direct }) => fixed(worker / direct, 2) },
  { heading: 'more ms', write: ({ worker, direct }) => fixed(worker - direct) },
  { heading: 'met', isText: true, write: (cell) => (isQuick(cell) ? 'yes' : 'NO') },
  { heading: 'rows read', write: ({ read }) => whole(read.rows) },
  { heading: 'bytes read', write: ({ read }) => bytes(read.bytes) },
  { heading: '% of rows', write: (cell) => fixed(share(cell, websiteRows), 2) },
  { heading: 'count: rows', write: ({ count }) => (count ? whole(count.rows) : '') },
  { heading: 'bytes', write: ({ count }) => (count ? bytes(count.bytes) : '') },
]

function accessLines(access: AccessFindings | undefined): string {
  if (!access) return 'The access check was not measured.'
  const warm: Column<AccessCost>[] = [
    { heading: 'credential', isText: true, write: ({ credential }) => credential },
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'checked ms', write: ({ checked }) => fixed(checked, 2) },
    { heading: 'unchecked ms', write: ({ unchecked }) => fixed(unchecked, 2) },
    { heading: 'more ms', write: ({ checked, unchecked }) => fixed(checked - unchecked, 2) },
    { heading: 'ratio', write: ({ checked, unchecked }) => fixed(checked / unchecked, 3) },
    { heading: '95 % of it', write: ({ between: [low, high] }) => `${fixed(low, 3)}–${fixed(high, 3)}` },
    { heading: 'met', isText: true, write: (cost) => (isCheapCheck(cost) ? 'yes' : 'NO') },
  ]
  const cold: Column<ColdCost>[] = [
    { heading: 'round trips, cold', isText: true, write: ({ credential }) => credential },
    { heading: 'checked', write: ({ checked }) => whole(checked) },
    { heading: 'unchecked', write: ({ unchecked }) => whole(unchecked) },
    { heading: 'met', isText: true, write: (cost) => (isShortCheck(cost) ? 'yes' : 'NO') },
  ]
  return `The access check, warm (medians of ${whole(access.pairs)} interleaved pairs), and cold\n${table(warm, access.warm)}\n\n${table(cold, access.cold)}`
}

function memoryLines(memory: Memory | undefined): string {
  if (!memory) return 'The memory of the Worker was not measured.'
  const { requests, seconds, looks, growth, isFlat } = memory
  const shown = [looks[0]!, looks[Math.floor(looks.length / 2)]!, looks.at(-1)!]
  const columns: Column<'heap' | 'resident'>[] = [
    { heading: 'MiB', isText: true, write: (kind) => (kind === 'heap' ? 'heap that is in use' : 'process of workerd') },
    ...['first', 'middle', 'last'].map((heading, index) => ({
      heading,
      write: (kind: 'heap' | 'resident') => fixed(shown[index]![kind]),
    })),
    { heading: 'last quarter / second', write: (kind) => fixed(growth[kind], 2) },
  ]
  const flat = isFlat ? 'flat' : 'NOT flat'
  return `Memory of the Worker over ${whole(requests)} requests (${whole(requests / seconds)} a second), garbage collected before each look: ${flat}\n${table(columns, ['heap', 'resident'])}`
}

function summaryLines(targets: readonly Target[]): string {
  const missed = targets.filter(({ isMet }) => !isMet)
  const met = `${targets.length - missed.length} of ${targets.length} targets met`
  return [met, ...missed.map(({ what }) => `  missed: ${what}`)].join('\n')
}

import type { AccessCost, ColdCost } from './access.ts'
import type { ConcurrentCell } from './concurrent.ts'
import type { ReportCost } from './each-report.ts'
import type { Exported } from './export.ts'
import { type GrowthCell, growthIn } from './growth.ts'
import type { HitCost } from './hits.ts'
import type { Cell } from './measure.ts'
import { overview } from './mixed.ts'
import { type BesideCell, geometricMean, ratioOf } from './naive/beside.ts'
import { openingsRatio } from './openings.ts'
import type { RegionsFindings } from './regions.ts'
import type { Findings } from './report/index.ts'
import type { Compared } from './reports/beside.ts'
import type { SoakFindings } from './soak.ts'
import { type BesideStatistics, multipleOf, multipleOfRollup } from './statistics/beside.ts'
import { isOfStatistics, sealed } from './statistics/grid.ts'
import { type StatisticsGrowthCell, statisticsGrowthIn } from './statistics/growth.ts'
import { fixed, whole } from './table.ts'

/** A target, and whether it was reached. */
export interface Target {
  readonly what: string
  readonly wanted: string
  readonly found: string
  readonly isMet: boolean
  /** The condition that this run lacks to judge the target; undefined if it can judge it. */
  readonly needs: string | undefined
}

/** The number of events for which the storage targets hold. */
const fullSize = 20_000_000

/** The number of rows for which the export targets hold. */
const fullExport = 5_000_000

/** The Worker's limit: so many times the direct call, or so many milliseconds more, whichever is larger. */
const mostRatio = 1.3
const mostMore = 3

/**
 * The largest share of a website's rows that a first page may read, in percent. On a small website, blocks of rows
 * are too large for it.
 */
const mostShare = 2
const enoughForShare = 5_000_000

/** The limit of rows that a look-up by id may read. */
const mostLookup = 100_000

/** The largest ratio of a request's time to its time without the access check. */
const mostAccessRatio = 1.05

/** The most additional round trips to D1 for a request with a new credential. */
const mostMoreTrips = 1

/**
 * The least ratios of the naive layout's time to Weir's: the grid's mean, its year on the largest website, each cell.
 * A change must not fall below them.
 */
const leastMean = 4.5
const leastYear = 30
const leastCell = 1.5
const leastLookup = 1

/** Weir's storage and insert rate, relative to the naive layout's. */
const mostStorage = 0.78
const leastInsertRate = 0.8

/** The least ratios of another layout's processor time to Weir's: over twelve months of the largest website, … */
interface Least {
  readonly year: number
  /** … the same where the range ends with the last sealed day, … */
  readonly sealed: number
  readonly all: number
  readonly cell: number
}

/** For statistics and sessions, of the naive layout and of the rollup. */
const leastOf = {
  naive: { year: 4, sealed: 6, all: 2.8, cell: 0.9 },
  rollup: { year: 1.5, sealed: 2, all: 1.5, cell: 1 },
} as const satisfies Record<string, Least>

/** The same for `events/stats` over twelve months of the largest website. */
const leastOfEventTotals = 6

/** The same for sessions and for reports. */
export const leastOfCompared = {
  sessions: leastOf.naive,
  reports: { year: 5, all: 4, cell: 1 },
} as const

/** The largest share of a website's rows that the first page of sessions may read, in percent. */
const mostOfSessions = 10

/** The most processor time of a report, as a multiple of reading its columns once. */
const mostReadings = { 'funnels/stats': 1.5, journeys: 3 } as const

/** The most memory of a report in ClickHouse, in MiB. */
const [mostOfFunnel, mostOfReport] = [1024, 2048]

/** The milliseconds of each report of an overview over twelve months, with so many events. */
const mostOfOverview = 600
/** The most processor time of an overview over twelve months, as a multiple of 24 hours. */
const mostOfYear = 4
const eachReportSize = 100_000_000

/** The largest growth of processor time for ten times as many events, for statistics. */
const mostStatisticsGrowth = { ofSessions: 4, others: 8 }

/** The largest growth of cost for ten times as many events. */
const mostGrowth = 2
const mostGrowthOfAll = 6

/** The endpoints that have to read everything in the range. */
const ofAll = new Set(['events/stats', 'event-data/fields'])

/** The least rate of cached answers, relative to a constant's. */
const leastHitRate = 0.6

/** The least rate of the export, relative to ClickHouse's own answer. */
const leastExportRate = 0.5

export const isCheapCheck = ({ checked, unchecked }: AccessCost): boolean => checked <= mostAccessRatio * unchecked

export const isShortCheck = ({ checked, unchecked }: ColdCost): boolean => checked - unchecked <= mostMoreTrips

export const isQuick = ({ worker, direct }: Pick<Cell, 'worker' | 'direct'>): boolean =>
  worker <= Math.max(mostRatio * direct, direct + mostMore)

/** The share of its website's rows that a page reads, in percent. */
export const share = ({ read }: Cell, websiteRows: number): number => (100 * read.rows) / websiteRows

export const isHit = ({ ratio, calls }: HitCost): boolean => ratio >= leastHitRate && calls.d1 + calls.clickhouse === 0

/** The rows per second through the Worker, relative to those directly from ClickHouse. */
export const exportRate = ({ worker, direct }: Exported): number =>
  worker.rows / worker.seconds / (direct.rows / direct.seconds)

/** The largest allowed growth of an endpoint; undefined if it has no limit. */
export const growthAllowed = ({ endpoint, isFiltered }: GrowthCell): number | undefined => {
  if (isFiltered || endpoint === 'event-data/:eventId') return undefined
  return ofAll.has(endpoint) ? mostGrowthOfAll : mostGrowth
}

export const isYearOfLargest = ({ range, website }: BesideCell): boolean =>
  range === '12 months' && website === 'largest'

/** The least ratio that a cell has to reach against the naive layout. */
export const leastRatio = ({ endpoint }: BesideCell): number =>
  endpoint === 'event-data/:eventId' ? leastLookup : leastCell

export const insertRate = ({ filling: { seconds } }: Pick<Findings, 'filling'>): number | undefined =>
  seconds && seconds.naive / seconds.weir

export const storageShare = ({ tables }: Pick<Findings, 'tables'>): number =>
  bytesOf(tables.weir) / bytesOf(tables.naive)

export const bytesOf = (tables: readonly { readonly bytes: number }[]): number =>
  tables.reduce((sum, one) => sum + one.bytes, 0)

/** The least ratio that a cell of statistics has to reach against the naive layout. */
export const leastOfStatistics = (cell: BesideStatistics): number =>
  isEventTotals(cell) ? leastOfEventTotals : leastOf.naive.cell

const isYear = ({ range, website }: BesideStatistics): boolean => range === '12 months' && website === 'largest'

const isEventTotals = (cell: BesideStatistics): boolean =>
  isYear(cell) && cell.endpoint === 'events/stats' && cell.filter === 'none'

const ofSessions: ReadonlySet<string> = new Set(['stats', 'pageviews', 'metrics?type=browser', 'metrics?type=country'])

/** The largest allowed growth of a statistic. */
export const statisticsGrowthAllowed = ({ endpoint }: StatisticsGrowthCell): number =>
  ofSessions.has(endpoint) ? mostStatisticsGrowth.ofSessions : mostStatisticsGrowth.others

type Found = Omit<Findings, 'command' | 'machine' | 'targets'>

export const targets = (found: Found): Target[] => [
  ...layoutTargets(found),
  ...statisticsTargets(found),
  ...comparedTargets(found, found.sessions),
  ...comparedTargets(found, found.reports),
  ...storageTargets(found),
  ...eachReportTargets(found),
  ...growthTargets(found),
  ...cacheTargets(found),
  ...exportTargets(found),
  ...endpointTargets(found),
  ...(found.concurrent?.cells ?? []).map((cell) =>
    overhead(`overhead of ${nameOf(cell)}, ${found.concurrent!.underWay} under way`, cell),
  ),
  ...accessTargets(found),
  ...mcpTargets(found),
  ...pagesTargets(found),
  ...recordingsTargets(found),
  ...regionTargets(found.regions),
  ...soakTargets(found.soak),
]

const atLeast = (what: string, found: number, wanted: number, needs?: string): Target => ({
  what,
  wanted: `at least ${wanted}`,
  found: fixed(found, 2),
  isMet: found >= wanted,
  needs,
})

const atMost = (what: string, found: number, wanted: number, needs?: string): Target => ({
  what,
  wanted: `at most ${wanted.toLocaleString('en')}`,
  found: Number.isInteger(found) ? whole(found) : fixed(found, 2),
  isMet: found <= wanted,
  needs,
})

const overhead = (what: string, cell: Pick<Cell, 'worker' | 'direct'>): Target => ({
  what,
  wanted: `at most ${mostRatio} times or ${mostMore} ms more`,
  found: `${fixed(cell.worker / cell.direct, 2)} times, ${fixed(cell.worker - cell.direct)} ms more`,
  isMet: isQuick(cell),
  needs: undefined,
})

const sizeNeeded = ({ filling: { events } }: Found, size = fullSize): string | undefined =>
  events < size ? `${whole(size)} events` : undefined

const layoutTargets = (found: Found): Target[] =>
  found.layouts ? gridTargets(found.layouts.cells, gridNeeded(found, found.layouts)) : []

const gridNeeded = (found: Found, { isWhole }: { readonly isWhole: boolean }): string | undefined =>
  sizeNeeded(found) ?? (isWhole ? undefined : 'the whole grid')

function storageTargets(found: Found): Target[] {
  if (!found.layouts && !found.statistics) return []
  const needs = sizeNeeded(found)
  const rate = insertRate(found)
  return [
    atMost('storage, of that of the naive layout', storageShare(found), mostStorage, needs),
    atLeast(
      'rate of inserts, of that of the naive layout',
      rate ?? Number.NaN,
      leastInsertRate,
      rate ? needs : 'a run that fills both',
    ),
  ]
}

function statisticsTargets(found: Found): Target[] {
  if (!found.statistics) return []
  const needs = gridNeeded(found, found.statistics)
  const cells = found.statistics.cells.filter(isOfStatistics)
  return [
    ...ratioTargets('naive / Weir in processor time, statistics', cells, multipleOf('processor'), leastOf.naive, needs),
    ...ofRollup('statistics', cells, needs),
    ...found.statistics.cells
      .filter(isEventTotals)
      .map((cell) =>
        atLeast(
          'naive / Weir in processor time: events/stats, 12 months, largest website',
          multipleOf('processor')(cell),
          leastOfEventTotals,
          sizeNeeded(found),
        ),
      ),
  ]
}

function ratioTargets(
  what: string,
  cells: readonly BesideStatistics[],
  ratio: (cell: BesideStatistics) => number,
  least: Omit<Least, 'sealed'> & Partial<Least>,
  needs: string | undefined,
): Target[] {
  const mean = (of: readonly BesideStatistics[]) => geometricMean(of.map(ratio))
  const ofSealed = cells.filter(({ range, website }) => range === sealed && website === 'largest')
  const [lowest] = cells.toSorted((one, other) => ratio(one) - ratio(other))
  if (!lowest) return []
  return [
    atLeast(`${what}: geometric mean, 12 months, largest website`, mean(cells.filter(isYear)), least.year, needs),
    ...(least.sealed !== undefined && ofSealed.length > 0
      ? [atLeast(`${what}: the same, sealed to the end`, mean(ofSealed), least.sealed, needs)]
      : []),
    atLeast(`${what}: geometric mean of all cells`, mean(cells), least.all, needs),
    atLeast(
      `${what}: lowest cell (${nameOf(lowest)} of the ${lowest.website}, ${lowest.filter || 'no filter'})`,
      ratio(lowest),
      least.cell,
      needs,
    ),
  ]
}

const ofRollup = (what: string, cells: readonly BesideStatistics[], needs: string | undefined): Target[] =>
  ratioTargets(
    `rollup / Weir in processor time, ${what}`,
    cells.filter(({ cost }) => cost.rollup),
    (cell) => multipleOfRollup(cell)!,
    leastOf.rollup,
    needs,
  )

function comparedTargets(found: Found, compared: Compared | undefined): Target[] {
  if (!compared) return []
  const { group, cells, readings, memories, websiteRows } = compared
  const least = leastOfCompared[group]
  const needs = gridNeeded(found, compared)
  const isFirstPage = ({ endpoint, filter }: BesideStatistics) => endpoint === 'sessions' && filter === 'first page'
  return [
    ...ratioTargets(`naive / Weir in processor time, ${group}`, cells, multipleOf('processor'), least, needs),
    ...ofRollup(group, cells, needs),
    ...cells
      .filter((cell) => isYear(cell) && isFirstPage(cell))
      .map(({ scan }) =>
        atMost(
          '% of rows read by the first page of sessions over 12 months',
          (100 * scan.weir.rows) / websiteRows,
          mostOfSessions,
          sizeNeeded(found, enoughForShare),
        ),
      ),
    ...(group === 'reports'
      ? memories.map(({ endpoint, filter, mebibytes }) =>
          atMost(
            `MiB that suffice for ${endpoint} (${filter}) over 12 months`,
            mebibytes,
            endpoint === 'funnels/stats' ? mostOfFunnel : mostOfReport,
            sizeNeeded(found),
          ),
        )
      : []),
    ...readings.map(({ endpoint, filter, processor, reading }) =>
      atMost(
        `${endpoint} (${filter}) over 12 months, of reading its columns once`,
        processor / reading,
        mostReadings[endpoint],
        sizeNeeded(found),
      ),
    ),
  ]
}

function gridTargets(cells: readonly BesideCell[], needs: string | undefined): Target[] {
  const mean = (of: readonly BesideCell[]) => geometricMean(of.map(ratioOf))
  const year = cells.filter(isYearOfLargest)
  const lowest = (of: readonly BesideCell[]) => Math.min(...of.map(ratioOf))
  const [lookups, others] = [
    cells.filter((one) => leastRatio(one) === leastLookup),
    cells.filter((one) => leastRatio(one) === leastCell),
  ]
  return [
    atLeast('geometric mean of naive / Weir over the grid', mean(cells), leastMean, needs),
    atLeast('the same over 12 months of the largest website', mean(year), leastYear, needs),
    atLeast('lowest ratio of a cell but event-data/:eventId', lowest(others), leastCell, needs),
    atLeast('ratio of event-data/:eventId', lowest(lookups), leastLookup, needs),
  ]
}

/** The costliest of each group, and how many reports take more than a second. */
function eachReportTargets(found: Found): Target[] {
  if (!found.each) return []
  const needs = sizeNeeded(found, eachReportSize)
  const { cells } = found.each
  const ofOverview = cells.filter(
    ({ endpoint, range }) => range === '12 months' && /^(stats|pageviews|metrics\?.*)$/.test(endpoint),
  )
  return [
    ...ofOverview
      .toSorted((one, other) => other.milliseconds - one.milliseconds)
      .slice(0, 1)
      .map(({ endpoint, milliseconds }) =>
        atMost(`ms of stats, pageviews and metrics over 12 months: ${endpoint}`, milliseconds, mostOfOverview, needs),
      ),
    ...overviewGrowth(cells).map((times) =>
      atMost('processor time of an overview over 12 months, of that over 24 hours', times, mostOfYear, needs),
    ),
    atMost(
      'reports and ranges over a second',
      cells.filter(({ milliseconds }) => milliseconds > 1000).length,
      0,
      needs,
    ),
    atMost(
      'reports and ranges that need more memory than they may hold',
      cells.filter(({ memory, mostMemory = Number.POSITIVE_INFINITY }) => memory > mostMemory).length,
      0,
      needs,
    ),
  ]
}

/** The processor time of the questions of an overview, over 12 months as a multiple of 24 hours; if all were asked. */
function overviewGrowth(cells: readonly ReportCost[]): number[] {
  const over = (range: string) => cells.filter((cell) => cell.range === range && overview.includes(cell.endpoint))
  const sum = (of: readonly ReportCost[]) => of.reduce((all, { processor }) => all + processor, 0)
  const [year, day] = [over('12 months'), over('24 hours')]
  return year.length === overview.length ? [sum(year) / sum(day)] : []
}

function growthTargets(found: Found): Target[] {
  const needs = sizeNeeded(found)
  const ofEndpoints = (found.growth?.cells ?? []).flatMap((cell) => {
    const allowed = growthAllowed(cell)
    const what = `growth of ${cell.endpoint} from a tenth, 12 months`
    return allowed === undefined ? [] : [atMost(what, growthIn(cell.milliseconds.weir), allowed, needs)]
  })
  return [...ofEndpoints, ...statisticsGrowthTargets(found.statisticsGrowth?.cells ?? [], needs)]
}

/** Of the statistics with the same limit, only the one that grows most. */
const statisticsGrowthTargets = (cells: readonly StatisticsGrowthCell[], needs: string | undefined): Target[] =>
  Object.values(mostStatisticsGrowth).flatMap((allowed) => {
    const [most] = cells
      .filter((cell) => statisticsGrowthAllowed(cell) === allowed)
      .sort((one, other) => statisticsGrowthIn(other) - statisticsGrowthIn(one))
    if (!most) return []
    const what = `largest growth of statistics in processor time, 12 months: ${most.endpoint}, filter: ${most.filter}`
    return [atMost(what, statisticsGrowthIn(most), allowed, needs)]
  })

function cacheTargets({ cache }: Found): Target[] {
  return (cache?.cells ?? []).flatMap((cell) => {
    const name = `${nameOf(cell)}, ${cell.credential}`
    return [
      atLeast(`rate of cache hits, of that of a constant: ${name}`, cell.ratio, leastHitRate),
      atMost(`calls of D1 and ClickHouse by cache hits: ${name}`, cell.calls.d1 + cell.calls.clickhouse, 0),
    ]
  })
}

function exportTargets({ exported }: Found): Target[] {
  if (!exported) return []
  const needs = exported.worker.rows < fullExport ? `${whole(fullExport)} rows` : undefined
  const rate = atLeast('rate of an export, of that of ClickHouse', exportRate(exported), leastExportRate, needs)
  return exported.memory ? [rate, flat('memory of the Worker during an export', exported.memory, needs)] : [rate]
}

function endpointTargets(found: Found): Target[] {
  const { endpoints, memory, startUp, openings } = found
  const needs = sizeNeeded(found, enoughForShare)
  const { cells, websiteRows, lookup } = endpoints ?? { cells: [], websiteRows: 0, lookup: undefined }
  return [
    ...cells.map((cell) => overhead(`overhead of ${nameOf(cell)}`, cell)),
    ...cells
      .filter(({ isPaged }) => isPaged)
      .map((cell) => atMost(`% of rows read by page 1 of ${nameOf(cell)}`, share(cell, websiteRows), mostShare, needs)),
    ...(lookup ? [atMost('rows read by event-data/:eventId', lookup.rows, mostLookup)] : []),
    ...(memory ? [flat('memory of the Worker', memory)] : []),
    ...(startUp ? [atMost('milliseconds of a start in a new isolate', startUp.milliseconds, mostStartUp)] : []),
    ...(openings
      ? [atMost('a signed-in reader beside openings / alone', openingsRatio(openings), mostOpeningsRatio)]
      : []),
  ]
}

function accessTargets({ access }: Found): Target[] {
  const ratio = ({ checked, unchecked }: AccessCost) => checked / unchecked
  return [
    ...(access?.warm ?? []).map((cost) =>
      atMost(`access check of ${cost.credential}, ${nameOf(cost)}`, ratio(cost), mostAccessRatio),
    ),
    ...(access?.cold ?? []).map(({ credential, checked, unchecked }) =>
      atMost(`round trips of the access check of ${credential}`, checked - unchecked, mostMoreTrips),
    ),
  ]
}

/** So many milliseconds more may a tool take than its report, and so many bytes the list of tools. */
const [mostOfTool, mostListed] = [3, 60_000]

function mcpTargets({ mcp }: Found): Target[] {
  if (!mcp) return []
  return [
    ...mcp.cells.map(({ tool, calledWork, plainWork }) =>
      atMost(`milliseconds of the Worker that ${tool} adds`, calledWork - plainWork, mostOfTool),
    ),
    atMost('bytes of tools/list', mcp.listed, mostListed),
    atMost('milliseconds of a start with tools', mcp.withTools.start, mostStartUp),
  ]
}

/** So many times the slowest answer that they show may the first numbers take, and so many bytes the files. */
const [mostOnScreen, mostBytes] = [3, 150_000]

function pagesTargets({ pages }: Found): Target[] {
  if (!pages) return []
  const slowest = Math.max(...pages.answers.map(({ time }) => time))
  return [
    atMost('first numbers on the screen / the slowest answer of those', pages.figures / slowest, mostOnScreen),
    atMost('bytes of the dashboard after gzip', pages.bytes, mostBytes),
  ]
}

const recordingsTargets = ({ recordings }: Found): Target[] =>
  (recordings?.cells ?? []).flatMap(({ what, firstByte, whole, most }) => [
    ...(most.firstByte === undefined
      ? []
      : [atMost(`milliseconds to the first byte of ${what}`, firstByte, most.firstByte)]),
    atMost(`milliseconds of ${what}`, whole, most.whole),
  ])

/** The most statements of three regions in calm, of those that the answers need. */
const mostOverhead = 1.1

/** The number of answers for which the targets of three regions hold. */
const fullAnswers = 10_000

function regionTargets(regions: RegionsFindings | undefined): Target[] {
  if (!regions) return []
  const { phases, hedgeDelay, overhead } = regions
  const sum = (what: 'answers' | 'failed' | 'wrong') => phases.reduce((all, phase) => all + phase[what], 0)
  const p99 = (name: string) => phases.find((phase) => phase.name === name)!.p99
  const needs = sum('answers') < fullAnswers ? `${whole(fullAnswers)} answers` : undefined
  return [
    atMost('failed answers of three regions', sum('failed'), 0, needs),
    atMost('wrong answers of three regions', sum('wrong'), 0, needs),
    atMost('p99 in ms while one region hangs', p99('another hangs'), Math.round(hedgeDelay + 2 * p99('calm')), needs),
    atMost('statements of three regions in calm, of those needed', overhead, mostOverhead, needs),
  ]
}

/** The minutes for which the targets of the soak hold. */
const fullMinutes = 10

/**
 * Flat memory: garbage that is not collected yet, merges and allocators' reserves make it vary. A leak of 10 KB for
 * each request would be twice as much.
 */
const mostOfMemory = 1.15
const moreMemory = 8

/** Connections vary with the requests under way. A leak of one a minute would be as many between the two looks. */
const moreConnections = 6

function soakTargets(soak: SoakFindings | undefined): Target[] {
  if (!soak) return []
  const needs = soak.minutes < fullMinutes ? `${fullMinutes} minutes` : undefined
  const sum = (what: 'failed' | 'strange') => soak.kinds.reduce((all, kind) => all + kind[what], 0)
  return [
    atMost('failed answers (5xx) of the soak', sum('failed'), 0, needs),
    atMost('answers of the soak with another status than expected', sum('strange'), 0, needs),
    ...soak.processes.flatMap(({ process, early, late }) => [
      atMost(`MiB of ${process} at last`, late.memory, Math.round(mostOfMemory * early.memory + moreMemory), needs),
      atMost(`sockets of ${process} at last`, late.sockets, early.sockets + moreConnections, needs),
    ]),
    atMost("MiB of the Worker's heap at last", soak.heap.late, Math.round(mostOfMemory * soak.heap.early), needs),
  ]
}

interface Grown {
  readonly growth: { readonly heap: number; readonly resident: number }
  readonly isFlat: boolean
}

const flat = (what: string, { growth, isFlat }: Grown, needs?: string): Target => ({
  what,
  wanted: 'flat',
  found: `${fixed(growth.heap, 2)} times the heap, ${fixed(growth.resident, 2)} times the process`,
  isMet: isFlat,
  needs,
})

/** Milliseconds of processor time. */
const mostStartUp = 30

/** So much longer may a signed-in reader wait while readers of public websites do their worst. */
const mostOpeningsRatio = 2

const nameOf = ({ endpoint, range }: Pick<ConcurrentCell, 'endpoint' | 'range'>): string => `${endpoint} over ${range}`

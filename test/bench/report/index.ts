import type { CollectFindings } from '../collect.ts'
import type { TableSize } from '../data.ts'
import type { EachReport } from '../each-report.ts'
import type { Filling } from '../fill.ts'
import type { Growth } from '../growth.ts'
import type { Machine } from '../machine.ts'
import type { MixedFindings } from '../mixed.ts'
import type { BesideNaive } from '../naive/beside.ts'
import type { Beside } from '../naive/layout.ts'
import type { PagesFindings } from '../pages.ts'
import type { RecordingsFindings } from '../recordings.ts'
import type { RegionsFindings } from '../regions.ts'
import type { Compared } from '../reports/beside.ts'
import type { SoakFindings } from '../soak.ts'
import type { Statistics } from '../statistics/beside.ts'
import type { StatisticsGrowth } from '../statistics/growth.ts'
import { type Column, table, whole, yes } from '../table.ts'
import type { TableCost } from '../tables.ts'
import type { Target } from '../targets.ts'
import type { ThroughWorker } from '../through.ts'
import { collectLines } from './collect.ts'
import { eachReportLines } from './each-report.ts'
import { costLines, growthLines, layoutLines, storageLines } from './layouts.ts'
import { cacheLines, exportLines, loadLines } from './load.ts'
import { mixedLines } from './mixed.ts'
import { regionLines } from './regions.ts'
import { soakLines } from './soak.ts'
import { comparedLines, statisticsGrowthLines, statisticsLines } from './statistics.ts'
import {
  accessLines,
  endpointLines,
  mcpLines,
  memoryLines,
  openingsLines,
  pagesLines,
  recordingsLines,
  startUpLines,
} from './worker.ts'

/** The results of a run; a part that did not run is undefined. */
export interface Findings extends ThroughWorker {
  /** The flags. */
  readonly command: string
  readonly machine: Machine
  readonly filling: Filling
  readonly tables: Beside<readonly TableSize[]>
  readonly layouts: BesideNaive | undefined
  readonly costs: readonly TableCost[] | undefined
  readonly each: EachReport | undefined
  readonly statistics: Statistics | undefined
  readonly sessions: Compared | undefined
  readonly reports: Compared | undefined
  readonly growth: Growth | undefined
  readonly statisticsGrowth: StatisticsGrowth | undefined
  readonly regions: RegionsFindings | undefined
  readonly soak: SoakFindings | undefined
  readonly collect: CollectFindings | undefined
  readonly mixed: MixedFindings | undefined
  readonly pages: PagesFindings | undefined
  readonly recordings: RecordingsFindings | undefined
  readonly targets: readonly Target[]
}

/** The results as Markdown, to read and to publish. */
export const report = (found: Findings): string =>
  [
    machineLines(found),
    storageLines(found),
    found.layouts && layoutLines(found.layouts),
    found.costs && costLines(found.costs),
    found.each && eachReportLines(found.each),
    found.statistics && statisticsLines(found.statistics),
    found.sessions && comparedLines('Sessions and session data', found.sessions),
    found.reports && comparedLines('Reports and revenue', found.reports),
    found.growth?.cells.length && growthLines(found.growth),
    found.statisticsGrowth?.cells.length && statisticsGrowthLines(found.statisticsGrowth),
    found.endpoints && endpointLines(found.endpoints),
    found.concurrent && loadLines(found.concurrent),
    found.access && accessLines(found.access),
    found.cache && cacheLines(found.cache),
    found.exported && exportLines(found.exported),
    found.memory && memoryLines(found.memory),
    found.startUp && startUpLines(found.startUp),
    found.openings && openingsLines(found.openings),
    found.mcp && mcpLines(found.mcp),
    found.regions && regionLines(found.regions),
    found.soak && soakLines(found.soak),
    found.collect && collectLines(found.collect),
    found.mixed && mixedLines(found.mixed),
    found.pages && pagesLines(found.pages),
    found.recordings && recordingsLines(found.recordings),
    targetLines(found.targets),
  ]
    .filter((lines) => typeof lines === 'string')
    .join('\n\n')

const machineLines = ({ machine, command, filling: { events } }: Findings): string =>
  `\`${['npm run bench --', command].join(' ').trim()}\`, ${machine.date}: ${whole(events)} events; ` +
  `${machine.cores} cores (${machine.processor}), ${machine.memoryGiB} GiB, load ${machine.loadBefore} before the run; ` +
  `ClickHouse ${machine.clickhouse}, workerd ${machine.workerd}, Node ${machine.node}`

const isMissed = ({ isMet, needs }: Target): boolean => !isMet && needs === undefined

/** Every target: first the missed ones, last those that this run cannot judge. */
function targetLines(targets: readonly Target[]): string {
  const judged = targets.filter(({ needs }) => needs === undefined)
  const met = judged.filter(({ isMet }) => isMet)
  const columns: Column<Target>[] = [
    { heading: 'target', isText: true, write: ({ what }) => what },
    { heading: 'wanted', isText: true, write: ({ wanted }) => wanted },
    { heading: 'found', isText: true, write: ({ found }) => found },
    { heading: 'met', isText: true, write: ({ isMet, needs }) => (needs ? `needs ${needs}` : yes(isMet)) },
  ]
  const ordered = [...targets.filter(isMissed), ...met, ...targets.filter(({ needs }) => needs !== undefined)]
  return `### ${met.length} of ${judged.length} targets met\n\n${table(columns, ordered)}`
}

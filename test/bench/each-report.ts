import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { inputOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { lastDay, type Range, ranges } from './compare/cells.ts'
import { type Filter, filtered } from './compare/question.ts'
import { largest, websiteRows } from './data.ts'
import type { DataSet } from './data-set.ts'
import {
  type Asked as Answered,
  afresh,
  ask,
  askedBy,
  type Cost,
  clockOf,
  medianCost,
  plannedBy,
  type Scan,
  scanOf,
  settings,
  together,
} from './measure.ts'
import { bytes, type Column, fixed, type Section, table, whole } from './print.ts'

/** The cost of a report over one range of the largest website. Times are in milliseconds. */
export interface ReportCost extends Cost, Scan {
  readonly endpoint: string
  readonly filter: Filter
  readonly range: string
  /** The peak memory of any one of its statements, in bytes; 0 if all ended too quickly to be observed. */
  readonly memory: number
}

/** One question: a report with the parameters of its example, or another `type`. */
export interface Asked {
  readonly report: AnyReport
  readonly endpoint: string
  readonly query: Readonly<Record<string, string>>
}

const runs = 3

/** Lists of values are run with each type, because the types use different code. */
const typesOf = ({ query, example }: AnyReport): readonly string[] => {
  const { enum: all = [] } = (query.parameters.type?.schema ?? {}) as { enum?: string[] }
  return example.query.type === undefined || 'value' in example.query || 'step' in example.query ? [] : all
}

const nameOf = ({ path }: AnyReport): string => path.replace(/^\/api\/(websites\/:websiteId\/)?/, '')

/**
 * Maps names and values of the examples to those of the data, for events with all kinds of properties and for calls.
 */
const inData: readonly (readonly [example: string, ofEvents: string, ofCalls: string])[] = [
  ['buy', 'feedback', ''],
  ['plan', 'topic', 'plan'],
  ['amount', 'rating', 'seats'],
  ['at', 'reply_by', 'trial_ends'],
]

const valueInData = (value: string, ofCalls: boolean): string =>
  inData.reduce(
    (text, [example, ofEvents, called]) =>
      text === example ? (ofCalls ? called : ofEvents) : text.replace(`"${example}"`, `"${ofEvents}"`),
    value,
  )

/** Questions for every report (except aliases), with each of its types. */
export const all: readonly Asked[] = reports
  .filter(({ aliasOf }) => aliasOf === undefined)
  .flatMap((report) => {
    const ofCalls = report.path.includes('session-data')
    const known = Object.entries(report.example.query).map(([name, value]) => [name, valueInData(value, ofCalls)])
    const query = Object.fromEntries(known) as Record<string, string>
    const types = typesOf(report)
    if (types.length === 0) return [{ report, endpoint: nameOf(report), query }]
    return types.map((type) => ({ report, endpoint: `${nameOf(report)}?type=${type}`, query: { ...query, type } }))
  })

export const eachReportNames: readonly string[] = all.map(({ endpoint }) => endpoint)

/** The dashboard's questions, which are run a second time with a filter on browser and country. */
const ofDashboard = new Set([
  ...['stats', 'pageviews', 'sessions/stats', 'sessions/weekly'],
  ...['path', 'entry', 'exit', 'referrer', 'channel', 'browser', 'os', 'device', 'country', 'event'].map(
    (type) => `metrics?type=${type}`,
  ),
])

const withFilters = (asked: Asked): readonly (Asked & Pick<ReportCost, 'filter'>)[] => {
  const { browser, country } = filtered
  const plain = { ...asked, filter: 'none' } as const
  if (!ofDashboard.has(asked.endpoint)) return [plain]
  return [plain, { ...asked, filter: 'client', query: { ...asked.query, browser, country } }]
}

export const labelOf = ({ endpoint, filter }: Pick<ReportCost, 'endpoint' | 'filter'>): string =>
  filter === 'none' ? endpoint : `${endpoint}, filtered`

/** Runs every chosen report over the largest website's ranges, up to the last whole hour. The last day is unsealed. */
export async function eachReport(
  { layouts: { weir }, stored, ids }: DataSet,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<Section> {
  const clock = await clockOf(weir)
  const cells: ReportCost[] = []
  for (const { filter, ...asked } of all.flatMap(withFilters)) {
    if (!wantsEndpoint(asked.endpoint)) continue
    for (const range of 'startAt' in asked.query ? ranges : [{ ...ranges[0]!, range: 'any' }]) {
      progress(`${asked.endpoint} over ${range.range}, filter: ${filter}`)
      const planIn = (round: number) =>
        plannedBy(weir, largest, (known) =>
          planOf(asked, range, round, { websiteId: largest, ids: ids.largest, known }),
        )
      const first = await firstLook(weir, await planIn(0))
      const costs: Cost[] = []
      for (let round = 1; round <= runs; round++) {
        const plan = await planIn(round)
        costs.push(await clock.costOf(() => together(weir, plan)))
      }
      cells.push({ endpoint: asked.endpoint, filter, range: range.range, ...first, ...medianCost(costs) })
    }
  }
  const rows = whole(await websiteRows(weir, largest))
  const names = [...new Set(cells.map(labelOf))]
  return {
    heading: 'Every report',
    how: `A website of ${rows} of ${whole(stored.events)} events. Medians of ${runs} runs, with another range each.`,
    page: [
      table(
        pageColumns,
        names.map((name) => cells.filter((cell) => labelOf(cell) === name)),
      ),
    ],
    ...{ more: [table(columns, cells)], found: cells },
  }
}

/** Returns how many milliseconds a report takes over this range. */
const over =
  (wanted: string) =>
  (cells: readonly ReportCost[]): string =>
    cells.flatMap(({ range, milliseconds }) => (range === wanted ? [whole(milliseconds)] : [])).join('')

/** The columns for a report over its ranges, the last of which is the longest. */
const pageColumns: Column<readonly ReportCost[]>[] = [
  { heading: 'report', isText: true, write: ([one]) => labelOf(one!) },
  ...ranges.map(({ range }) => ({ heading: range, write: over(range) })),
  { heading: 'processor', write: (cells) => whole(cells.at(-1)!.processor) },
  { heading: 'memory, MiB', write: (cells) => whole(cells.at(-1)!.memory / 2 ** 20) },
]

const columns: Column<ReportCost>[] = [
  { heading: 'report', isText: true, write: labelOf },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'ms', write: ({ milliseconds }) => fixed(milliseconds) },
  { heading: 'processor ms', write: ({ processor }) => fixed(processor) },
  { heading: 'rows', write: ({ rows }) => whole(rows) },
  { heading: 'read', write: (cell) => bytes(cell.bytes) },
  { heading: 'memory', write: ({ memory }) => (memory === 0 ? '' : bytes(memory)) },
]

/** The statements of a question that is asked at the end of its range. */
export function planOf(
  { report, query }: Asked,
  { length, unit, end: last, step }: Range,
  round: number,
  { websiteId, ids, known }: { websiteId: string; ids: DataSet['ids']['largest']; known: Knowledge | undefined },
): readonly Statement<unknown>[] {
  const end = last - round * step
  const period = 'startAt' in query ? { startAt: String(end - length), endAt: String(end - 1) } : {}
  const own = { ...query, ...period, ...('unit' in report.query.parameters && { unit }) }
  const [eventId, sessionId] = [ids.events[round], ids.sessions[round]]
  const input = inputOf({ report, websiteId, eventId, sessionId, query: Object.entries(own) })
  const scope = { ...wholeWebsite(websiteId), closedBefore: lastDay, ...(known && { known }) }
  return Object.values(report.plan({ ...input, now: end } as never, scope))
}

/** Runs the statements one after the other. Measures the rows read and the memory. */
async function firstLook(client: ClickHouseClient, plan: readonly Statement<unknown>[]) {
  let memory = 0
  let isDone = false
  const watching = (async () => {
    for (; !isDone; await pause(betweenLooks)) memory = Math.max(memory, await memoryNow(client))
  })()
  const answers: Answered[] = []
  try {
    for (const one of plan) answers.push(...(await askedBy(client, one, { ...settings, ...afresh })))
  } finally {
    isDone = true
    await watching
  }
  return { ...scanOf(answers), memory }
}

/** The time between two polls, in milliseconds. */
const betweenLooks = 5

/** The highest memory use of any other running statement up to now, in bytes. */
async function memoryNow(client: ClickHouseClient): Promise<number> {
  const query = `select max(peak_memory_usage) as most from system.processes where query not like '%system.processes%'`
  const { data } = await ask(client, { query, query_params: {} })
  return Number((data as { most: number | string }[])[0]!.most)
}

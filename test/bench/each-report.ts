import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { settingsFor } from '../../src/clickhouse/query.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import type { Statement } from '../../src/query/language/sql.ts'
import { inputOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { eventIdsOf, largest, sessionIdsOf, to, websiteRows } from './data.ts'
import type { DataSet } from './datasets.ts'
import type { Flags } from './flags.ts'
import { ask, type Scan } from './measure.ts'
import { afresh, askedBy, plannedBy, scanOf, weirTime } from './naive/beside.ts'
import { processorClock } from './processor.ts'
import { day, ranges } from './requests.ts'
import { type Cost, costOf, medianCost } from './statistics/beside.ts'
import { hour, lastDay, units } from './statistics/grid.ts'

/** What a report costs over one range of the largest website; times in milliseconds. */
export interface ReportCost extends Cost, Scan {
  readonly endpoint: string
  readonly range: string
  /** The most bytes that one of its statements held; 0 if all ended before they could be seen. */
  readonly memory: number
  /** The bytes that it may hold. */
  readonly mostMemory: number | undefined
}

export interface EachReport {
  readonly events: number
  readonly websiteRows: number
  readonly runs: number
  readonly cells: readonly ReportCost[]
}

/** One question: a report with the parameters of its example, or another `type`. */
interface Asked {
  readonly report: AnyReport
  readonly endpoint: string
  readonly query: Readonly<Record<string, string>>
}

const runs = 3

/** Lists of values take each type that they have: one file or another answers. */
const typesOf = ({ query, example }: AnyReport): readonly string[] => {
  const { enum: all = [] } = (query.parameters.type?.schema ?? {}) as { enum?: string[] }
  return example.query.type === undefined || 'value' in example.query || 'step' in example.query ? [] : all
}

const nameOf = ({ path }: AnyReport): string => path.replace(/^\/api\/(websites\/:websiteId\/)?/, '')

/** Names and values of the examples as the data has them: of events with all kinds of properties, and of calls. */
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

/** Every report but aliases, and each of its types. */
const all: readonly Asked[] = reports
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

/** Every chosen report over each range of the largest website, up to the last whole hour: the last day is open. */
export async function eachReport(
  { layouts, filling }: DataSet,
  { wantsEndpoint }: Pick<Flags, 'wantsEndpoint'>,
  progress: (line: string) => void,
): Promise<EachReport> {
  const { weir } = layouts
  const clock = await processorClock(weir)
  const [eventIds, sessionIds] = [
    await eventIdsOf(layouts, largest, 1 + runs),
    await sessionIdsOf(layouts, largest, 1 + runs),
  ]
  const cells: ReportCost[] = []
  for (const asked of all) {
    if (!wantsEndpoint(asked.endpoint)) continue
    for (const { range, length } of 'startAt' in asked.query ? ranges : withoutRange) {
      progress(`${asked.endpoint} over ${range}`)
      const weirPlan = (round: number, known?: Knowledge) => {
        const ids = { eventId: eventIds[round], sessionId: sessionIds[round] }
        return planOf(asked, { range, length, end: lastHour - round * hour }, ids, known)
      }
      const first = await firstLook(weir, await plannedBy(weir, largest, (known) => weirPlan(0, known)))
      const costs: Cost[] = []
      for (let round = 1; round <= runs; round++) {
        const statements = (round: number, known?: Knowledge) => ({ weir: weirPlan(round, known) })
        costs.push(await costOf(clock, () => weirTime({ websiteId: largest, statements }, layouts, round)))
      }
      const { endpoint, report } = asked
      cells.push({ endpoint, range, mostMemory: report.mostMemory, ...first, ...medianCost(costs) })
    }
  }
  return { events: filling.events, websiteRows: await websiteRows(layouts, largest), runs, cells }
}

const withoutRange = [{ range: 'any', length: day }]

const lastHour = Math.floor(to / hour) * hour

/** The statements of a question that is asked at the end of its range. */
function planOf(
  { report, query }: Asked,
  { range, length, end }: { readonly range: string; readonly length: number; readonly end: number },
  ids: { readonly eventId: string | undefined; readonly sessionId: string | undefined },
  known?: Knowledge,
): readonly Statement<unknown>[] {
  const period = 'startAt' in query ? { startAt: String(end - length), endAt: String(end - 1) } : {}
  const unit = units[range] !== undefined && 'unit' in report.query.parameters ? { unit: units[range] } : {}
  const input = inputOf({ report, websiteId: largest, ...ids, query: Object.entries({ ...query, ...period, ...unit }) })
  const scope = { ...wholeWebsite(largest), closedBefore: lastDay, ...(known && { known }) }
  return Object.values(report.plan({ ...input, now: end } as never, scope))
}

/** Without the limits of memory of reports: what they would pass is to be seen. */
const settings = { ...settingsFor({ timeout: 600 }), ...afresh }

/** Runs the statements one after the other, and sees what they read and hold. */
async function firstLook(client: ClickHouseClient, plan: readonly Statement<unknown>[]) {
  let memory = 0
  let isDone = false
  const watching = (async () => {
    for (; !isDone; await pause(betweenLooks)) memory = Math.max(memory, await memoryNow(client))
  })()
  const answers: Parameters<typeof scanOf>[0][number][] = []
  try {
    for (const one of plan) answers.push(...(await askedBy(client, one, settings)))
  } finally {
    isDone = true
    await watching
  }
  return { ...scanOf(answers), memory }
}

/** In milliseconds. */
const betweenLooks = 5

/** The most bytes that a running statement has held so far, but for this one. */
async function memoryNow(client: ClickHouseClient): Promise<number> {
  const query = `select max(peak_memory_usage) as most from system.processes where query not like '%system.processes%'`
  const { data } = await ask(client, { query, query_params: {} })
  return Number((data as { most: number | string }[])[0]!.most)
}

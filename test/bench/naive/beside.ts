import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import * as z from 'zod'
import { settingsFor } from '../../../src/clickhouse/query.ts'
import { run } from '../../../src/clickhouse/run.ts'
import type { Answer } from '../../../src/endpoints/endpoint.ts'
import { madeFor } from '../../../src/made.ts'
import type { Knowledge } from '../../../src/query/language/known.ts'
import { type Compiled, compile, type Result, type Statement, select, sql } from '../../../src/query/language/sql.ts'
import { rows } from '../../../src/query/tables/rows.ts'
import { events } from '../../../src/query/tables/tables.ts'
import { noFilters } from '../../../src/request/filters.ts'
import { routeTo } from '../../support/route.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { eventIdsOf, largest, smallest, to } from '../data.ts'
import type { DataSet } from '../datasets.ts'
import type { Flags } from '../flags.ts'
import { ask, median, type Scan, timed } from '../measure.ts'
import { day } from '../requests.ts'
import { type GridCell, gridOf, pageSize } from './grid.ts'
import type { Beside, Layouts } from './layout.ts'

/** The website with the most events, or the one with the fewest. */
export type Size = 'largest' | 'smallest'

/** One measured cell; times in milliseconds. For the naive layout, a page's two statements run one after the other. */
export interface BesideCell extends Omit<GridCell, 'websiteId' | 'statements' | 'answer'> {
  readonly website: Size
  readonly runs: number
  readonly milliseconds: Beside<number>
  /** The time by ClickHouse's own account: without HTTP, the client and, locally, the engine's HTTP front. */
  readonly inClickHouse: Beside<number>
  readonly scan: Beside<Scan>
}

export interface BesideNaive {
  /** Whether the whole grid was measured. */
  readonly isWhole: boolean
  readonly cells: readonly BesideCell[]
  /** The time of the cheapest statement. */
  readonly least: Took
}

/** The number of ids that look-ups rotate through. */
const lookups = 100

/** Every chosen cell of the grid on the largest and the smallest website, in both layouts. */
export async function besideNaive(
  { layouts, server }: DataSet,
  { wantsEndpoint }: Pick<Flags, 'wantsEndpoint'>,
  progress: (line: string) => void,
): Promise<BesideNaive> {
  const cells: BesideCell[] = []
  let isWhole = true
  for (const [website, id] of [['largest', largest] as const, ['smallest', smallest] as const]) {
    const grid = gridOf(id, to, await eventIdsOf(layouts, id, lookups))
    const wanted = grid.filter(({ endpoint }) => wantsEndpoint(endpoint))
    isWhole &&= wanted.length === grid.length
    for (const cell of wanted) {
      progress(`beside the naive layout: ${cell.endpoint} over ${cell.range} of the ${website} website`)
      const answer = await cell.answer(0, (statement) => run(routeTo(server), statement, new AbortController().signal))
      cells.push({ website, ...(await besideEachOther(cell, answer, layouts)) })
    }
  }
  return { isWhole, cells, least: await leastTime(layouts) }
}

const leastRuns = 41

/** The median time of the cheapest statement that reads events of a website and range. */
async function leastTime(layouts: Layouts): Promise<Took> {
  const times: Took[] = []
  const ofLeast = { websiteId: smallest, statements: leastRead }
  for (let run = 0; run < leastRuns; run++) times.push(await weirTime(ofLeast, layouts, run))
  return mediansOf(times)
}

/** A count of the smallest website's day. */
const leastRead: GridCell['statements'] = (round) => {
  const period = { startAt: to - day, endAt: to - round }
  const ofDay = rows(events, { scope: wholeWebsite(smallest), period, filters: noFilters }, [sql`event_type != 5`])
  return { weir: [select(z.unknown)`select count() ${ofDay}`], naive: [] }
}

export const mediansOf = (times: readonly Took[]): Took => ({
  milliseconds: median(times.map(({ milliseconds }) => milliseconds)),
  inClickHouse: median(times.map(({ inClickHouse }) => inClickHouse)),
})

/**
 * The target time of a cell's runs in the naive layout, in milliseconds; the number of runs stays within these
 * bounds.
 */
const naiveTime = 1000
const runs = { fewest: 3, most: 15 }

async function besideEachOther(
  cell: GridCell,
  answer: Answer<unknown>,
  layouts: Layouts,
): Promise<Omit<BesideCell, 'website'>> {
  const { websiteId: _, statements, answer: __, ...named } = cell
  const first = statements(0)
  const weir: Asked[] = []
  for (const one of first.weir) weir.push(...(await askedBy(layouts.weir, one, afresh)))
  const started = performance.now()
  const naive: Asked[] = []
  for (const one of first.naive) naive.push(await ask(layouts.naive, one, afresh))
  const wanted = Math.ceil(naiveTime / (performance.now() - started))
  checkSame(
    cell,
    answer,
    naive.map(({ data }) => data as Rows),
  )
  const counted = Math.min(Math.max(wanted, runs.fewest), runs.most)
  const times = await timesOf(cell, layouts, counted)
  return { ...named, runs: counted, ...times, scan: { weir: scanOf(weir), naive: scanOf(naive) } }
}

/** Alternates between both layouts, with the order reversed each round. The first look has warmed up both. */
async function timesOf(
  cell: GridCell,
  layouts: Layouts,
  runs: number,
): Promise<Pick<BesideCell, 'milliseconds' | 'inClickHouse'>> {
  const times = { weir: [] as Took[], naive: [] as Took[] }
  for (let round = 1; round <= runs; round++) {
    const turns = [
      async () => times.weir.push(await weirTime(cell, layouts, round)),
      async () => times.naive.push(await naiveTimeOf(cell, layouts, round)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const [weir, naive] = [mediansOf(times.weir), mediansOf(times.naive)]
  const both = (of: keyof Took) => ({ weir: weir[of], naive: naive[of] })
  return { milliseconds: both('milliseconds'), inClickHouse: both('inClickHouse') }
}

/** The time of an answer in milliseconds: in total, and by ClickHouse's own account. */
export interface Took {
  readonly milliseconds: number
  readonly inClickHouse: number
}

/** The Worker's settings; the naive layout uses ClickHouse's defaults. */
const settings = settingsFor({ timeout: 600 })

/** What is timed: the statements of one round, made with what is known of the website. */
interface Timed {
  readonly websiteId: string
  readonly statements: (
    round: number,
    known?: Knowledge,
  ) => {
    readonly weir: readonly Statement<unknown>[]
  }
}

/** Runs the statements of a plan together, like the Worker. */
export const weirTime = async (
  { websiteId, statements }: Timed,
  { weir }: Pick<Layouts, 'weir'>,
  round: number,
): Promise<Took> => {
  const plan = await plannedBy(weir, websiteId, (known) => statements(round, known).weir)
  let elapsed: number[] = []
  const milliseconds = await timed(async () => {
    elapsed = await Promise.all(plan.map(async (one) => elapsedOf(await askedBy(weir, one, settings))))
  })
  return { milliseconds, inClickHouse: Math.max(...elapsed) }
}

/** Runs the statements one after the other: first the count, then the page. */
export const naiveTimeOf = async (
  { statements }: Pick<GridCell, 'statements'>,
  { naive }: Layouts,
  round: number,
): Promise<Took> => timeOf(statements(round).naive, naive)

/** Runs statements one after the other. */
export async function timeOf(compiled: readonly Compiled[], client: ClickHouseClient): Promise<Took> {
  let inClickHouse = 0
  const milliseconds = await timed(async () => {
    for (const one of compiled) inClickHouse += elapsedOf([await ask(client, one)])
  })
  return { milliseconds, inClickHouse }
}

type Asked = Awaited<ReturnType<typeof ask>>

/** The requests for a statement, like the Worker: the cheaper statements, then the whole one if needed. */
export async function askedBy(
  client: ClickHouseClient,
  { body, cheaper = [] }: Statement<unknown>,
  settings: ClickHouseSettings,
): Promise<Asked[]> {
  const asked: Asked[] = []
  const all = (some: readonly Statement<unknown>[]) => Promise.all(some.map((one) => askedBy(client, one, settings)))
  for (const { statements, checks = [], result } of cheaper) {
    const found = await all(statements)
    const checked = await all(checks)
    asked.push(...found.flat(), ...checked.flat())
    const holds = checked.every((answers) => (answers.at(-1)!.data[0] as { holds: number }).holds === 1)
    if (holds && result(found.map((answers) => resultOf(answers.at(-1)!)))) return asked
  }
  return [...asked, await ask(client, compile(body), settings)]
}

const resultOf = ({ data, rows }: Asked) => ({ rows: data, total: rows }) as unknown as Result<never>

/** What was found out, which isolates keep, too. The same website is in several databases. */
const foundBy = new WeakMap<ClickHouseClient, Map<string, Result<unknown>>>()

/** A plan with what it wants to know of the website. */
export const plannedBy = async <Made extends object>(
  client: ClickHouseClient,
  websiteId: string,
  planning: (known?: Knowledge) => Made,
): Promise<Made> => planning(await knownBy(client, websiteId, Object.values(planning())))

/** What statements want to know of the website. */
export async function knownBy(
  client: ClickHouseClient,
  websiteId: string,
  plan: readonly Statement<unknown>[],
): Promise<Knowledge> {
  const found = madeFor(client, foundBy, () => new Map<string, Result<unknown>>())
  const known = new Map<string, Result<unknown>>()
  for (const { wants } of plan) {
    if (!wants) continue
    const key = `${websiteId} ${wants.key}`
    const asked = found.has(key) ? [] : await askedBy(client, wants.statement, settings)
    for (const one of asked) found.set(key, resultOf(one))
    known.set(wants.key, found.get(key)!)
  }
  return { found: known, failed: new Set() }
}

/** In milliseconds. */
const elapsedOf = (answers: readonly Asked[]): number =>
  answers.reduce((sum, { statistics }) => sum + 1000 * (statistics?.elapsed ?? Number.NaN), 0)

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Turns off the query condition cache while the reads of a cell are counted. */
export const afresh: ClickHouseSettings = { use_query_condition_cache: 0 }

export const scanOf = (answers: readonly Asked[]): Scan => ({
  rows: answers.reduce((sum, { statistics }) => sum + (statistics?.rows_read ?? 0), 0),
  bytes: answers.reduce((sum, { statistics }) => sum + (statistics?.bytes_read ?? 0), 0),
})

/** Throws if the layouts answer a cell with different numbers of rows or different counts. */
function checkSame(cell: GridCell, { body }: Answer<unknown>, naive: readonly Rows[]): void {
  const { data = body, count } = body as { data?: unknown; count?: number }
  const rows = Array.isArray(data)
    ? { weir: data as Rows, naive: naive.at(-1)! }
    : { weir: [data] as Rows, naive: naive[0]! }
  const found = {
    weir: { rows: rows.weir.length, count, figures: rows.weir.map(figuresOf) },
    naive: { rows: rows.naive.length, count: count && Number(naive[0]![0]!.total), figures: rows.naive.map(figuresOf) },
  }
  const isPage = cell.range === 'any' || rows.weir.length <= pageSize
  if (isPage && JSON.stringify(found.weir) === JSON.stringify(found.naive)) return
  throw new Error(`${cell.endpoint} over ${cell.range} differs between the layouts: ${JSON.stringify(found)}`)
}

/** The number columns with the same name in both layouts. */
const counts = ['total', 'events', 'visitors', 'visits', 'properties', 'records', 'hasData']

const figuresOf = (row: Rows[number]): number[] =>
  counts.flatMap((name) => (row[name] === undefined ? [] : [Number(row[name])]))

export const ratioOf = ({ milliseconds: { weir, naive } }: Pick<BesideCell, 'milliseconds'>): number => naive / weir

export const ownRatioOf = ({ inClickHouse: { weir, naive } }: Pick<BesideCell, 'inClickHouse'>): number => naive / weir

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import { settingsFor } from '../../src/clickhouse/query.ts'
import { madeFor } from '../../src/made.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import { type Compiled, compile } from '../../src/query/language/sql.ts'
import type { Result, Statement } from '../../src/query/language/statement.ts'

/** The cost of an answer, in milliseconds. */
export interface Cost {
  /** The time until the client has received the answer. */
  readonly milliseconds: number
  /** ClickHouse's processor time. */
  readonly processor: number
}

/** The rows and bytes that statements scanned. */
export interface Scan {
  readonly rows: number
  readonly bytes: number
}

export type Asked = Awaited<ReturnType<typeof ask>>

export async function ask(client: ClickHouseClient, compiled: Compiled, clickhouse_settings: ClickHouseSettings = {}) {
  const result = await client.query({ ...compiled, format: 'JSON', clickhouse_settings })
  return result.json()
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}

/** The quantile for this fraction; undefined without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const medianCost = (costs: readonly Cost[]): Cost => ({
  milliseconds: median(costs.map(({ milliseconds }) => milliseconds)),
  processor: median(costs.map(({ processor }) => processor)),
})

/** Measures the processor time of work on one server. */
export type Clock = Awaited<ReturnType<typeof clockOf>>

const looks = 21

/**
 * A clock based on the counters of the whole server, on which nothing else may run. The time that it takes to read
 * the counters is subtracted.
 */
export async function clockOf(client: ClickHouseClient) {
  const differences: number[] = []
  let last = await worked(client)
  for (let count = 0; count < looks; count++) {
    const now = await worked(client)
    differences.push(now - last)
    last = now
  }
  const ofLook = median(differences)
  return {
    async costOf(work: () => Promise<unknown>): Promise<Cost> {
      const before = await worked(client)
      const milliseconds = await timed(work)
      return { milliseconds, processor: Math.max(0, (await worked(client)) - before - ofLook) }
    },
  }
}

/** The total processor time of all statements since the server started, in milliseconds. */
async function worked(client: ClickHouseClient): Promise<number> {
  const query = "select value from system.events where event = 'OSCPUVirtualTimeMicroseconds'"
  const { data } = await ask(client, { query, query_params: {} })
  const [row] = data as { value: number | string }[]
  return Number(row?.value ?? 0) / 1000
}

/** The Worker's settings; the naive layout uses ClickHouse's defaults. */
export const settings = settingsFor({ timeout: 600 })

/** Turns off the query condition cache, so that all rows read are counted. */
export const afresh: ClickHouseSettings = { use_query_condition_cache: 0 }

/** Runs a statement like the Worker: first the cheaper statements, then the whole one if needed. */
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

/** Runs a plan's statements concurrently, like the Worker. */
export const together = (client: ClickHouseClient, plan: readonly Statement<unknown>[]): Promise<unknown> =>
  Promise.all(plan.map((one) => askedBy(client, one, settings)))

export const scanOf = (answers: readonly Asked[]): Scan => ({
  rows: answers.reduce((sum, { statistics }) => sum + (statistics?.rows_read ?? 0), 0),
  bytes: answers.reduce((sum, { statistics }) => sum + (statistics?.bytes_read ?? 0), 0),
})

const resultOf = ({ data, rows }: Asked) => ({ rows: data, total: rows }) as unknown as Result<never>

/**
 * The results of preparatory statements, cached as in isolates, but by database, because all databases have the same
 * websites.
 */
const foundBy = new WeakMap<ClickHouseClient, Map<string, Result<unknown>>>()

/** Looks up what statements need to know about the website. */
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

/** The statements of a plan, which is made after the look-ups that it needs. */
export const plannedBy = async (
  client: ClickHouseClient,
  websiteId: string,
  planning: (known?: Knowledge) => readonly Statement<unknown>[],
): Promise<readonly Statement<unknown>[]> => planning(await knownBy(client, websiteId, planning()))

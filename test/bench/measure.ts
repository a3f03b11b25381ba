import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import type { Compiled } from '../../src/query/language/sql.ts'
import type { Case, Request } from './requests.ts'

/** The two ways to the same answer. */
export interface Ways {
  readonly worker: { readonly url: string; readonly key: string }
  readonly direct: ClickHouseClient
}

/** The rows and bytes that statements scanned. */
export interface Scan {
  readonly rows: number
  readonly bytes: number
}

/** One measured cell; times in milliseconds. */
export interface Cell {
  readonly endpoint: string
  readonly range: string
  readonly isPaged: boolean
  readonly worker: number
  readonly direct: number
  /** The scan of everything except the count: the page, the list, the totals. */
  readonly read: Scan
  readonly count: Scan | undefined
}

const warmUps = 2

/** Alternates between both ways, with the order reversed each round; each has its own requests. */
export async function measured(one: Case, ways: Ways, runs: number): Promise<Cell> {
  const times = { worker: [] as number[], direct: [] as number[] }
  for (let round = 0; round < warmUps + runs; round++) {
    const worker = () => timed(() => throughWorker(ways, one.request(2 * round)))
    const direct = () => timed(() => straight(ways.direct, one.request(2 * round + 1)))
    const pair =
      round % 2 === 0
        ? { worker: await worker(), direct: await direct() }
        : { direct: await direct(), worker: await worker() }
    if (round < warmUps) continue
    times.worker.push(pair.worker)
    times.direct.push(pair.direct)
  }
  return { ...named(one), worker: median(times.worker), direct: median(times.direct), ...(await scans(one, ways)) }
}

const named = ({ endpoint, range, isPaged }: Case) => ({ endpoint, range, isPaged })

/** The largest scan among look-ups of these ids. */
export async function mostRead(one: Case, ways: Ways, lookups: number): Promise<Scan> {
  const all: Scan[] = []
  for (let round = 0; round < lookups; round++) all.push((await scansOf(one.request(round), ways)).read)
  return all.reduce((most, scan) => (scan.rows > most.rows ? scan : most))
}

const scans = (one: Case, ways: Ways) => scansOf(one.request(0), ways)

/** The scans without ClickHouse's query condition cache, as for a first request. */
async function scansOf({ statements }: Request, { direct }: Ways): Promise<{ read: Scan; count: Scan | undefined }> {
  const read: Scan[] = []
  let count: Scan | undefined
  for (const [name, compiled] of Object.entries(statements)) {
    const { statistics } = await ask(direct, compiled, { use_query_condition_cache: 0 })
    const scan = { rows: statistics?.rows_read ?? 0, bytes: statistics?.bytes_read ?? 0 }
    if (name === 'count') count = scan
    else read.push(scan)
  }
  return { read: read.reduce((sum, { rows, bytes }) => ({ rows: sum.rows + rows, bytes: sum.bytes + bytes })), count }
}

export async function throughWorker({ worker }: Ways, { path }: Request): Promise<void> {
  const response = await fetch(worker.url + path, { headers: { authorization: `Bearer ${worker.key}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
  if (response.headers.get('x-cache') === 'HIT') throw new Error(`${path} was answered from the cache.`)
  JSON.parse(body)
}

/** Runs the statements of a plan together, like the Worker. */
export async function straight(client: ClickHouseClient, { statements }: Request): Promise<void> {
  await Promise.all(Object.values(statements).map((compiled) => ask(client, compiled)))
}

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

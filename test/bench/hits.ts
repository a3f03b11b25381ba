import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import type { Server } from '../../src/clickhouse/server.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { bearer, credentialsFor, type Headers, post } from './access.ts'
import { type Load, load } from './load.ts'
import { median } from './measure.ts'
import { observed } from './observed.ts'
import { childrenNamed, processorTime } from './processes.ts'
import { type Recording, recording } from './recording.ts'
import type { Case } from './requests.ts'
import { shipped } from './shipped.ts'

/** Compares an answer from the cache with a constant of the same length; requests per second. */
export interface HitCost {
  readonly credential: string
  readonly endpoint: string
  readonly range: string
  /** The length of the body. */
  readonly bytes: number
  readonly hits: number
  readonly constant: number
  /** The median of the rounds' ratios. */
  readonly ratio: number
  /** The median of workerd's processor time per request, in microseconds; NaN if it cannot be read. */
  readonly processor: Readonly<Record<'hit' | 'constant', number>>
  /** The calls that the hits caused. */
  readonly calls: Calls
}

interface Calls {
  readonly hits: number
  readonly d1: number
  readonly clickhouse: number
}

export interface CacheFindings {
  readonly connections: number
  readonly rounds: number
  readonly cells: readonly HitCost[]
  /** The smallest busy share of workerd, and the largest busy share of the client. */
  readonly share: Readonly<Record<'workerd' | 'client', number>>
}

interface Asked {
  readonly cases: readonly Case[]
  /** The admin key of the data folder. */
  readonly key: string
}

/** One case with one credential. */
interface Hit {
  readonly credential: string
  readonly one: Case
  readonly headers: Headers
  readonly text: string
  readonly calls: Calls
}

type Progress = (line: string) => void
type Options = ReturnType<typeof shipped>

const connections = 50
const rounds = 11
const milliseconds = 500

/** Runs two Workers in one workerd: the bundled one, and one that answers with constants. */
export async function hitCosts(
  dataDir: string,
  server: Server,
  asked: Asked,
  progress: Progress,
): Promise<CacheFindings> {
  const clickhouse = await recording(server)
  try {
    const options = shipped(dataDir, clickhouse.server)
    const hits = await countedHits(options, clickhouse, asked)
    const entry = await bundle(`${dataDir}/constant`, 'test/bench/constant-worker.ts')
    const TEXTS = Object.fromEntries(hits.map(({ text }, index) => [index, text]))
    const constant = { ...options, name: 'constant', script: readFileSync(entry, 'utf8'), bindings: { TEXTS } }
    return await inOneProcess(options, constant, (urls, workerd) => ratesOf(hits, urls, workerd, progress))
  } finally {
    await clickhouse.close()
  }
}

/**
 * Every case with every credential: one request to fill the cache, then many. Counts the later ones' calls to D1 and
 * ClickHouse.
 */
async function countedHits(options: Options, clickhouse: Recording, { cases, key }: Asked): Promise<Hit[]> {
  const worker = await observed(options)
  const hits: Hit[] = []
  try {
    for (const one of cases) {
      const { path } = one.request(0)
      const websiteId = path.split('/')[3]!
      await post(`${worker.url}/api/websites/${websiteId}`, { public: { events: true } }, bearer(key))
      for (const [credential, headers] of [...(await credentialsFor(worker.url, websiteId, key)), nobody]) {
        const { text } = await answered(worker.url + path, headers)
        await hit(worker.url + path, headers)
        worker.look()
        clickhouse.look()
        for (let count = 0; count < counted; count++) await hit(worker.url + path, headers)
        const calls = { hits: counted, d1: worker.look().length, clickhouse: clickhouse.look().length }
        hits.push({ credential, one, headers, text, calls })
      }
    }
    return hits
  } finally {
    await worker.close()
  }
}

const counted = 200

const nobody: readonly [string, Headers] = ['none, public', {}]

async function answered(url: string, headers: Headers): Promise<{ text: string; cache: string | null }> {
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return { text, cache: response.headers.get('x-cache') }
}

async function hit(url: string, headers: Headers): Promise<void> {
  const { cache } = await answered(url, headers)
  if (!/hit/i.test(cache ?? '')) throw new Error(`${url} was not answered from the cache: X-Cache is ${cache}.`)
}

interface Urls {
  readonly weir: string
  readonly constant: string
}

async function inOneProcess<Found>(
  { d1Persist, cf, ...weir }: Options,
  {
    d1Persist: _,
    cf: __,
    ...constant
  }: Omit<Options, 'bindings'> & { bindings: Record<string, Record<string, string>> },
  work: (urls: Urls, workerd: number | undefined) => Promise<Found>,
): Promise<Found> {
  const before = new Set(childrenNamed('workerd'))
  const miniflare = new Miniflare({ d1Persist, cf, workers: [weir, constant] })
  const urlOf = async ({ name }: { name: string }) => (await miniflare.unsafeGetDirectURL(name)).origin
  try {
    await miniflare.ready
    const workerd = childrenNamed('workerd').find((number) => !before.has(number))
    return await work({ weir: await urlOf(weir), constant: await urlOf(constant) }, workerd)
  } finally {
    await miniflare.dispose()
  }
}

/** Alternates between both for every hit, with the order reversed each round, after a round to warm up. */
async function ratesOf(
  hits: readonly Hit[],
  urls: Urls,
  workerd: number | undefined,
  progress: Progress,
): Promise<CacheFindings> {
  const cells: HitCost[] = []
  const loads: Loaded[] = []
  for (const [index, { credential, one, headers, text, calls }] of hits.entries()) {
    const { endpoint, range } = one
    progress(`answers from the cache: ${credential}, ${endpoint} over ${range}`)
    const url = urls.weir + one.request(0).path
    await answered(url, headers)
    const found = await turnsOf({ url, headers }, { url: `${urls.constant}/${index}`, headers }, workerd)
    await hit(url, headers)
    loads.push(...found.weir, ...found.constant)
    const [rates, constants] = [found.weir.map(rateOf), found.constant.map(rateOf)]
    const ratio = median(rates.map((rate, round) => rate / constants[round]!))
    const bytes = Buffer.byteLength(text)
    const processor = { hit: median(found.weir.map(workOf)), constant: median(found.constant.map(workOf)) }
    const medians = { hits: median(rates), constant: median(constants), ratio, processor }
    cells.push({ credential, endpoint, range, bytes, calls, ...medians })
  }
  const workerdShare = Math.min(...loads.map((one) => one.serverShare))
  const clientShare = Math.max(...loads.map((one) => one.clientShare))
  return { connections, rounds, cells, share: { workerd: workerdShare, client: clientShare } }
}

interface Loaded extends Load {
  /** The busy share of workerd's time; NaN if it cannot be read. */
  readonly serverShare: number
}

/** The processor time of one request, in microseconds. */
const workOf = ({ serverShare, seconds, requests }: Loaded): number => (1e6 * serverShare * seconds) / requests

const rateOf = ({ requests, seconds }: Load): number => requests / seconds

interface Target {
  readonly url: string
  readonly headers: Headers
}

async function turnsOf(weir: Target, constant: Target, workerd: number | undefined) {
  const found = { weir: [] as Loaded[], constant: [] as Loaded[] }
  for (let round = 0; round <= rounds; round++) {
    const turns = [
      async () => found.weir.push(await loaded(weir, workerd)),
      async () => found.constant.push(await loaded(constant, workerd)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  return { weir: found.weir.slice(1), constant: found.constant.slice(1) }
}

async function loaded({ url, headers }: Target, workerd: number | undefined): Promise<Loaded> {
  const worked = () => (workerd === undefined ? undefined : processorTime(workerd)) ?? Number.NaN
  const before = worked()
  const found = await load({ url, headers, connections, milliseconds })
  return { ...found, serverShare: (worked() - before) / 1000 / found.seconds }
}

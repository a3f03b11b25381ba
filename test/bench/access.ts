import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import type { Server } from '../../src/clickhouse/server.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { median } from './measure.ts'
import { observed } from './observed.ts'
import type { Case, Request } from './requests.ts'

/** The cost of the access check per request: medians in milliseconds. */
export interface AccessCost {
  readonly credential: string
  readonly endpoint: string
  readonly range: string
  readonly checked: number
  readonly unchecked: number
  /** The confidence interval of the ratio: 19 of 20 resamples lie in it. */
  readonly between: readonly [number, number]
}

/** The round trips to D1 before the answer to the first request with a credential. */
export interface ColdCost {
  readonly credential: string
  readonly checked: number
  readonly unchecked: number
}

export interface AccessFindings {
  readonly pairs: number
  readonly warm: readonly AccessCost[]
  readonly cold: readonly ColdCost[]
}

interface Asked {
  readonly cases: readonly Case[]
  /** The admin key of the data folder. */
  readonly key: string
  readonly pairs: number
}

type Progress = (line: string) => void
export type Headers = Readonly<Record<string, string>>
type Options = ReturnType<typeof bundled>

/** Compares two Workers on one engine: the bundled one, and the same without its access check. */
export async function accessCosts(
  dataDir: string,
  server: Server,
  asked: Asked,
  progress: Progress,
): Promise<AccessFindings> {
  const checked = bundled(dataDir, 0, server)
  const entry = await bundle(`${dataDir}/unchecked`, 'test/bench/unchecked-worker.ts')
  const both = { checked, unchecked: { ...checked, name: 'unchecked', script: readFileSync(entry, 'utf8') } }
  const warm: AccessCost[] = []
  const cold: ColdCost[] = []
  await inOneProcess(both, async (urls) => {
    for (const one of asked.cases) {
      const credentials = await credentialsFor(urls.checked, websiteOf(one), asked.key)
      for (const [credential, headers] of credentials) {
        progress(`measuring the access check: ${credential}, ${one.endpoint} over ${one.range}`)
        const times = await timesOf(one, asked.pairs, urls, headers)
        warm.push({ credential, endpoint: one.endpoint, range: one.range, ...judged(times) })
        if (one !== asked.cases[0]) continue
        const [first, second] = [await coldTrips(checked, one, headers), await coldTrips(both.unchecked, one, headers)]
        cold.push({ credential, checked: first, unchecked: second })
      }
    }
  })
  return { pairs: asked.pairs, warm, cold }
}

type Both<Value> = Readonly<Record<'checked' | 'unchecked', Value>>

/** Runs both in one workerd, so that they differ only in the check. */
async function inOneProcess(
  { checked: { d1Persist, cf, ...checked }, unchecked: { d1Persist: _, cf: __, ...unchecked } }: Both<Options>,
  work: (urls: Both<string>) => Promise<void>,
): Promise<void> {
  const miniflare = new Miniflare({ d1Persist, cf, workers: [checked, unchecked] })
  const urlOf = async ({ name }: { name: string }) => (await miniflare.unsafeGetDirectURL(name)).origin
  try {
    await work({ checked: await urlOf(checked), unchecked: await urlOf(unchecked) })
  } finally {
    await miniflare.dispose()
  }
}

const websiteOf = (one: Case): string => one.request(0).path.split('/')[3]!

/** Makes one credential of each kind through the API. */
export async function credentialsFor(
  url: string,
  websiteId: string,
  key: string,
): Promise<ReadonlyMap<string, Headers>> {
  const admin = bearer(key)
  const user = { username: `bench-${randomUUID()}`, password: 'a password for the benchmark' }
  await post(`${url}/api/users`, { ...user, role: 'admin' }, admin)
  const { token } = await post<{ token: string }>(`${url}/api/auth/login`, user)
  const share = { name: 'benchmark', parameters: { events: true } }
  const { slug } = await post<{ slug: string }>(`${url}/api/websites/${websiteId}/shares`, share, admin)
  const opened = (await (await fetch(`${url}/api/share/${slug}`)).json()) as { token: string }
  return new Map([
    ['API key', admin],
    ['sign-in', bearer(token)],
    ['share', { 'x-weir-share-token': opened.token }],
  ])
}

export const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

export async function post<Answer>(url: string, body: object, headers: Headers = {}): Promise<Answer> {
  const json = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

const warmUps = 20

/** Alternates between both, with the order reversed each round. No two requests are equal. */
async function timesOf(one: Case, pairs: number, urls: Both<string>, headers: Headers): Promise<Both<number[]>> {
  const times: Both<number[]> = { checked: [], unchecked: [] }
  for (let round = 0; round < warmUps + pairs; round++) {
    const ways = ['checked', 'unchecked'] as const
    for (const [index, way] of (round % 2 === 0 ? ways : ways.toReversed()).entries()) {
      const time = await timed(urls[way], one.request(2 * round + index), headers)
      if (round >= warmUps) times[way].push(time)
    }
  }
  return times
}

async function timed(url: string, { path }: Request, headers: Headers): Promise<number> {
  const started = performance.now()
  const response = await fetch(url + path, { headers })
  const body = await response.text()
  const time = performance.now() - started
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
  return time
}

const samples = 1000

function judged({ checked, unchecked }: Both<number[]>): Pick<AccessCost, 'checked' | 'unchecked' | 'between'> {
  const ratios = Array.from({ length: samples }, () => {
    const drawn = checked.map(() => Math.floor(Math.random() * checked.length))
    return median(drawn.map((round) => checked[round]!)) / median(drawn.map((round) => unchecked[round]!))
  }).sort((left, right) => left - right)
  return {
    checked: median(checked),
    unchecked: median(unchecked),
    between: [ratios[Math.floor(0.025 * samples)]!, ratios[Math.ceil(0.975 * samples) - 1]!],
  }
}

/**
 * The round trips of the first request to a new Worker. The Worker stores a key's last use after the answer, so that
 * write is not counted.
 */
async function coldTrips(options: Options, one: Case, headers: Headers): Promise<number> {
  const worker = await observed(options)
  try {
    await timed(worker.url, one.request(0), headers)
    return worker.look().filter(([first]) => first!.startsWith('SELECT')).length
  } finally {
    await worker.close()
  }
}

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Miniflare } from 'miniflare'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { forEach } from '../support/concurrently.ts'
import { bearer } from './access.ts'
import { type Inspected, inspected } from './inspected-worker.ts'
import { median } from './measure.ts'
import { openSockets, residentMiB } from './processes.ts'
import {
  cities,
  events,
  insertEvents,
  optionsOver,
  placeOf,
  questionRange,
  type Region,
  startRegion,
  steadily,
  uuid,
} from './region.ts'
import { websitesAndKey, withWorker } from './through.ts'

/** Three regions under a steady rate of all kinds of requests: whether memory and connections grow. */
export interface SoakFindings {
  readonly minutes: number
  /** Requests a second. */
  readonly rate: number
  readonly events: number
  readonly kinds: readonly KindOfRequest[]
  readonly samples: readonly Sample[]
  readonly processes: readonly Trend[]
  /** The Worker's heap after a garbage collection, in MiB. */
  readonly heap: { readonly early: number; readonly late: number }
}

export interface KindOfRequest {
  readonly kind: string
  readonly requests: number
  /** Answers with a 5xx, and requests without an answer. */
  readonly failed: number
  /** Other answers whose status was not the expected one. */
  readonly strange: number
  readonly hits: number
  /** In milliseconds. */
  readonly median: number
}

export interface Usage {
  /** Resident memory, in MiB. */
  readonly memory: number
  readonly sockets: number
}

export interface Sample {
  /** Since the first request, in seconds. */
  readonly at: number
  readonly heap: number
  readonly of: Readonly<Record<string, Usage>>
}

/** A process: medians of two parts of the time. */
export interface Trend {
  readonly process: string
  readonly early: Usage
  readonly late: Usage
}

/** Requests a second. It leaves most of two cores idle: nothing may pile up because the machine is too slow. */
const rate = 20

/** Between two samples, in seconds. */
const period = 10

/** The parts of the time that are compared; of ten minutes, the second to the fourth, and the last two. */
const earlyPart = [0.1, 0.4] as const
const latePart = [0.8, 1] as const

export async function soakOf(dir: string, minutes: number, progress: (line: string) => void): Promise<SoakFindings> {
  rmSync(dir, { recursive: true, force: true })
  const websiteId = randomUUID()
  const regions: Region[] = []
  let worker: Inspected | undefined
  try {
    for (const { name } of cities) {
      progress(`filling ${name}`)
      const region = await startRegion(`${dir}/${name}`, visits(websiteId))
      regions.push(region)
      await region.beat()
    }
    await bundle(places(dir).bundle)
    const key = await withWorker(dir, regions[0]!.server, ({ metadata }) => websitesAndKey(metadata, [websiteId]))
    // Without the proxies: the sockets are those between workerd and ClickHouse.
    const direct = regions.map(({ server }) => ({ server, url: server.url }))
    worker = await inspected(optionsOver(dir, direct))
    if (!worker) throw new Error('This system does not show the memory of processes.')
    return await soaked(worker, regions, { websiteId, key, minutes }, progress)
  } finally {
    await worker?.close()
    for (const one of regions) await one.close()
  }
}

/** Visitors with twenty views and events each, of which every fourth has a property. */
const visits = (websiteId: string): string => {
  const session = 'intDiv(number, 20)'
  const has = 'number % 4 = 0'
  return insertEvents({
    website_id: `'${websiteId}'`,
    event_id: uuid(1, 'number'),
    session_id: uuid(2, session),
    visit_id: uuid(3, session),
    event_name: `if(number % 3 = 0, concat('name ', toString(number % 7)), '')`,
    url_path: `concat('/page/', toString(cityHash64(number) % 200))`,
    referrer_domain: `['', 'google.com', 'example.org'][${session} % 3 + 1]`,
    browser: `['chrome', 'firefox', 'safari'][${session} % 3 + 1]`,
    country: `['DE', 'US', 'FR', 'AU'][${session} % 4 + 1]`,
    '`properties.key`': `if(${has}, ['plan'], [])`,
    '`properties.data_type`': `if(${has}, [1], [])::Array(UInt8)`,
    '`properties.string_value`': `if(${has}, [concat('plan ', toString(number % 5))], [])`,
    '`properties.number_value`': `if(${has}, [null], [])::Array(Nullable(Decimal(22, 4)))`,
    '`properties.date_value`': `if(${has}, [null], [])::Array(Nullable(DateTime64(3, 'UTC')))`,
  })
}

interface Asked {
  readonly websiteId: string
  readonly key: string
  readonly minutes: number
}

async function soaked(
  worker: Inspected,
  regions: readonly Region[],
  { websiteId, key, minutes }: Asked,
  progress: (line: string) => void,
): Promise<SoakFindings> {
  const kinds = kindsFor(websiteId)
  const send = (number: number) => answered(worker.miniflare, kinds[number % kinds.length]!, number, key)
  progress('filling the cache')
  await fillCache((number) => answered(worker.miniflare, kinds.find(({ kind }) => kind === pages)!, number, key))
  let isOver = false
  const sampling = sampled(worker, regions, minutes, progress).finally(() => {
    isOver = true
  })
  // The inspector answers only while requests come, so they come until the last sample.
  const [answers, samples] = await Promise.all([steadily(() => !isOver, rate, 0, send), sampling])
  const heaps = (part: readonly [number, number]) => median(within(samples, part).map(({ heap }) => heap))
  return {
    ...{ minutes, rate, events },
    kinds: kinds.map(({ kind, status }) => summary(kind, status, answers)),
    samples,
    processes: Object.keys(samples[0]!.of).map((process) => trendOf(process, samples)),
    heap: { early: heaps(earlyPart), late: heaps(latePart) },
  }
}

/** So many pages of 500 events fill the cache in the isolate's memory. */
const pages = 'pages of 500 events'
const fillingPages = 600

/** The cache grows up to its bound, which is no leak. So it is full before the first sample. */
async function fillCache(ask: (number: number) => Promise<Answer>): Promise<void> {
  const numbers = Array.from({ length: fillingPages }, (_, place) => 1_000_000 + place)
  await forEach(numbers, async (number) => {
    const { status } = await ask(number)
    if (status !== 200) throw new Error(`A page was answered with the status ${status}.`)
  })
}

interface Kind {
  readonly kind: string
  readonly status: number
  readonly request: (number: number) => Asking
}

interface Asking {
  readonly path: string
  readonly accept?: string
  readonly body?: object
  readonly key?: string
  /** The reader leaves after the first bytes. */
  readonly leaves?: true
}

/** Everything that a reader may do: answers from ClickHouse and from the cache, exports, batches, and mistakes. */
function kindsFor(websiteId: string): Kind[] {
  const website = `/api/websites/${websiteId}`
  const range = (number: number, more = '') => {
    const { startAt, endAt } = questionRange(number)
    return `startAt=${startAt}&endAt=${endAt}${more}`
  }
  const closed = range(0)
  const kind = (name: string, status: number, request: Kind['request']): Kind => ({ kind: name, status, request })
  const get = (name: string, report: string, more = '') =>
    kind(name, 200, (number) => ({ path: `${website}/${report}?${range(number, more)}` }))
  const rows = (number: number): Asking => ({
    path: `${website}/events?${range(number)}`,
    accept: number % 2 === 0 ? 'application/x-ndjson' : 'text/csv',
  })
  const paths = (number: number) => [
    `${website}/stats?${range(number)}`,
    `${website}/metrics?${range(number, '&type=browser')}`,
    `${website}/pageviews?${range(number, '&unit=hour&timezone=UTC')}`,
    `${website}/events/stats?${closed}`,
    `${website}/stats?startAt=then`,
  ]
  const funnel = (number: number) => {
    const { startAt, endAt } = questionRange(number)
    const steps = ['/page/1', '/page/2'].map((value) => ({ type: 'path', value }))
    const dates = { startDate: new Date(startAt).toISOString(), endDate: new Date(endAt).toISOString() }
    return { websiteId, type: 'funnel', filters: {}, parameters: { ...dates, window: 60, steps } }
  }
  return [
    get('totals', 'stats'),
    kind('from the cache', 200, () => ({ path: `${website}/stats?${closed}` })),
    get('series', 'pageviews', '&unit=hour&timezone=UTC'),
    kind('export', 200, rows),
    get('metrics', 'metrics', '&type=path'),
    kind('batch', 200, (number) => ({ path: '/api/read', body: { paths: paths(number) } })),
    get(pages, 'events', '&pageSize=500'),
    kind('bad range', 400, (number) => ({ path: `${website}/stats?startAt=${number}&endAt=then` })),
    get('with minAsOf', 'events/stats', '&minAsOf=now'),
    get('price', 'metrics', '&type=country&dryRun=1'),
    kind('live range', 200, () => ({ path: `${website}/stats?startAt=${Date.now() - 3_600_000}&endAt=${Date.now()}` })),
    kind('funnel', 200, (number) => ({ path: '/api/reports/funnel', body: funnel(number) })),
    kind('wrong key', 401, () => ({ path: `${website}/stats?${closed}`, key: `wrong-${randomUUID()}` })),
    get('sessions', 'sessions'),
    kind('export that its reader leaves', 200, (number) => ({ ...rows(number), leaves: true })),
    kind('unknown website', 403, () => ({ path: `/api/websites/${randomUUID()}/stats?${closed}` })),
    get('values of a property', 'event-data/values', '&propertyName=plan'),
    kind('minAsOf of tomorrow', 400, (number) => ({
      path: `${website}/stats?${range(number, `&minAsOf=${Date.now() + 86_400_000}`)}`,
    })),
    get('with a filter', 'stats', '&browser=chrome'),
    get('custom events', 'events/series', '&unit=hour&timezone=UTC'),
  ]
}

/** A moment that every replica has passed, even if the machine is busy: a minute ago. */
const passed = () => Date.now() - 60_000

interface Answer {
  readonly kind: string
  /** 0 without an answer. */
  readonly status: number
  readonly isHit: boolean
  /** In milliseconds. */
  readonly took: number
}

async function answered(worker: Miniflare, { kind, request }: Kind, number: number, admin: string): Promise<Answer> {
  const { path, accept, body, key = admin, leaves } = request(number)
  const began = performance.now()
  try {
    const answer = await worker.dispatchFetch(`http://weir${path.replace('minAsOf=now', `minAsOf=${passed()}`)}`, {
      headers: { ...bearer(key), ...(accept && { accept }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      cf: placeOf(Math.floor(number / 20)),
    })
    if (leaves) await left(answer.body!)
    else await answer.text()
    const isHit = answer.headers.get('x-cache') === 'HIT'
    return { kind, status: answer.status, isHit, took: performance.now() - began }
  } catch {
    return { kind, status: 0, isHit: false, took: performance.now() - began }
  }
}

async function left(body: { getReader(): { read(): Promise<unknown>; cancel(): Promise<void> } }): Promise<void> {
  const reader = body.getReader()
  await reader.read()
  await reader.cancel()
}

function summary(kind: string, expected: number, all: readonly Answer[]): KindOfRequest {
  const answers = all.filter((one) => one.kind === kind)
  const isFailed = ({ status }: Answer) => status === 0 || status >= 500
  return {
    kind,
    requests: answers.length,
    failed: answers.filter(isFailed).length,
    strange: answers.filter((one) => !isFailed(one) && one.status !== expected).length,
    hits: answers.filter(({ isHit }) => isHit).length,
    median: median(answers.map(({ took }) => took)),
  }
}

async function sampled(
  worker: Inspected,
  regions: readonly Region[],
  minutes: number,
  progress: (line: string) => void,
): Promise<Sample[]> {
  const processes = [['workerd', worker.pid], ...regions.map((one, index) => [cities[index]!.name, one.pid()])] as const
  const began = performance.now()
  const samples: Sample[] = []
  for (let next = period; next <= 60 * minutes; next += period) {
    await pause(began + 1000 * next - performance.now())
    const { heap } = await worker.held()
    const of = Object.fromEntries(
      processes.map(([name, pid]) => [name, { memory: residentMiB(Number(pid)), sockets: openSockets(Number(pid)) }]),
    )
    const at = (performance.now() - began) / 1000
    samples.push({ at, heap, of })
    const now = Object.entries(of).map(([name, { memory, sockets }]) => `${name} ${Math.round(memory)} MiB, ${sockets}`)
    progress(`soaking for ${Math.round(at)} of ${60 * minutes} s: heap ${heap.toFixed(1)} MiB; ${now.join('; ')}`)
  }
  return samples
}

const within = (samples: readonly Sample[], [from, until]: readonly [number, number]): readonly Sample[] =>
  samples.slice(Math.floor(from * samples.length), Math.ceil(until * samples.length))

function trendOf(process: string, samples: readonly Sample[]): Trend {
  const usage = (part: readonly [number, number]): Usage => {
    const looks = within(samples, part).map(({ of }) => of[process]!)
    return { memory: median(looks.map(({ memory }) => memory)), sockets: median(looks.map(({ sockets }) => sockets)) }
  }
  return { process, early: usage(earlyPart), late: usage(latePart) }
}

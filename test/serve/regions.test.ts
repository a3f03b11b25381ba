import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { places as placesOfData } from '../../src/local/paths.ts'
import { event, id } from '../oracle/fixtures.ts'
import { forLong, onlyOnError } from '../support/cache-times.ts'
import { copyTables } from '../support/cluster.ts'
import { weir } from '../support/commands.ts'
import { forEach } from '../support/concurrently.ts'
import { linesOf } from '../support/exports.ts'
import { runs } from '../support/long.ts'
import { answersPage, cities, cutsOff, type Fault, hangs, type Regions, regions } from '../support/regions.ts'
import { columnTime, websiteWith } from '../support/website.ts'
import { newWebsite, running } from '../support/weir.ts'

const startOfDay = Date.UTC(2025, 9, 15)
const minute = 60_000

/** One event per minute for ten hours, from seven sessions and with five names. */
const world = Array.from({ length: 600 }, (_, index) => ({
  moment: startOfDay + index * minute,
  session: index % 7,
  name: `name ${index % 5}`,
}))

let websiteId: string
let three: Regions

beforeAll(async () => {
  websiteId = await websiteWith(
    ...world.map(({ moment, session, name }, index) =>
      event({
        ...{ event_id: id(index), session_id: id(1000 + session), visit_id: id(2000 + session) },
        ...{ created_at: columnTime(moment), event_name: name },
      }),
    ),
  )
  three = await regions(forLong)
})

afterAll(() => three.close())

beforeEach(() => {
  for (const one of three.all) one.fails()
})

/** The expected `events/stats` for a range, counted directly. */
function statsOf(startAt: number, endAt: number): object {
  const events = world.filter(({ moment }) => startAt <= moment && moment <= endAt)
  const distinct = (what: 'session' | 'name') => new Set(events.map((one) => one[what])).size
  return {
    ...{ events: events.length, visitors: distinct('session'), visits: distinct('session') },
    uniqueEvents: distinct('name'),
  }
}

let questions = 0

/** A range that has not been requested before, and its correct answer. */
function question(): { path: string; right: object } {
  const number = questions++
  const startAt = startOfDay + (number % 97) * minute
  const endAt = startAt + (number % 311) * minute + number + 1
  const path = `/api/websites/${websiteId}/events/stats?startAt=${startAt}&endAt=${endAt}`
  return { path, right: statsOf(startAt, endAt) }
}

const admin = { authorization: `Bearer ${running.adminKey}` }

async function ask(path: string, cf: object = {}, init: RequestInit = {}) {
  const answer = await three.worker.dispatch(path, cf, { ...init, headers: { ...admin, ...init.headers } })
  const text = await answer.text()
  const header = (name: string): string | null => answer.headers.get(name)
  return { status: answer.status, text, header, replica: header('x-replica'), tries: header('x-tries') }
}

/** Asks a new question and checks its answer. */
async function askNew(cf: object = {}) {
  const { path, right } = question()
  const answer = await ask(path, cf)
  expect({ status: answer.status, cache: answer.header('x-cache') }).toEqual({ status: 200, cache: 'MISS' })
  expect(JSON.parse(answer.text).data).toMatchObject(right)
  return answer
}

const places = Object.values(cities)
const placesOf = (count: number) => Array.from({ length: count }, (_, index) => places[index % places.length]!)
const abandoned = () => three.all.reduce((sum, { counts }) => sum + counts.abandoned, 0)
const statements = () => three.all.reduce((sum, { counts }) => sum + counts.statements, 0)

/** The number of questions in each state of the replicas. */
const asked = runs(8, 100)

const isSlow: Fault = (_, __, pass) => void setTimeout(pass, 100)

// A slow replica causes at most ten hedged requests. So these tests run first, because on a busy machine, later tests
// cause hedges, too.
describe('a replica that never responds', () => {
  it('is skipped, and nothing from it is cached', () => isPassedOver(hangs))

  it('is skipped by an export before its first byte', () => isPassedOverByExport(hangs))

  it('has its statement cancelled once another replica has answered', async () => {
    const first = { fault: hangs as Fault | undefined }
    for (const one of three.all) one.failsOnce(first)
    const before = abandoned()
    await askNew()
    // More than one statement is cancelled if another replica happened to be slow and was hedged, too.
    await expect.poll(abandoned).toBeGreaterThan(before)
  })
})

describe('three replicas', () => {
  it('answer requests that arrive near them, or at an unknown location', async () => {
    for (const [name, cf] of Object.entries(cities)) {
      three.answersOnly(name)
      expect((await askNew(cf)).replica).toBe(name)
    }
    three.answersOnly('oregon')
    expect((await askNew()).replica).toBe('oregon')
  })

  it('answer each path in a batch near the location where the batch arrived', async () => {
    three.answersOnly('sydney')
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paths: [question().path, question().path] }),
    }
    const { answers } = JSON.parse((await ask('/api/read', cities.sydney, init)).text)
    expect(answers).toMatchObject(Array(2).fill({ status: 200, headers: { 'x-replica': 'sydney' } }))
  })

  it('are listed by /ready, each with its state', async () => {
    three.all[1]!.fails(cutsOff)
    const readiness = async () => {
      const { status, text } = await ask('/ready')
      return { status, body: JSON.parse(text) }
    }
    await expect.poll(readiness).toEqual({
      status: 200,
      body: {
        ok: true,
        d1: 'ready',
        replicas: [
          { name: 'oregon', state: 'ready' },
          { name: 'frankfurt', state: 'failing' },
          { name: 'sydney', state: 'ready' },
        ],
        logs: [{ name: 'log-0', state: 'ready', waiting: 0 }],
      },
    })
  })

  it('receive only one request if the pattern is invalid', async () => {
    // ClickHouse's error is returned immediately, without hedging.
    for (const one of three.all) one.fails(refusal(427, 'CANNOT_COMPILE_REGEXP'))
    const before = statements()
    expect((await ask(`${question().path}&path=re.%28`)).status).toBe(400)
    expect(statements()).toBe(before + 1)
  })
})

const json = { 'content-type': 'application/json' }

const wrong = '{"meta":[],"data":[{"f_events":1,"f_visitors":1,"f_visits":1,"f_uniqueEvents":1}],"rows":1}'
const says =
  (status: number, headers: Record<string, string>, body: string): Fault =>
  (_, outgoing) =>
    void outgoing.writeHead(status, headers).end(body)

/** Sends headers and part of a body, then closes the connection. */
const breaksOff =
  (headers: Record<string, string>, body: string): Fault =>
  (_, outgoing) => {
    outgoing.writeHead(200, headers)
    outgoing.write(body, () => outgoing.socket?.destroySoon())
  }

const exception = (code: number, name: string): string => `Code: ${code}. DB::Exception: secret-host-17. (${name})`
const refusal = (code: number, name: string): Fault =>
  says(500, { 'X-ClickHouse-Exception-Code': String(code) }, exception(code, name))

const faults: [string, Fault][] = [
  ['cuts the connection', cutsOff],
  ['has too many queries', refusal(202, 'TOO_MANY_SIMULTANEOUS_QUERIES')],
  ['has no free connection', refusal(203, 'NO_FREE_CONNECTION')],
  ['has no free thread', refusal(439, 'CANNOT_SCHEDULE_TASK')],
  ['is overloaded', refusal(745, 'SERVER_OVERLOADED')],
  [
    'has no memory left',
    says(500, {}, 'Code: 241. DB::Exception: (total) memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)'),
  ],
  ['is behind a failing proxy', says(502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>')],
  ['answers an HTML page', answersPage],
  ['answers garbage', says(200, json, '\u0000\u0001{"data":')],
  ['answers nothing', says(200, json, '')],
  ['answers half', says(200, json, wrong.slice(0, wrong.length / 2))],
  ['returns fewer rows than it says', says(200, json, wrong.replace('"rows":1', '"rows":2'))],
  ['breaks off in the middle', breaksOff({}, wrong.slice(0, 40))],
  ['says that the answer is longer than it is', breaksOff({ 'content-length': '4000' }, wrong)],
  ['says that the answer is shorter than it is', says(200, { 'content-length': '20' }, wrong.slice(0, 20))],
  ['writes an exception after a 200', says(200, json, `{"meta":[],"data":[\n${exception(395, 'FUNCTION_THROW')}`)],
  [
    'writes an exception into complete JSON after a 200',
    says(200, json, `{"meta":[],"data":[],"rows":0,"exception":${JSON.stringify(exception(210, 'NETWORK_ERROR'))}}`),
  ],
]

async function isPassedOver(fault: Fault): Promise<void> {
  const first = { fault: fault as Fault | undefined }
  for (const one of three.all) one.failsOnce(first)
  const { path, right } = question()
  const answer = await ask(path)
  expect(answer.status).toBe(200)
  expect(Number(answer.tries)).toBeGreaterThan(1)
  expect(JSON.parse(answer.text).data).toMatchObject(right)
  const kept = await ask(path)
  expect([kept.header('x-cache'), kept.replica, kept.tries]).toEqual(['HIT', answer.replica, null])
  expect(kept.text).toBe(answer.text)
}

async function isPassedOverByExport(fault: Fault): Promise<void> {
  const first = { fault: fault as Fault | undefined }
  for (const one of three.all) one.failsOnce(first)
  const path = `/api/websites/${websiteId}/events?startAt=${startOfDay}&endAt=${startOfDay + 10 * minute + questions++}`
  const answer = await ask(path, {}, { headers: { accept: 'application/x-ndjson' } })
  expect(answer.status).toBe(200)
  expect(Number(answer.tries)).toBeGreaterThan(1)
  expect(linesOf(answer.text)).toHaveLength(11)
}

describe('a failing replica', () => {
  it.each(faults)('is skipped, and nothing from it is cached: it %s', (_, fault) => isPassedOver(fault))

  it.each(faults)('is skipped by an export before the first byte is sent: it %s', (_, fault) =>
    isPassedOverByExport(fault),
  )
})

describe(`${5 * asked} questions`, () => {
  it('are answered correctly with all replicas, with one dead, one silent and one slow, and afterwards', async () => {
    const phase = (count: number) => forEach(placesOf(count), async (cf) => void (await askNew(cf)))
    const before = statements()
    await phase(asked)
    // Hedges are limited to a twentieth of the answers, plus a burst of ten.
    expect(statements() - before).toBeLessThanOrEqual(asked + asked / 20 + 10)
    const [oregon, frankfurt, sydney] = three.all
    oregon!.fails(cutsOff)
    await phase(asked)
    frankfurt!.fails(hangs)
    await phase(asked)
    sydney!.fails(isSlow)
    await phase(asked)
    for (const one of three.all) one.fails()
    await phase(asked)
  })
})

describe('three replicas that are down', () => {
  it('cause 503 except for cached answers; the first one to recover answers again', async () => {
    const down = await regions(onlyOnError)
    const asking = async (path: string) => {
      const answer = await down.worker.dispatch(path, {}, { headers: admin })
      const { headers } = answer
      await answer.text()
      return [answer.status, headers.get('x-cache'), headers.get('x-replica'), headers.get('retry-after')]
    }
    const { path: known } = question()
    down.answersOnly('oregon')
    expect(await asking(known)).toEqual([200, 'MISS', 'oregon', null])
    const before = down.all.map(({ counts }) => counts.statements)
    for (const one of down.all) one.fails(cutsOff)
    for (let request = 0; request < 8; request++) {
      expect(await asking(question().path)).toEqual([503, null, null, '5'])
      expect(await asking(known)).toEqual([200, 'STALE', 'oregon', null])
    }
    // Three requests have failed. Since then, only trial requests have been sent.
    for (const [index, { counts }] of down.all.entries()) {
      expect(counts.statements - before[index]!).toBeLessThanOrEqual(3)
    }
    down.all[1]!.fails()
    // This is the pause after the last trial request.
    await pause(500)
    expect(await asking(question().path)).toEqual([200, 'MISS', 'frankfurt', null])
    await down.close()
  })
})

/** A database in the shared engine that serves as a replica's database. */
async function replicaDatabase(database: string) {
  const { timeout: _, ...connection } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  const client = createClient(connection)
  await copyTables(client, connection.database, database)
  const insert = (table: string, values: object[]) =>
    client.insert({ table: `${database}.${table}`, values, format: 'JSONEachRow' })
  return {
    receives: (numbers: readonly number[], of: string) =>
      insert(
        'ingest',
        numbers.map((number) =>
          event({ event_id: id(number), website_id: of, created_at: columnTime(startOfDay + number * minute) }),
        ),
      ),
    beats: (at: number, source = '') => insert('heartbeats', [{ source, at: columnTime(at) }]),
    async drop() {
      await client.command({ query: `DROP DATABASE ${database}` })
      await client.close()
    },
  }
}

describe('a replica that no longer receives data', () => {
  const numbers = Array.from({ length: 25 }, (_, index) => index)
  const isLate = (number: number): boolean => number % 5 === 2
  const now = Date.now()
  // The replica lags, but not so far that it is the last choice.
  const [long, soon] = [now - 9000, now - 1000]
  const [longText, soonText] = [long, soon].map((moment) => new Date(moment).toISOString())
  let databases: Awaited<ReturnType<typeof replicaDatabase>>[]
  let lagging: Regions
  let site: string

  beforeAll(async () => {
    site = await newWebsite()
    const [ahead, behind] = await Promise.all(['weir_ahead', 'weir_behind'].map(replicaDatabase))
    databases = [ahead!, behind!]
    const early = numbers.filter((number) => !isLate(number))
    for (const one of databases) {
      await one.receives(early, site)
      await one.beats(long)
    }
    await ahead!.receives(numbers.filter(isLate), site)
    await ahead!.beats(soon)
    const of = { oregon: 'weir_ahead', frankfurt: 'weir_behind', sydney: 'weir_ahead' }
    lagging = await regions(forLong, of)
    // No replica is known to be so fresh, so each one receives a watermark request.
    await read(stats(0, `&minAsOf=${now}`), {})
  })

  beforeEach(() => {
    for (const one of lagging.all) one.fails()
  })

  afterAll(async () => {
    await lagging.close()
    for (const one of databases) await one.drop()
  })

  async function read(path: string, cf: object, init: RequestInit = {}) {
    const answer = await lagging.worker.dispatch(path, cf, { ...init, headers: { ...admin, ...init.headers } })
    const text = await answer.text()
    const header = (name: string): string | null => answer.headers.get(name)
    const [asOf, replica, cache] = ['x-as-of', 'x-replica', 'x-cache'].map(header)
    return { status: answer.status, asOf, replica, cache, header, text }
  }

  const stats = (end: number, more = '') =>
    `/api/websites/${site}/events/stats?startAt=${startOfDay}&endAt=${startOfDay + 60 * minute + end}${more}`
  const eventsIn = ({ text }: { text: string }): number => JSON.parse(text).data.events
  const post = (path: string, body: object, cf: object) =>
    read(path, cf, { method: 'POST', headers: json, body: JSON.stringify(body) })

  it('has its watermark shown in /ready and /metrics', async () => {
    await expect
      .poll(async () => JSON.parse((await read('/ready', {})).text).replicas)
      .toMatchObject([
        { name: 'oregon', asOf: soonText },
        { name: 'frankfurt', asOf: longText },
        { name: 'sydney', asOf: soonText },
      ])
    const headers = { authorization: `Bearer ${readFileSync(placesOfData(running.dataDir).metricsToken, 'utf8')}` }
    const metrics = async () => (await read('/metrics', {}, { headers })).text
    for (const [name, asOf] of [
      ['oregon', soon],
      ['frankfurt', long],
    ]) {
      const sample = `weir_clickhouse_as_of_timestamp_seconds{replica="${name}"} ${Number(asOf) / 1000}\n`
      await expect.poll(metrics).toContain(sample)
    }
  })

  it('sends its watermark with each answer: new, cached, unchanged, in a batch, or as an export', async () => {
    const { frankfurt, oregon } = cities
    lagging.answersOnly('frankfurt')
    const made = await read(stats(1), frankfurt)
    expect({ ...made, events: eventsIn(made) }).toMatchObject({
      ...{ status: 200, asOf: longText, replica: 'frankfurt', cache: 'MISS', events: 20 },
    })
    expect(await read(stats(1), oregon)).toMatchObject({ asOf: longText, cache: 'HIT' })
    const unchanged = await read(stats(1), oregon, { headers: { 'if-none-match': made.header('etag')! } })
    expect(unchanged).toMatchObject({ status: 304, asOf: longText })
    lagging.answersOnly('oregon')
    const other = await read(stats(2), oregon)
    expect([other.asOf, eventsIn(other)]).toEqual([soonText, 25])
    const batch = JSON.parse((await post('/api/read', { paths: [stats(2), stats(1)] }, oregon)).text)
    const each = batch.answers.map(({ headers }: { headers: Record<string, string> }) => headers['x-as-of'])
    expect([batch.asOf, each]).toEqual([longText, [soonText, longText]])
    const list = `/api/websites/${site}/events?startAt=${startOfDay}&endAt=${startOfDay + 60 * minute}`
    lagging.answersOnly('frankfurt')
    const exported = await read(list, frankfurt, { headers: { accept: 'application/x-ndjson' } })
    expect([exported.asOf, linesOf(exported.text).length]).toEqual([longText, 20])
    const headers = { ...admin, accept: 'text/event-stream' }
    const live = await lagging.worker.dispatch(`/api/realtime/${site}`, frankfurt, { headers })
    expect([live.status, live.headers.get('x-as-of')]).toEqual([200, longText])
    await live.body?.cancel()
  })

  it('is skipped because of minAsOf, like outdated cached answers, but does not count as failing', async () => {
    lagging.answersOnly('frankfurt')
    const old = await read(stats(3), cities.frankfurt)
    expect([old.replica, eventsIn(old)]).toEqual(['frankfurt', 20])
    for (const one of lagging.all) one.fails()
    for (const moment of [soon, encodeURIComponent(soonText!)]) {
      const fresh = await read(stats(3, `&minAsOf=${moment}`), cities.frankfurt)
      expect({ ...fresh, events: eventsIn(fresh) }).toMatchObject({ status: 200, asOf: soonText, events: 25 })
      expect(fresh.replica).not.toBe('frankfurt')
    }
    // The cache keeps only one answer for all values, which is the fresh one.
    const kept = await read(stats(3), cities.frankfurt)
    expect({ ...kept, events: eventsIn(kept) }).toMatchObject({ asOf: soonText, cache: 'HIT', events: 25 })
    expect(await read(stats(3, `&minAsOf=${long}`), cities.frankfurt)).toMatchObject({ cache: 'HIT' })
    const nobody = await read(stats(3, `&minAsOf=${soon + 1}`), cities.frankfurt)
    expect([nobody.status, nobody.header('retry-after'), nobody.replica]).toEqual([503, '5', null])
    const filters = { startDate: new Date(startOfDay).toISOString(), endDate: new Date(now).toISOString() }
    const goal = { websiteId: site, type: 'goal', filters: {}, parameters: { ...filters, type: 'path', value: '/' } }
    const asked = async (minAsOf: unknown) => {
      const body = JSON.stringify({ ...goal, parameters: { ...goal.parameters, minAsOf } })
      const headers = { ...admin, ...json }
      const answer = await fetch(`${lagging.worker.url}/api/reports/goal`, { method: 'POST', headers, body })
      return { status: answer.status, asOf: answer.headers.get('x-as-of'), text: await answer.text() }
    }
    expect(await asked(soon)).toMatchObject({ status: 200, asOf: soonText })
    expect(JSON.parse((await asked(now + 3_600_000)).text).error.issues[0].path).toBe('parameters.minAsOf')
    lagging.answersOnly('frankfurt')
    expect(await read(stats(4), cities.frankfurt)).toMatchObject({ replica: 'frankfurt' })
  })

  it.each(['tomorrow', '', '-1', '2026-02-30', '2026-01-01T10:00:00', `${now + 3_600_000}`, '99999999999999'])(
    'causes a minAsOf that is malformed or in the future to be refused: %s',
    async (moment) => {
      const refused = await read(stats(5, `&minAsOf=${moment}`), cities.frankfurt)
      expect(refused.status).toBe(400)
      expect(JSON.parse(refused.text).error.issues[0].path).toBe('minAsOf')
    },
  )

  const firstPage = (size: number) =>
    `/api/websites/${site}/events?startAt=${startOfDay}&endAt=${startOfDay + 60 * minute}&pageSize=${size}`
  const idsIn = ({ text }: { text: string }): string[] => JSON.parse(text).data.map((one: { id: string }) => one.id)
  const nextOf = ({ header }: { header: (name: string) => string | null }): string | undefined => {
    const url = /<(.+)>/.exec(header('link') ?? '')?.[1]
    return url && new URL(url).pathname + new URL(url).search
  }

  it('does not cause missing rows between pages, wherever these are requested', async () => {
    const seen: string[] = []
    const answerers: (string | null | undefined)[] = []
    for (let path: string | undefined = firstPage(4); path; ) {
      const page = await read(path, seen.length === 0 ? cities.oregon : cities.frankfurt)
      expect(page.status).toBe(200)
      seen.push(...idsIn(page))
      answerers.push(page.replica)
      path = nextOf(page)
    }
    expect(seen).toEqual(numbers.toReversed().map(id))
    // On a busy machine, sydney, which is equally fresh, gets a hedge. frankfurt lags and never answers.
    expect(answerers).toHaveLength(7)
    expect(answerers.filter((names) => !/^(oregon|sydney)(, (oregon|sydney))?$/.test(names ?? ''))).toEqual([])
  })

  it('is considered as old as its oldest source of heartbeats', async () => {
    const older = long - 1000
    await databases[1]!.beats(older, 'another shard')
    const env = { CLICKHOUSE_URL: running.clickhouse.replace(/database=\w+/, 'database=weir_behind') }
    expect((await weir(['heartbeat', '--once', '--source', 'a third'], { env })).code).toBe(0)
    // Watermarks are cached for a second.
    await pause(1100)
    // No replica is known to be so fresh, so each one receives a watermark request.
    expect(await read(stats(6, `&minAsOf=${soon + 1}`), cities.frankfurt)).toMatchObject({ status: 503 })
    lagging.answersOnly('frankfurt')
    // On a busy machine, a server may be too slow to say how fresh it is.
    let end = 100
    const fresh = async () => (await read(stats(end++), cities.frankfurt)).asOf
    await expect.poll(fresh, { interval: 1100 }).toBe(new Date(older).toISOString())
  })

  it('passes lists on to replicas that are at least as fresh, but takes none over from fresher ones', async () => {
    const [oregon, frankfurt, sydney] = lagging.all
    lagging.answersOnly('oregon')
    const path = nextOf(await read(firstPage(6), cities.oregon))!
    const other = nextOf(await read(firstPage(8), cities.oregon))!
    for (const one of lagging.all) one.fails()
    oregon!.fails(cutsOff)
    expect(await read(path, cities.frankfurt)).toMatchObject({ status: 200, replica: 'sydney' })
    sydney!.fails(cutsOff)
    const refused = await read(other, cities.frankfurt)
    expect([refused.status, refused.header('retry-after')]).toEqual([503, '5'])
    lagging.answersOnly('frankfurt')
    const late = nextOf(await read(firstPage(7), cities.frankfurt))!
    for (const one of lagging.all) one.fails()
    frankfurt!.fails(cutsOff)
    expect(await read(late, cities.frankfurt)).toMatchObject({ status: 200, asOf: soonText })
  })

  it('is the last choice once it lags far behind, so that no answer is older than the previous one', async () => {
    await databases[1]!.beats(now - 60_000, 'a slow shard')
    await pause(1100)
    expect(await read(stats(8, `&minAsOf=${soon + 1}`), cities.frankfurt)).toMatchObject({ status: 503 })
    for (const end of [9, 10, 11]) {
      const answer = await read(stats(end), cities.frankfurt)
      expect({ ...answer, events: eventsIn(answer) }).toMatchObject({ asOf: soonText, events: 25 })
      expect(answer.replica).not.toBe('frankfurt')
    }
    for (const other of [lagging.all[0]!, lagging.all[2]!]) other.fails(cutsOff)
    expect(await read(stats(12), cities.frankfurt)).toMatchObject({ status: 200, replica: 'frankfurt' })
  })
})

describe('three replicas without heartbeats', () => {
  it('send no watermark, refuse minAsOf, and keep a list’s pages on one replica', async () => {
    const page = async (size: number) => {
      const list = `/api/websites/${websiteId}/events?startAt=${startOfDay}&endAt=${startOfDay + 20 * minute}`
      const first = await ask(`${list}&pageSize=${size}`, cities.oregon)
      expect([first.status, first.header('x-as-of')]).toEqual([200, null])
      const next = new URL(/<(.+)>/.exec(first.header('link')!)![1]!)
      const cursor = next.searchParams.get('cursor')!
      return { path: next.pathname + next.search, cursor, replica: first.replica! }
    }
    const { path, replica } = await page(5)
    expect(await ask(`${path}&minAsOf=1`, cities.oregon)).toMatchObject({ status: 503 })
    const elsewhere = replica === 'frankfurt' ? cities.sydney : cities.frankfurt
    expect(await ask(path, elsewhere)).toMatchObject({ status: 200, replica })
    const { path: other, cursor, replica: origin } = await page(6)
    const [plain] = cursor.split('.')
    three.all.find(({ name }) => name === origin)!.fails(cutsOff)
    expect(await ask(other, cities.frankfurt)).toMatchObject({ status: 503 })
    const ofGone = `${plain}.${btoa(' gone').replaceAll('=', '')}`
    const refused = await ask(other.replace(cursor, ofGone), cities.frankfurt)
    expect([refused.status, JSON.parse(refused.text).error.issues[0].path]).toEqual([400, 'cursor'])
    const broken = await ask(other.replace(cursor, `${plain}.x`), cities.frankfurt)
    expect([broken.status, JSON.parse(broken.text).error.issues[0].path]).toEqual([400, 'cursor'])
    // This is a cursor from before there were several replicas.
    expect(await ask(other.replace(cursor, plain!), cities.frankfurt)).toMatchObject({ status: 200 })
  })
})

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { event, id } from './oracle/fixtures.ts'
import { forLong, onlyOnError } from './support/cache-times.ts'
import { forEach } from './support/concurrently.ts'
import { linesOf } from './support/exports.ts'
import { answersPage, cities, cutsOff, type Fault, hangs, type Regions, regions } from './support/regions.ts'
import { columnTime, websiteWith } from './support/website.ts'
import { running } from './support/weir.ts'

const startOfDay = Date.UTC(2025, 9, 15)
const minute = 60_000

/** One event a minute for ten hours, of seven sessions, under five names. */
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
        event_id: id(index),
        session_id: id(1000 + session),
        visit_id: id(2000 + session),
        created_at: columnTime(moment),
        event_name: name,
      }),
    ),
  )
  three = await regions(forLong)
})

afterAll(() => three.close())

beforeEach(() => {
  for (const one of three.all) one.fails()
})

/** What `events/stats` says of a range, counted plainly. */
function statsOf(startAt: number, endAt: number): object {
  const events = world.filter(({ moment }) => startAt <= moment && moment <= endAt)
  const distinct = (what: 'session' | 'name') => new Set(events.map((one) => one[what])).size
  return {
    events: events.length,
    visitors: distinct('session'),
    visits: distinct('session'),
    uniqueEvents: distinct('name'),
  }
}

let questions = 0

/** A range that nobody has asked for, and the right answer to it. */
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

const isSlow: Fault = (_, __, pass) => void setTimeout(pass, 100)

describe('three replicas', () => {
  it('answer requests that come in beside them, or at no place that is known', async () => {
    for (const [name, cf] of Object.entries(cities)) {
      expect((await askNew(cf)).replica).toBe(name)
    }
    expect((await askNew()).replica).toBe('oregon')
  })

  it('answer each path of a batch beside where it came in', async () => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paths: [question().path, question().path] }),
    }
    const { answers } = JSON.parse((await ask('/api/read', cities.sydney, init)).text)
    expect(answers).toMatchObject(Array(2).fill({ status: 200, headers: { 'x-replica': 'sydney' } }))
  })

  it('are named by /ready, with what each can do now', async () => {
    three.all[1]!.fails(cutsOff)
    const { status, text } = await ask('/ready')
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 200,
      body: {
        ok: true,
        d1: 'ready',
        replicas: [
          { name: 'oregon', state: 'ready' },
          { name: 'frankfurt', state: 'failing' },
          { name: 'sydney', state: 'ready' },
        ],
      },
    })
  })

  it('are asked once where the pattern is wrong', async () => {
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

/** Sends headers and a part of a body, and breaks off. */
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
  ['says nothing', hangs],
  ['has too many queries', refusal(202, 'TOO_MANY_SIMULTANEOUS_QUERIES')],
  ['has no free connection', refusal(203, 'NO_FREE_CONNECTION')],
  ['has no free thread', refusal(439, 'CANNOT_SCHEDULE_TASK')],
  ['is overloaded', refusal(745, 'SERVER_OVERLOADED')],
  [
    'has no memory left',
    says(500, {}, 'Code: 241. DB::Exception: (total) memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)'),
  ],
  ['is a proxy in trouble', says(502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>')],
  ['answers an HTML page', answersPage],
  ['answers garbage', says(200, json, '\u0000\u0001{"data":')],
  ['answers nothing', says(200, json, '')],
  ['answers half', says(200, json, wrong.slice(0, wrong.length / 2))],
  ['answers fewer rows than it says', says(200, json, wrong.replace('"rows":1', '"rows":2'))],
  ['breaks off in the middle', breaksOff({}, wrong.slice(0, 40))],
  ['says that the answer is longer than it is', breaksOff({ 'content-length': '4000' }, wrong)],
  ['says that the answer is shorter than it is', says(200, { 'content-length': '20' }, wrong.slice(0, 20))],
  ['writes an exception after a 200', says(200, json, `{"meta":[],"data":[\n${exception(395, 'FUNCTION_THROW')}`)],
  [
    'writes an exception into whole JSON after a 200',
    says(200, json, `{"meta":[],"data":[],"rows":0,"exception":${JSON.stringify(exception(210, 'NETWORK_ERROR'))}}`),
  ],
]

describe('a replica in trouble', () => {
  it.each(faults)('is passed over, and nothing of it is kept: it %s', async (_, fault) => {
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
  })

  it.each(faults)('is passed over by an export, before its first byte: it %s', async (_, fault) => {
    const first = { fault: fault as Fault | undefined }
    for (const one of three.all) one.failsOnce(first)
    const path = `/api/websites/${websiteId}/events?startAt=${startOfDay}&endAt=${startOfDay + 10 * minute + questions++}`
    const answer = await ask(path, {}, { headers: { accept: 'application/x-ndjson' } })
    expect(answer.status).toBe(200)
    expect(Number(answer.tries)).toBeGreaterThan(1)
    expect(linesOf(answer.text)).toHaveLength(11)
  })

  it('is left, and its statement ended, when another has answered', async () => {
    const first = { fault: hangs as Fault | undefined }
    for (const one of three.all) one.failsOnce(first)
    const before = abandoned()
    await askNew()
    await expect.poll(abandoned).toBe(before + 1)
  })
})

describe('500 questions', () => {
  it('are answered rightly in calm, with one replica dead, one silent and one slow, and after their return', async () => {
    const phase = (count: number) => forEach(placesOf(count), async (cf) => void (await askNew(cf)))
    const before = statements()
    await phase(100)
    // Hedges are a twentieth of the answers, and ten at once.
    expect(statements() - before).toBeLessThanOrEqual(100 + 5 + 10)
    const [oregon, frankfurt, sydney] = three.all
    oregon!.fails(cutsOff)
    await phase(100)
    frankfurt!.fails(hangs)
    await phase(100)
    sydney!.fails(isSlow)
    await phase(100)
    for (const one of three.all) one.fails()
    await phase(100)
  })
})

describe('three replicas that are down', () => {
  it('leave cached answers with their age, and a 503 for the rest; the first one that is back answers', async () => {
    const down = await regions(onlyOnError)
    const asking = async (path: string) => {
      const answer = await down.worker.dispatch(path, {}, { headers: admin })
      const { headers } = answer
      await answer.text()
      return [answer.status, headers.get('x-cache'), headers.get('x-replica'), headers.get('retry-after')]
    }
    const { path: known } = question()
    expect(await asking(known)).toEqual([200, 'MISS', 'oregon', null])
    for (const one of down.all) one.fails(cutsOff)
    for (let request = 0; request < 8; request++) {
      expect(await asking(question().path)).toEqual([503, null, null, '5'])
      expect(await asking(known)).toEqual([200, 'STALE', 'oregon', null])
    }
    // Three requests have shown it; since then there are trials only.
    expect(down.all.map(({ counts }) => counts.statements)).toEqual([4, 3, 3])
    down.all[1]!.fails()
    // The pause after the last trial.
    await pause(500)
    expect(await asking(question().path)).toEqual([200, 'MISS', 'frankfurt', null])
    await down.close()
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  ask,
  copies,
  emptied,
  faults,
  notOnce,
  type Sent,
  send,
  sendUntilTaken,
  sent,
  setAside,
  setHurry,
} from './senders.ts'
import { until, type World, world } from './world.ts'

/** Tests that flushes that ClickHouse refuses as a whole wait separately, while others are sent and nothing is lost. */

let weir: World
const printed: string[] = []

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(String(line)))
  weir = await world('faulty.ts')
})
beforeEach(() => setHurry(weir, 10))
afterEach(() => weir.behave(undefined))
afterAll(() => weir?.close())

const state = async (log: string) => (await faults(weir, log)).state
const waiting = (log: string, rows: number) =>
  until(async () => {
    const found = await state(log)
    return (found?.rows === rows && found.failure) || undefined
  })
const lines = (failing: string, website: string) =>
  printed.flatMap((line) => {
    const found = line.startsWith('{') ? JSON.parse(line) : {}
    return found.failing === failing && line.includes(website) ? [found] : []
  })

it('identify calls are stored while ClickHouse refuses events, which follow once, even after a restart', async () => {
  const websites = await weir.websites(2)
  const cases = [469, 497].map((code, place) => {
    const website = websites[place]!
    const [events, later] = [website, website].map((one) => [sent(one), sent(one)]) as [Sent[], Sent[]]
    return { code, website, log: randomUUID(), events, later, call: sent(website, {}, 'identify') }
  })
  const ofEach = (work: (one: (typeof cases)[number]) => Promise<unknown>) => Promise.all(cases.map(work))
  let isWrong = true
  weir.behave(async (body, response, pass) => {
    const held = cases.find(({ website }) => isWrong && body.includes(website) && body.includes('"event_name"'))
    const text = `Code: ${held?.code}. DB::Exception: Not now`
    const refusal = { status: 500, headers: { 'x-clickhouse-exception-code': String(held?.code) }, text }
    const answer = held ? refusal : await pass()
    response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  await ofEach(async ({ code, website, log, events, call }) => {
    await sendUntilTaken(weir, log, events)
    expect(await waiting(log, 2)).toContain(`Code: ${code}`)
    await sendUntilTaken(weir, log, [call])
    await until(async () => (await copies(weir, [website])).has(call.id) || undefined)
  })
  await weir.restart()
  await setHurry(weir, 10)
  await ofEach(async ({ log, later }) => {
    await sendUntilTaken(weir, log, later)
    await waiting(log, 4)
  })
  isWrong = false
  await ofEach(({ log }) => emptied(weir, log))
  expect(
    await notOnce(
      weir,
      cases.flatMap(({ events, later, call }) => [...events, call, ...later]),
    ),
  ).toEqual([])
  expect(await setAside(weir)).toEqual([])
  for (const { log } of cases) expect(lines('insert', log).filter(({ waiting: rows }) => rows === 2)).not.toEqual([])
})

it('a flush of invalid rows waits until other rows are stored, and is then set aside with one log line', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const log = randomUUID()
  const bad = Array.from({ length: 12 }, () => sent(website, { tag: 'refused' }))
  await sendUntilTaken(weir, log, bad)
  expect(await waiting(log, 12)).toContain('tag_is_taken')
  expect(await setAside(weir)).toEqual([])
  const good = [sent(website, {}, 'identify'), sent(website)]
  printed.length = 0
  await sendUntilTaken(weir, log, good)
  await emptied(weir, log)
  expect(await notOnce(weir, good)).toEqual([])
  expect((await setAside(weir)).sort()).toEqual(bad.map(({ id }) => id).sort())
  expect(lines('event', '')).toEqual([
    expect.objectContaining({ log, table: 'ingest', rows: 12, cause: expect.stringContaining('tag_is_taken') }),
  ])
})

it('a few valid rows among invalid ones are found, wherever they are', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const log = randomUUID()
  const rows = Array.from({ length: 16 }, (_, place) =>
    sent(website, place < 10 || place % 3 > 0 ? { tag: 'refused' } : {}),
  )
  const good = rows.filter(({ more }) => !('tag' in more))
  await sendUntilTaken(weir, log, rows)
  await emptied(weir, log)
  expect(await notOnce(weir, good)).toEqual([])
  expect(await setAside(weir)).toEqual(
    expect.arrayContaining(rows.filter((one) => !good.includes(one)).map(({ id }) => id)),
  )
})

it('while the set-aside list is full, invalid rows wait, and their website’s senders get a 503', async () => {
  const [website, other] = (await weir.websites(2)) as [string, string]
  const log = randomUUID()
  await weir.metadata.prepare('DELETE FROM set_aside_rows').run()
  const fill = `INSERT INTO set_aside_rows (entry_table, row, reason, created_at)
    SELECT 'ingest', json_object('website_id', 'another', 'event_name', value), '', 0 FROM json_each(?1)`
  await weir.metadata
    .prepare(fill)
    .bind(JSON.stringify(Array.from({ length: 990 }, (_, row) => row)))
    .run()
  const bad = Array.from({ length: 12 }, () => sent(website, { tag: 'refused' }))
  const good: Sent[] = [sent(website), sent(other)]
  await sendUntilTaken(weir, log, [...bad, ...good])
  await waiting(log, 14)
  expect((await ask(weir, log, [sent(website)]))?.status).toBe(503)
  expect(lines('room', website)).toMatchObject([
    { website, server: expect.stringContaining('127.0.0.1'), cause: expect.stringContaining('tag_is_taken') },
  ])
  const further = sent(other)
  expect(await send(weir, log, [further])).toBeDefined()
  await until(async () => (await notOnce(weir, [...good, further])).length === 0 || undefined)
  expect((await setAside(weir)).length).toBeLessThan(1000)
  await weir.metadata.prepare("DELETE FROM set_aside_rows WHERE row LIKE '%another%'").run()
  await emptied(weir, log)
  expect((await setAside(weir)).sort()).toEqual(bad.map(({ id }) => id).sort())
  const last = sent(website)
  await sendUntilTaken(weir, log, [last])
  await emptied(weir, log)
  expect(await notOnce(weir, [...good, further, last])).toEqual([])
})

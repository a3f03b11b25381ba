import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LogClock } from '../../src/collect/clock.ts'
import { Patience } from '../../src/collect/patience.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import type { Headers } from '../support/callers.ts'
import { firefox } from '../support/collecting.ts'
import { moved } from '../support/recording.ts'
import type { Faults } from './faulty.ts'
import { faults, type Sent, sendUntilTaken, sent, setHurry } from './senders.ts'
import { passing, until, type World, world } from './world.ts'

it('waits grow up to the setting if nobody queries for ten minutes and not many rows wait', () => {
  let now = 0
  const patience = new Patience({ steady: () => now } as LogClock, 15)
  const usual = new Patience({ steady: () => now } as LogClock, undefined)
  const few = { rows: 499, bytes: 999_999 }
  /** The waits before the next flushes, starting at this moment. */
  const waitsFrom = (moment: number): number[] => {
    now = moment
    return Array.from({ length: 6 }, () => {
      const wait = patience.of(few)
      now += wait
      return wait
    })
  }
  // If the object was evicted after a query, it learns of that query within a minute.
  expect(waitsFrom(59_000)).toEqual([1000, 1000, 1000, 2000, 4000, 8000])
  patience.asked()
  const grows = [1000, 1000, 2000, 4000, 8000, 15_000]
  expect(waitsFrom(now + 600_000)).toEqual(grows)
  expect(
    [
      { rows: 500, bytes: 1 },
      { rows: 1, bytes: 1_000_000 },
    ].map((many) => patience.of(many)),
  ).toEqual([1000, 1000])
  expect([usual.of(few), new Patience({ steady: () => now } as LogClock, 'none').of(few)]).toEqual([1000, 1000])
  const longest = new Patience({ steady: () => now } as LogClock, '3600')
  now += 10_000_000
  expect(longest.of(few)).toBe(60_000)
})

let weir: World
let key: string
beforeAll(async () => {
  weir = await world('faulty.ts', { COLLECT_PATIENCE: 15 })
  key = await createKey(weir.metadata, 'reader', { admin: true, access: 'read' }, Date.now())
})
afterAll(() => weir?.close())

/** Makes a log send everything that is waiting. */
async function ring(log: string): Promise<Faults> {
  const response = await fetch(`${weir.url}/faults?points=[]&alarm`, { headers: { 'x-log': log } })
  return (await response.json()) as Faults
}

/** The answer that a reader receives. */
async function asked(path: string, headers: Headers): Promise<{ readonly asOf: number; readonly text: string }> {
  const range = `startAt=${Date.now() - 3_600_000}&endAt=${Date.now() + 3_600_000}`
  const all = { authorization: `Bearer ${key}`, ...headers }
  const response = await fetch(`${weir.url}/api/websites/${path}?${range}`, { headers: all })
  expect(response.status).toBe(200)
  return { asOf: Date.parse(response.headers.get('x-as-of') ?? ''), text: await response.text() }
}

/** Sends until the log's wait has reached its maximum, then slows its clock, so that no timer sends later events. */
async function makePatient(log: string, website: string): Promise<Sent[]> {
  await setHurry(weir, 100)
  const all: Sent[] = []
  const flushed = async () => {
    all.push(sent(website))
    await sendUntilTaken(weir, log, all.slice(-1))
    return (await faults(weir, log)).state!.flushes
  }
  await until(async () => {
    const before = await flushed()
    // For the log, this is ten seconds.
    await pause(100)
    return (await flushed()) === before || undefined
  })
  await setHurry(weir, 0.01)
  await until(async () => (await ring(log)).state?.rows === 0 || undefined)
  return [...all, sent(website)]
}

it.each(['', 'beside the Worker '])('a query makes a log %ssend its waiting events', async (beside) => {
  if (beside) await weir.restart({ LOG_IS_BESIDE: 1 })
  const [website] = (await weir.websites(1)) as [string]
  const log = randomUUID()
  const events = await makePatient(log, website)
  const moment = Date.now()
  await sendUntilTaken(weir, log, events.slice(-1))
  const lists = { 'events/stats': 'application/json', events: 'application/x-ndjson' }
  const both = () =>
    Promise.all(Object.entries(lists).map(([path, accept]) => asked(`${website}/${path}`, { 'x-log': log, accept })))
  const hasAll = ([stats, list]: Awaited<ReturnType<typeof both>>) =>
    JSON.parse(stats!.text).data.events === events.length && list!.text.trim().split('\n').length === events.length
  const began = performance.now()
  const answers = await both()
  const isInTime = performance.now() - began < 900
  // Queries that arrive together see the same events. They wait for the log for at most a second.
  if (beside && isInTime) expect(hasAll(answers)).toBe(true)
  await until(async () => hasAll(await both()) || undefined)
  if (!beside) return
  // The isolate may have read the watermark just before, and then uses it for a second.
  await until(async () => (await both()).every(({ asOf }) => asOf >= moment) || undefined)
})

it('a query about recordings makes the log send those that are waiting', async () => {
  await setHurry(weir, 1)
  const [website] = (await weir.websites(1)) as [string]
  const replayConfig = JSON.stringify({ replayEnabled: true })
  await weir.metadata.prepare('UPDATE websites SET replay_config = ?1').bind(replayConfig).run()
  const recordVisit = async (place: number) => {
    const person = { 'user-agent': firefox, 'cf-connecting-ip': `192.0.2.${place}` }
    const sendAs = async (path: string, body: object, cache = '') => {
      const headers = { ...person, 'x-umami-cache': cache }
      const answer = await fetch(weir.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { cache: string }
    }
    const { cache } = await sendAs('/api/send', { type: 'event', payload: { website, url: '/' } })
    const payload = { website, events: [moved(Date.now())], timestamp: 1 }
    expect(await sendAs('/api/record', { type: 'record', payload }, cache)).toEqual({ ok: true })
  }
  await recordVisit(1)
  await setHurry(weir, 0.01)
  await ring('recordings-0')
  await recordVisit(2)
  const replays = async () => JSON.parse((await asked(`${website}/replays`, {})).text).data as unknown[]
  await until(async () => (await replays()).length === 2 || undefined)
})

it('an alarm ends, although events arrive as fast as ClickHouse stores them', async () => {
  await weir.restart({ COLLECT_PATIENCE: 1 })
  await setHurry(weir, 50)
  const [website] = (await weir.websites(1)) as [string]
  const log = randomUUID()
  let [inserts, hasEnded] = [0, false]
  weir.behave(async (body, response, pass) => {
    if (body.includes(website)) inserts++
    if (body.includes(website) && !hasEnded) {
      await sendUntilTaken(weir, log, [sent(website)])
      // For the log, this is longer than the next events wait.
      await pause(60)
    }
    await passing(body, response, pass)
  })
  try {
    await sendUntilTaken(weir, log, [sent(website)])
    const ringing = ring(log).finally(() => {
      hasEnded = true
    })
    await until(async () => hasEnded || inserts > 100 || undefined)
    expect([hasEnded, inserts > 1]).toEqual([true, true])
    await ringing
  } finally {
    hasEnded = true
    weir.behave(undefined)
    await setHurry(weir, 1)
  }
})

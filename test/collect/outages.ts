import { randomBytes, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../../src/local/commands/io.ts'
import { printSetAside } from '../../src/local/commands/set-aside.ts'
import { metadataFaults } from '../../src/local/storage/metadata-faults.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { seed } from '../support/seed.ts'
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
  setAhead,
  setHurry,
} from './senders.ts'
import { type Double, passing, until, type World } from './world.ts'

const headers = { 'x-clickhouse-query-id': 'one' }

/** Responses to an insert that ClickHouse never sends. */
const garbage: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => response.writeHead(200).end('<h1>It works!</h1>'),
  (response) => response.writeHead(200, headers).end(randomBytes(1000)),
  (response) => response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(randomBytes(1000)),
  (response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
  (response) => response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end('{"key":'),
  (response) => response.socket!.end(randomBytes(1000)),
]
let answered = 0

/** ClickHouse's reaction to all requests of a log during an outage. */
const outages: Readonly<Record<string, Double>> = {
  'is gone': async (_, response) => void response.destroy(),
  'breaks off, late': async (_, response) => void setTimeout(() => response.destroy(), 150),
  hangs: async () => {},
  'stores, and then hangs': async (_, __, pass) => void (await pass()),
  'answers garbage': async (_, response) => void garbage[answered++ % garbage.length]!(response),
}

/** The minimum length of an outage, in milliseconds. The log gives up on an insert after half a minute. */
const least = isLong ? 65_000 : 4000
const hurry = isLong ? 1 : 10

/** The maximum number of flushes that fail in this time. After each failure, the wait doubles, up to 15 seconds. */
function mostFailures(milliseconds: number): number {
  let failures = 1
  let waited = 0
  for (let pause = 1000; ; pause = Math.min(2 * pause, 15_000)) {
    waited += pause
    if (waited > milliseconds) return failures
    failures++
  }
}

const many = runs(120, 5000)

/** A promise with the function that resolves it. */
function later(): [resolve: () => void, promise: Promise<void>] {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return [resolve, promise]
}

const data = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`key${index}`, 'x'.repeat(1900)]))

/**
 * Sends many events for one website and few for another to a log during an outage. `end` ends the outage. Returns the
 * accepted events.
 */
async function floodedAndQuiet(
  weir: World,
  name: string,
  flood: string,
  quiet: string,
  end: () => void,
): Promise<Sent[]> {
  const [log, since, events] = [flood, Date.now(), [] as Sent[]]
  let isOver = false
  const sendQuietly = async () => {
    while (!isOver) {
      const one = sent(quiet)
      expect([name, await send(weir, log, [one])]).toEqual([name, expect.anything()])
      events.push(one)
      await pause(250)
    }
  }
  const sendFlood = async () => {
    const full = await until(async () => {
      const some = Array.from({ length: 8 }, () => sent(flood, { data }))
      if (await send(weir, log, some)) return void events.push(...some)
      return ask(weir, log, [sent(flood, { data })])
    })
    expect([name, full.status, full.headers.get('retry-after')]).toEqual([name, 503, expect.stringMatching(/^\d+$/)])
    await until(async () => ((await faults(weir, log)).state?.failedFlushes ?? 0) >= 3 || undefined, 5)
    await pause(Math.max(0, since + least - Date.now()))
  }
  const flooding = sendFlood().finally(() => {
    isOver = true
  })
  await Promise.all([sendQuietly(), flooding])
  const failures = (await faults(weir, log)).state?.failedFlushes ?? 0
  expect([name, failures]).toSatisfy(() => failures <= mostFailures((Date.now() - since) * hurry))
  end()
  await emptied(weir, log, 3)
  const later = sent(flood)
  expect([name, await send(weir, log, [later])]).toEqual([name, expect.anything()])
  await emptied(weir, log)
  return [...events, later]
}

/** The output of `npm run weir -- set-aside --delete`. */
async function takenOut({ metadata }: World): Promise<unknown[]> {
  const printed: string[] = []
  await printSetAside({
    flags: { delete: true },
    io: { out: (line: string) => printed.push(line), written: async () => {} },
    withMetadata: (work: (database: D1Database) => Promise<void>) => work(metadata),
  } as unknown as Given<{ readonly delete?: true }>)
  return printed.map((line) => JSON.parse(line))
}

/**
 * Tests longer outages, evictions and changes to the number of objects, with senders, logs and ClickHouse's tables. At
 * the end, an object has room for `capacity` bytes.
 */
export function outagesOf(theWorld: () => World, capacity: number): void {
  let weir: World
  beforeAll(() => {
    weir = theWorld()
  })
  const ends = () => weir.behave(undefined)
  // The outage of one concurrent test must not end with another test.
  afterEach(({ task }) => void (task.concurrent || ends()))

  describe.concurrent('senders', () => {
    afterAll(ends)

    it('get 200 through long outages, but 503 for a website that floods; then everything is stored once', async () => {
      const names = inTurn(Object.keys(outages), seed, 2)
      const websites = await weir.websites(2 * names.length)
      const failing = new Map(websites.map((website, index) => [website, outages[names[index >> 1]!]!]))
      weir.behave(async (body, response, pass) => {
        const website = websites.find((one) => failing.has(one) && body.includes(one))
        if (website) return failing.get(website)!(body, response, pass)
        await passing(body, response, pass)
      })
      await setHurry(weir, hurry)
      const taken = names.map((name, index) => {
        const [flood, quiet] = websites.slice(2 * index) as [string, string]
        return floodedAndQuiet(weir, name, flood, quiet, () => void [flood, quiet].map((one) => failing.delete(one)))
      })
      const events = (await Promise.all(taken)).flat()
      expect(await notOnce(weir, events)).toEqual([])
      const stored = await copies(weir, websites)
      expect([...stored].filter(([, times]) => times !== 1)).toEqual([])
    })

    it('keep their visit, and can repeat an event without effect, after the object has been evicted', async () => {
      const [website] = (await weir.websites(1)) as [string]
      const [log, first, second] = [randomUUID(), sent(website), sent(website)]
      const { visitId, sessionId } = await sendUntilTaken(weir, log, [first])
      await emptied(weir, log)
      const accepted = async () => (await faults(weir, log)).state?.accepted
      expect(await accepted()).toBe(1)
      // workerd evicts an object after ten seconds without a request, and polling counts as a request.
      await until(async () => {
        await pause(12_000)
        return (await accepted()) === 0 || undefined
      }, 3)
      expect(await sendUntilTaken(weir, log, [first])).toMatchObject({ visitId, sessionId })
      expect(await sendUntilTaken(weir, log, [second])).toMatchObject({ visitId, sessionId })
      await emptied(weir, log)
      expect(await notOnce(weir, [first, second])).toEqual([])
    })
  })

  it('a change to the number of objects loses no event, even in objects that receive no further events', async () => {
    const websites = await weir.websites(8)
    const all: Sent[] = []
    const sendAll = async () => {
      const events = websites.map((website) => sent(website, { data: { plan: 'pro' } }))
      for (const event of events) await until(async () => (await ask(weir, undefined, [event]))?.ok || undefined)
      all.push(...events)
    }
    const restart = async (count: number) => {
      await weir.restart({ COLLECT_LOGS: count, COLLECT_CAPACITY: capacity })
      // By this clock, an object's alarm fires a minute after its events.
      await setAhead(weir, -58_000)
    }
    weir.behave(async (_, response) => void response.destroy())
    await setAhead(weir, -58_000)
    // At first, there is only one object.
    await sendAll()
    for (const count of isLong ? [4, 1, 3] : [4, 1]) {
      await restart(count)
      await sendAll()
    }
    weir.behave(undefined)
    await until(async () => (await copies(weir, websites)).size === all.length || undefined, 3)
    await setAhead(weir, 0)
    expect(await notOnce(weir, all)).toEqual([])
  })

  it(`one row of ${many} that ClickHouse refuses is found and set aside; the others are stored once`, async () => {
    const [website] = (await weir.websites(1)) as [string]
    const log = randomUUID()
    await weir.metadata.prepare('DELETE FROM set_aside_rows').run()
    const [release, released] = later()
    let inserts = 0
    weir.behave(async (body, response, pass) => {
      if (body.includes(website) && ++inserts === 1) await released
      await passing(body, response, pass)
    })
    const rows = Array.from({ length: many }, () => sent(website))
    await sendUntilTaken(weir, log, rows.slice(0, 1))
    await until(async () => inserts > 0 || undefined)
    const bad = sent(website, { tag: 'refused', id: 'of a visitor' })
    rows.splice(Math.floor(many / 1.5), 0, bad)
    // While the first insert waits, all other rows are collected in one flush.
    for (let start = 1; start < rows.length; start += 500) {
      await sendUntilTaken(weir, log, rows.slice(start, start + 500))
    }
    release()
    await emptied(weir, log)
    // Bisection needs two inserts for each step.
    expect(inserts).toBeLessThan(3 * Math.log2(many))
    const others = rows.filter((one) => one !== bad)
    expect(await notOnce(weir, others)).toEqual([])
    expect((await copies(weir, [website])).has(bad.id)).toBe(false)
    expect(await metadataFaults(weir.metadata, '')).toEqual([
      'ClickHouse refused 1 collected rows. npm run weir -- set-aside prints them.',
    ])
    expect(await takenOut(weir)).toEqual([
      {
        time: expect.any(String),
        table: 'ingest',
        row: expect.objectContaining({ website_id: website, event_name: bad.id, tag: 'refused' }),
        reason: expect.stringContaining('tag_is_taken'),
      },
    ])
    expect(await metadataFaults(weir.metadata, '')).toEqual([])
  })

  it('commits of more than 3 MB survive a crash', async () => {
    const websites = await weir.websites(4)
    const log = randomUUID()
    const data = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`key${index}`, '0'.repeat(1950)]))
    const events = Array.from({ length: 38 }, (_, index) => sent(websites[index % 4]!, { data }))
    const crashed = async () => (await faults(weir, log)).crashed.length
    weir.behave(async (_, response) => void response.destroy())
    await sendUntilTaken(weir, log, events)
    const { passed, state } = await faults(weir, log)
    expect(state!.bytes).toBeGreaterThan(3_000_000)
    await faults(weir, log, [passed.length + 1])
    await until(async () => (await crashed()) === 1 || undefined)
    weir.behave(undefined)
    await emptied(weir, log)
    expect(await notOnce(weir, events)).toEqual([])
  })
}

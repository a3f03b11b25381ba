import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { purge } from '../../src/local/storage/purge.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn, isLong } from '../support/long.ts'
import { seed } from '../support/seed.ts'
import type { Faults } from './faulty.ts'
import { outagesOf } from './outages.ts'
import {
  ask,
  copies,
  emptied,
  faults,
  noted,
  notOnce,
  type Sent,
  send,
  sendUntilTaken,
  sent,
  setAhead,
  setAside,
} from './senders.ts'
import { type Double, passing, until, type World, world } from './world.ts'

let weir: World

/** An object's capacity in bytes, by default and for tests with megabytes. A single website may use half of it. */
const capacity = { small: 1_000_000, large: 6_000_000 }

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  weir = await world('faulty.ts', { COLLECT_WINDOW: 20, COLLECT_CAPACITY: capacity.small })
})

afterAll(() => weir?.close())

/** The events sent to a log, and the log's crashes. */
interface Story {
  readonly log: string
  readonly acknowledged: Sent[]
  readonly unheard: Sent[]
  readonly refused: Sent[]
}

/** Sends events to a separate log, and repeats unacknowledged ones until ClickHouse has all of them. */
async function story(website: string, points: readonly number[], hasRefused: boolean): Promise<Story> {
  const log = randomUUID()
  const told: Story = { log, acknowledged: [], unheard: [], refused: [] }
  const take = async (events: readonly Sent[]) => {
    await sendUntilTaken(weir, log, events)
    told.acknowledged.push(...events)
  }
  const tryOnce = async (event: Sent) => {
    const isTaken = await send(weir, log, [event], false)
    ;(isTaken ? told.acknowledged : told.unheard).push(event)
  }
  const refuse = async () => {
    // A refused row would wait until another row arrives, so a good one is sent with it.
    const [bad, good] = [sent(website, { tag: 'refused' }), sent(website)]
    await sendUntilTaken(weir, log, [bad, good])
    told.refused.push(bad)
    told.acknowledged.push(good)
  }
  await faults(weir, log, points)
  for (let round = 0; round < 4; round++) {
    const first = sent(website, { data: { price: 10, plan: 'pro' } })
    const rest = [sent(website), sent(website, { data: { plan: 'pro' } }, 'identify'), sent(website)]
    await Promise.all([take([first]), tryOnce(sent(website)), take(rest), hasRefused && refuse()])
    await sendUntilTaken(weir, log, [first])
    await emptied(weir, log)
    await sendUntilTaken(weir, log, [first, ...rest])
    if ((await faults(weir, log)).left.length === 0) break
  }
  return told
}

/** Runs a story with these crashes. Returns the names of the points that it passes after the last one. */
async function pointsAfter(website: string, points: readonly number[], hasRefused: boolean): Promise<string[]> {
  const { log } = await story(website, points, hasRefused)
  const { crashed, passed } = await faults(weir, log)
  expect(crashed).toHaveLength(points.length)
  return passed
}

const [plain, refusing] = [false, true]

/** One variant of the story for each of these points, with a crash there after the earlier crashes. */
const pointsOf = (names: readonly string[], before: readonly number[], hasRefused: boolean) =>
  names.map((_, index) => ({ points: [...before, index + 1], hasRefused }))

/** `npm test` tests one point out of this many. */
const share = 200

describe('a ClickHouse that fails after some tables have the rows', () => {
  it.each(inTurn([0, 660_000], seed, 2))(
    'receives an insert again if a view refused it, although some tables have its rows (%i ms later)',
    async (later) => {
      const [website] = (await weir.websites(1)) as [string]
      const [log, event, other] = [randomUUID(), sent(website), sent(website)]
      await weir.client.command({ query: 'ALTER TABLE hourly_visits ADD CONSTRAINT broken CHECK 0' })
      await sendUntilTaken(weir, log, [event, other])
      await until(async () => ((await faults(weir, log)).state?.failedFlushes ?? 0) > 0 || undefined)
      await setAhead(weir, later)
      await weir.client.command({ query: 'ALTER TABLE hourly_visits DROP CONSTRAINT broken' })
      await emptied(weir, log)
      await setAhead(weir, 0)
      expect(await notOnce(weir, [event, other])).toEqual([])
      expect(await setAside(weir)).not.toContain(event.id)
    },
  )
})

describe('a crash', () => {
  it('loses no acknowledged event and stores none twice, wherever it happens', async () => {
    const [website] = (await weir.websites(1)) as [string]
    const all = await Promise.all(
      inTurn([plain, refusing], seed, 2).map(async (hasRefused) => {
        const names = await pointsAfter(website, [], hasRefused)
        const inserted = [names.indexOf('after fetch INTO ingest') + 1]
        const later = await pointsAfter(website, inserted, hasRefused)
        return [...pointsOf(names, [], hasRefused), ...pointsOf(later, inserted, hasRefused)]
      }),
    )
    const chosen = inTurn(all.flat(), Math.floor(Math.random() * share), share)
    const wrong: unknown[] = []
    const stories: (Story & Faults)[] = []
    await forEach(chosen, async ({ points, hasRefused }) => {
      const told = await story(website, points, hasRefused)
      stories.push({ ...told, ...(await faults(weir, told.log)) })
    })
    const stored = await copies(weir, [website])
    for (const { acknowledged, unheard, refused, crashed, left } of stories) {
      const note = (what: string, times: number | undefined) => wrong.push({ crashed, what, times })
      if (left.length > 0) note('has to crash again', left.length)
      for (const { id } of acknowledged) if (stored.get(id) !== 1) note('acknowledged', stored.get(id))
      for (const { id } of unheard) if ((stored.get(id) ?? 0) > 1) note('unheard', stored.get(id))
      for (const { id } of refused) if (stored.has(id)) note('refused', stored.get(id))
    }
    expect(wrong).toEqual([])
    const aside = await setAside(weir)
    expect(aside).toEqual(expect.arrayContaining(stories.flatMap(({ refused }) => refused.map(({ id }) => id))))
    expect(new Set(aside).size).toBe(aside.length)
  })

  it('preserves visits and ids, both while rows wait and after they are stored, and so does a restart', async () => {
    const [website] = (await weir.websites(1)) as [string]
    const log = randomUUID()
    const [first, second, third] = [sent(website), sent(website), sent(website)]
    const { visitId } = await sendUntilTaken(weir, log, [first])
    const crash = async () => {
      const before = (await faults(weir, log)).crashed.length
      await faults(weir, log, [(await faults(weir, log)).passed.length + 1])
      await ask(weir, log, [sent(website)])
      await until(async () => (await faults(weir, log)).crashed.length > before || undefined)
    }
    await crash()
    expect(await sendUntilTaken(weir, log, [second])).toMatchObject({ visitId })
    expect(await sendUntilTaken(weir, log, [first])).toMatchObject({ visitId })
    await emptied(weir, log)
    await crash()
    expect(await sendUntilTaken(weir, log, [third])).toMatchObject({ visitId })
    await emptied(weir, log)
    await weir.restart()
    for (const one of [first, second, third]) {
      expect(await sendUntilTaken(weir, log, [one])).toMatchObject({ visitId })
    }
    expect(await notOnce(weir, [first, second, third])).toEqual([])
  })
})

describe('a restart', () => {
  it('does not resend rows that ClickHouse has received, even if they were purged or fill a new table', async () => {
    const [kept, purged] = (await weir.websites(2)) as [string, string]
    const log = randomUUID()
    const events = [sent(kept), sent(kept, { data: { plan: 'pro' } }), sent(kept, {}, 'identify')]
    const first = sent(kept)
    await sendUntilTaken(weir, log, [first])
    await emptied(weir, log)
    // These commits stay in SQLite for several seconds, until its tables are switched.
    await sendUntilTaken(weir, log, [...events, sent(purged)])
    await emptied(weir, log)
    await noted(weir, log)
    await purge(weir.client, [{ websiteId: purged, before: undefined }])
    for (const query of [
      'CREATE TABLE hosts (website_id UUID, events Int64) ENGINE = SummingMergeTree(events) ORDER BY website_id',
      'INSERT INTO hosts SELECT website_id, count() FROM events GROUP BY ALL',
      `CREATE MATERIALIZED VIEW hosts_from_events TO hosts DEFINER = CURRENT_USER SQL SECURITY DEFINER
         AS SELECT website_id, toInt64(count()) AS events FROM events GROUP BY ALL`,
    ]) {
      await weir.client.command({ query })
    }
    await weir.restart()
    const later = sent(kept)
    await sendUntilTaken(weir, log, [later])
    await emptied(weir, log)
    const result = await weir.client.query({
      query: 'SELECT toInt32(sum(events)) AS events FROM hosts WHERE website_id = {kept:UUID}',
      query_params: { kept },
      format: 'JSONEachRow',
    })
    for (const name of ['VIEW hosts_from_events', 'TABLE hosts'])
      await weir.client.command({ query: `DROP ${name} SYNC` })
    expect(await result.json()).toEqual([{ events: 4 }])
    expect(await notOnce(weir, [first, ...events, later])).toEqual([])
    expect((await copies(weir, [purged])).size).toBe(0)
  })
})

describe('an alarm', () => {
  it('drops rows that ClickHouse has, so that they are not resent after a restart', async () => {
    const [website] = (await weir.websites(1)) as [string]
    const log = randomUUID()
    // The object's clock is behind, so that its alarm fires soon: a minute after the events by that clock.
    await setAhead(weir, -58_000)
    for (let flush = 0; flush < 2; flush++) {
      await sendUntilTaken(weir, log, [sent(website)])
      await emptied(weir, log)
    }
    await setAhead(weir, 0)
    const dropped = async () => (await faults(weir, log)).passed.filter((name) => name.startsWith('after DROP')).length
    await until(async () => (await dropped()) === 2 || undefined)
  })
})

describe('an object that has dropped everything', () => {
  it('still delivers the next event, even after a crash', async () => {
    const [website] = (await weir.websites(1)) as [string]
    const [log, first, second] = [randomUUID(), sent(website), sent(website)]
    await setAhead(weir, -58_000)
    await sendUntilTaken(weir, log, [first])
    await emptied(weir, log)
    // The alarm is over an hour late, as after a computer wakes from sleep.
    await setAhead(weir, 3_700_000)
    await until(async () => (await faults(weir, log)).passed.some((name) => /^after DELETE/.test(name)) || undefined)
    await weir.restart()
    weir.behave(async (_, response) => void response.destroy())
    await sendUntilTaken(weir, log, [second])
    await weir.restart()
    weir.behave(undefined)
    await emptied(weir, log)
    expect(await notOnce(weir, [first, second])).toEqual([])
  })
})

describe('a ClickHouse that fails', () => {
  const headers = { 'x-clickhouse-query-id': 'one' }
  /** How a website's first inserts fail, in order. */
  const failures: Readonly<Record<string, readonly Double[]>> = {
    'is gone': [async (_, response) => void response.destroy()],
    'returns its own error': [
      async (_, response) =>
        void response.writeHead(500, { 'x-clickhouse-exception-code': '241' }).end('Code: 241. DB'),
    ],
    'returns 200 and an error': [
      async (_, response) => void response.writeHead(200, headers).end('Code: 241. DB: No.'),
    ],
    'is another server': [async (_, response) => void response.writeHead(200).end('<h1>It works!</h1>')],
    'breaks off its response': [
      async (_, response, pass) => {
        await pass()
        response.writeHead(200, { ...headers, 'content-length': '10' }).write('x')
        response.destroy()
      },
    ],
    'stores the rows, but its response is lost': [
      async (_, response, pass) => {
        await pass()
        response.destroy()
      },
    ],
    'is slow, and also stores repeated rows': [
      async (_, response, pass) => {
        response.destroy()
        await pass()
      },
    ],
    'has lost rows that it considers stored': [
      async (_, response) => void response.destroy(),
      async (_, response) => void response.writeHead(200, headers).end(),
    ],
  }

  /** Each `npm test` run uses a different selection of cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'gets every event once'() {
      const names = Object.keys(failures)
      const websites = await weir.websites(names.length)
      const left = new Map(websites.map((website, index) => [website, [...failures[names[index]!]!]]))
      weir.behave(async (body, response, pass) => {
        const website = /"website_id":"([^"]+)"/.exec(body)?.[1]
        const failure = website && left.get(website)?.shift()
        if (failure) return failure(body, response, pass)
        await passing(body, response, pass)
      })
      const events = websites.map((website) => sent(website))
      await Promise.all(
        events.map(async (event) => {
          await sendUntilTaken(weir, event.website, [event])
          await emptied(weir, event.website)
        }),
      )
      weir.behave(undefined)
      expect([...left.values()].flat()).toEqual([])
      expect(await notOnce(weir, events)).toEqual([])
    },

    async 'gets rows once, even if it has forgotten the token of their first insert'() {
      const [website] = (await weir.websites(1)) as [string]
      const [log, events] = [randomUUID(), [sent(website), sent(website)]]
      // ClickHouse forgets a token after many other blocks.
      await weir.client.command({
        query: 'INSERT INTO ingest (website_id) SELECT {busy:UUID} FROM numbers(5000)',
        query_params: { busy: randomUUID() },
      })
      let [inserts, isUp] = [0, true]
      weir.behave(async (body, response, pass) => {
        const number = body.includes(website) ? ++inserts : 0
        const answer = number < 2 || isUp ? await pass(number > 0 ? `${website}-${number}` : undefined) : undefined
        if (number === 1) isUp = false
        if (!answer || number === 1) return void response.destroy()
        response.writeHead(answer.status, answer.headers).end(answer.text)
      })
      await sendUntilTaken(weir, log, events)
      await until(async () => inserts > 1 || undefined)
      // A running object takes a leap of time for a change of the clock. One that is loaded later does not.
      await weir.restart()
      await setAhead(weir, 660_000)
      isUp = true
      await emptied(weir, log)
      weir.behave(undefined)
      await setAhead(weir, 0)
      expect(await notOnce(weir, events)).toEqual([])
    },

    async 'makes Weir refuse a website that floods it, but no others'() {
      const [flood, quiet] = (await weir.websites(2)) as [string, string]
      const log = randomUUID()
      weir.behave(async (_, response) => void response.destroy())
      const data = { text: 'x'.repeat(500), more: 'y'.repeat(500) }
      const events: Sent[] = []
      const full = await until(async () => {
        const some = Array.from({ length: 100 }, () => sent(flood, { data }))
        if (await send(weir, log, some)) return void events.push(...some)
        return ask(weir, log, [sent(flood, { data })])
      })
      expect([full.status, Number(full.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
      expect(full.headers.has('retry-after')).toBe(true)
      expect(events.length).toBeGreaterThanOrEqual(100)
      const calm = [sent(quiet), sent(quiet)]
      for (const one of calm) expect(await send(weir, log, [one])).toBeDefined()
      weir.behave(undefined)
      await emptied(weir, log)
      expect(await notOnce(weir, [...events, ...calm])).toEqual([])
      const later = sent(flood)
      expect(await send(weir, log, [later])).toBeDefined()
    },
  }

  it.each(inTurn(Object.entries(cases), seed, 2))('%s', (_, isRight) => isRight())
})

outagesOf(() => weir, capacity.large)

describe('a ClickHouse that fails after these outages', () => {
  /** Each `npm test` run uses a different selection of cases. */
  const ends: Readonly<Record<string, () => Promise<void>>> = {
    async 'stores many megabytes of rows, and refuses only one row'() {
      const [website] = (await weir.websites(1)) as [string]
      const log = randomUUID()
      const text = 'x'.repeat(1900)
      const data = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, text]))
      const rows = Array.from({ length: 20 }, () => sent(website, { data }))
      const bad = sent(website, { tag: 'refused' })
      await sendUntilTaken(weir, log, [...rows.slice(0, 6), bad, ...rows.slice(6)])
      await emptied(weir, log)
      expect(await notOnce(weir, rows)).toEqual([])
      expect(await setAside(weir)).toContain(bad.id)
      expect((await copies(weir, [website])).size).toBe(rows.length)
    },

    async 'and has lost rows of one table receives them again; rebuild deletes the duplicates'() {
      const [website] = (await weir.websites(1)) as [string]
      const [log, events] = [randomUUID(), [sent(website), sent(website, { data: { plan: 'pro' } })]]
      let isFirst = true
      weir.behave(async (body, response, pass) => {
        const { status, headers, text } = await pass()
        if (!isFirst || !body.includes(website)) return void response.writeHead(status, headers).end(text)
        isFirst = false
        const query = 'ALTER TABLE events DELETE WHERE website_id = {website:UUID}'
        await weir.client.command({
          ...{ query, query_params: { website } },
          clickhouse_settings: { mutations_sync: '2' },
        })
        response.destroy()
      })
      await sendUntilTaken(weir, log, events)
      await emptied(weir, log)
      weir.behave(undefined)
      expect(await notOnce(weir, events)).toEqual([])
      const found = await weir.differences()
      // There are no differences if ClickHouse stored the repeated rows only in the table that had lost them.
      expect(found.filter(({ websiteId }) => websiteId !== website)).toEqual([])
      // The tests of `check` also rebuild duplicates.
      if (!isLong) return
      await weir.rebuild([website])
      expect(await weir.differences()).toEqual([])
      expect(await notOnce(weir, events)).toEqual([])
    },
  }

  it.each(inTurn(Object.entries(ends), seed, 2))('%s', (_, isRight) => isRight())
})

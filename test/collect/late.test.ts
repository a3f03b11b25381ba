import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { latenessOf } from '../../src/collect/salts.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { type Headers, operator } from '../support/callers.ts'
import { eventsOf, firefox, sendMany, sendOne, storedOf } from '../support/collecting.ts'
import { metadata } from '../support/metadata.ts'
import { bearer, newPerson, signedIn } from '../support/people.ts'
import { newWebsite, read } from '../support/weir.ts'
import { passing, until, type World, world } from './world.ts'

/** Tests how old an event may be, and how very old events affect other events (section 15.1 of the contract). */

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)
/** One second in each month, starting in January 2000. */
const months = Array.from({ length: 300 }, (_, month) => Date.UTC(2000, month, 15) / 1000)
const tooLate = (days: number) => ({
  path: 'payload.timestamp',
  message: `Must be at most ${days} days ago. With a key that may change the website, from the year 2000.`,
})

describe.concurrent('without a key for the website', () => {
  it('an event may be at most seven days old', async () => {
    const website = await newWebsite()
    const moment = now()
    const replies = await Promise.all(
      [7 * day - 60, 7 * day + 60, 300 * day].map((late) => sendOne({ website, timestamp: moment - late })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 400])
    expect(replies[1]!.body.error.issues).toEqual([tooLate(7)])
    await eventsOf(website, 1)
    // So "all time" starts at most eight days ago, and only a few days are recounted.
    const { body } = await read(website, 'daterange')
    expect(Date.parse(body.startDate)).toBeGreaterThan(Date.now() - 8 * day * 1000)
  })

  it('old events in a batch are refused, while the others are stored', async () => {
    const website = await newWebsite()
    const { body } = await sendMany([...months.slice(0, 30).map((timestamp) => ({ website, timestamp })), { website }])
    expect(body).toMatchObject({ size: 31, processed: 1, errors: 30 })
    expect(await eventsOf(website, 1)).toHaveLength(1)
  })

  it.each([
    ['a key that may only read', async (website: string) => bearer(await keyFor(website, 'read'))],
    ['a key of another website', async () => bearer(await keyFor(await newWebsite(), 'write'))],
    ['an unknown key', async () => bearer(`api_${'x'.repeat(43)}`)],
    ['a signed-in outsider', async () => signedIn(await newPerson())],
    ['a bearer token that is not a key', async () => bearer('None')],
  ] as const)('%s does not count as the website’s key', async (_, headersFor) => {
    const website = await newWebsite()
    const reply = await sendOne({ website, timestamp: months[0]! }, await headersFor(website))
    expect(reply).toMatchObject({ status: 400, body: { error: { issues: [tooLate(7)] } } })
  })
})

const keyFor = (website: string, access: 'read' | 'write'): Promise<string> =>
  createKey(metadata, 'late', { admin: false, access, websiteIds: [website] }, Date.now())

describe.concurrent('with a key that may change the website', () => {
  it.each([
    ['in Authorization', (key: string): Headers => bearer(key)],
    ['in x-umami-api-key', (key: string): Headers => ({ 'x-umami-api-key': key })],
  ])('%s, an event may date back to the year 2000, and counts once', async (_, headersOf) => {
    const website = await newWebsite()
    const headers = headersOf(await keyFor(website, 'write'))
    const [eventId, timestamp] = [randomUUID(), Date.UTC(2000, 0, 1) / 1000]
    for (const _ of [1, 2]) expect((await sendOne({ website, eventId, timestamp }, headers)).status).toBe(200)
    const before = await sendOne({ website, timestamp: timestamp - 1 }, headers)
    expect([before.status, before.body.error.issues[0].path]).toEqual([400, 'payload.timestamp'])
    expect((await eventsOf(website, 1)).map((row) => [row.event_id, row.created_at])).toEqual([
      [eventId, '2000-01-01 00:00:00.000'],
    ])
  })

  it('only events of the key’s own website may be old in a batch', async () => {
    const [own, other] = [await newWebsite(), await newWebsite()]
    const headers = bearer(await keyFor(own, 'write'))
    const timestamp = months[0]!
    const { body } = await sendMany(
      [{ website: own, timestamp }, { website: other, timestamp }, { website: own }],
      headers,
    )
    expect(body).toMatchObject({ processed: 2, errors: 1, details: [{ index: 1 }] })
    await eventsOf(own, 2)
  })

  it('identify calls may date back years, too', async () => {
    const website = await newWebsite()
    const call = (timestamp: number) => ({
      type: 'identify',
      payload: { website, id: 'ada', timestamp, data: { a: 1 } },
    })
    for (const timestamp of months.slice(0, 3)) {
      expect((await sendOne(call(timestamp).payload, operator, 'identify')).status).toBe(200)
    }
    const { calls } = await storedOf([website], 0, 3)
    expect(new Set(calls.map(({ session_id }) => session_id)).size).toBe(3)
  })
})

it('COLLECT_LATE sets the maximum age in days, up to 31', () => {
  const days = ['0', '31', '90', 'x', undefined].map((COLLECT_LATE) => latenessOf({ COLLECT_LATE }) / (1000 * day))
  expect(days).toEqual([0, 31, 31, 7, 7])
})

describe('old events', () => {
  let weir: World

  beforeAll(async () => {
    weir = await world()
  })

  afterAll(() => weir?.close())

  const post = async (payloads: readonly object[], key?: string) => {
    const response = await fetch(`${weir.url}/api/batch`, {
      method: 'POST',
      headers: { 'user-agent': firefox, ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(payloads.map((payload) => ({ type: 'event', payload }))),
    })
    return (await response.json()) as { processed: number }
  }
  const count = async (website: string): Promise<number> => {
    const query = `SELECT toInt32(count()) AS events FROM events WHERE website_id = '${website}'`
    const [row] = await (await weir.client.query({ query, format: 'JSONEachRow' })).json<{ events: number }>()
    return row!.events
  }
  const arrived = (website: string, events: number) => until(async () => (await count(website)) === events || undefined)

  it('do not delay others when ClickHouse refuses them, even from many months, and survive a restart', async () => {
    const [website, other] = (await weir.websites(2)) as [string, string]
    const key = await createKey(
      weir.metadata,
      'old',
      { admin: false, access: 'write', websiteIds: [website] },
      Date.now(),
    )
    let held = 0
    weir.behave(async (body, response, pass) => {
      if (body.includes(website)) {
        held++
        await pause(200)
        return void response.destroy()
      }
      await passing(body, response, pass)
    })
    const old = months.slice(0, 12).map((timestamp) => ({ website, timestamp }))
    expect(await post(old, key)).toMatchObject({ processed: 12 })
    expect(await post([{ website: other }])).toMatchObject({ processed: 1 })
    await arrived(other, 1)
    await until(async () => held > 1 || undefined)
    expect(await count(website)).toBe(0)
    await weir.restart()
    expect(await post([{ website: other }])).toMatchObject({ processed: 1 })
    await arrived(other, 2)
    weir.behave(undefined)
    await arrived(website, 12)
    expect(await weir.differences()).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../src/app.ts'
import { LastHour } from '../../src/collect/last-hour.ts'
import type { Headers } from '../support/callers.ts'
import { type Collecting, curl, eventsOf, startCollecting } from '../support/collecting.ts'
import { metadata } from '../support/metadata.ts'
import { newWebsite, running } from '../support/weir.ts'

/** The counts of a website's events in the last hour, by result: `GET /api/websites/:websiteId/collection`. */

const minute = 60_000

describe('the endpoint', () => {
  let weir: Collecting
  beforeAll(async () => {
    weir = await startCollecting({ IGNORE_IP: '192.0.2.66', COLLECT_CAPACITY: '20000' })
  })
  afterAll(() => weir.beside.close())

  const send = (website: string, payload: object = {}, headers: Headers = {}) =>
    weir.post('/api/send', { type: 'event', payload: { website, ...payload } }, headers)
  const collected = async (website: string) => {
    const headers = { authorization: `Bearer ${running.adminKey}` }
    return (await weir.beside.dispatch(`/api/websites/${website}/collection`, {}, { headers })).json()
  }
  const nothing = { stored: 0, bots: 0, blocked: 0, full: 0, refused: {}, warnings: {} }

  it('counts events by result, by reason and by field', async () => {
    const [website, other] = [await newWebsite(), await newWebsite()]
    expect(await collected(website)).toEqual({ since: expect.any(String), ...nothing })
    await send(website)
    await send(website, {
      eventId: randomUUID(),
      tag: 5,
      screen: '1.5x2.5555555555',
      data: { a: 'x'.repeat(2001), b: 1e99 },
    })
    await send(website, {}, { 'user-agent': curl })
    await send(website, {}, { 'cf-connecting-ip': '192.0.2.66' })
    await send(website, { ip: '192.0.2.66' })
    await send(website, { data: Object.fromEntries(Array.from({ length: 60 }, (_, key) => [key, 'x'.repeat(500)])) })
    await send(website, { url: 'http://[', timestamp: 1 })
    const late = Math.floor(Date.now() / 1000) - 20 * 86_400
    await weir.post('/api/batch', [
      { type: 'event', payload: { website, timestamp: late } },
      { type: 'visit', payload: { website } },
      { type: 'event', payload: { website, link: other, eventId: 5 } },
      { type: 'event', payload: { website: randomUUID(), eventId: 5 } },
      { type: 'event', payload: { link: other, eventId: 5 } },
    ])
    await expect
      .poll(() => collected(website))
      .toEqual({
        since: expect.any(String),
        ...{ stored: 2, bots: 1, blocked: 2, full: 1 },
        refused: { url: 1, timestamp: 2, type: 1 },
        warnings: { tag: 1, screen: 1, data: 2 },
      })
    // An id in the wrong field is not counted for that website.
    expect(await collected(other)).toMatchObject(nothing)
    await eventsOf(website, 2)
  })

  it('is a 404 on a server that does not collect events', async () => {
    const website = await newWebsite()
    const env = { METADATA: metadata, CLICKHOUSE_URL: running.clickhouse }
    const headers = { authorization: `Bearer ${running.adminKey}` }
    expect((await api().request(`http://weir/api/websites/${website}/collection`, { headers }, env)).status).toBe(404)
  })
})

describe('the counts', () => {
  const start = Date.UTC(2026, 4, 10, 12, 0)

  it('cover the last 60 minutes, and include the start of that period', () => {
    const hour = new LastHour(start + 500)
    hour.add('a', 'stored', start + 1000)
    hour.add('a', 'stored', start + 30 * minute)
    hour.add('a', 'refused.url', start + 30 * minute)
    expect(hour.of('a', start + 59 * minute)).toEqual({
      since: start + 500,
      counts: [
        ['stored', 2],
        ['refused.url', 1],
      ],
    })
    expect(hour.of('a', start + 60 * minute)).toEqual({
      since: start + minute,
      counts: [
        ['stored', 1],
        ['refused.url', 1],
      ],
    })
    expect(hour.of('a', start + 90 * minute)).toEqual({ since: start + 31 * minute, counts: [] })
  })

  it('cover at most a thousand websites, namely those with the newest events', () => {
    const hour = new LastHour(start)
    for (let website = 0; website < 1000; website++) hour.add(String(website), 'stored', start)
    hour.add('0', 'stored', start)
    hour.add('new', 'stored', start)
    expect(['0', '1', '2', 'new'].map((one) => hour.of(one, start).counts.length)).toEqual([1, 0, 1, 1])
  })
})

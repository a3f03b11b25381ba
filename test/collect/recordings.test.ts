import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeToken } from '../../src/collect/identity.ts'
import { post } from '../support/callers.ts'
import { curl } from '../support/collecting.ts'
import {
  configure,
  eventually,
  moved,
  newVisit,
  record,
  recordedWebsite,
  replayOf,
  type Visit,
} from '../support/recording.ts'
import { get, newWebsite, running } from '../support/weir.ts'

/** Tests the responses of `POST /api/record`, with one test for each row of docs/recordings.md. */

const visit = await newVisit(await recordedWebsite())

/** Many times the size that a recording may have after decompression. */
const bomb = gzipSync(new Uint8Array(100_000_000), { level: 1 })

const sent = (events: readonly unknown[] = [moved(Date.now())], websiteId = visit.websiteId) => ({
  type: 'record',
  payload: { website: websiteId, events, timestamp: 1 },
})

const asked = (body: unknown, headers: Record<string, string> = {}) =>
  post('/api/record', body, { ...visit.headers, 'x-umami-cache': visit.cache, ...headers })

const gzipped = async (bytes: Uint8Array, cache = visit.cache) => {
  const response = await fetch(`${running.url}/api/record`, {
    method: 'POST',
    headers: { ...visit.headers, 'x-umami-cache': cache, 'content-encoding': 'gzip' },
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a recording', () => {
  it('is stored, and returned as it was sent', async () => {
    const now = Date.now()
    const events = [moved(now), moved(now + 10)]
    const own = await newVisit(visit.websiteId)
    expect((await record(own, 'record', events, { timestamp: 7 })).body).toEqual({ ok: true })
    const { body } = await replayOf(own, 1)
    expect(body).toEqual({
      ...{ sessionId: own.sessionId, events, startedAt: new Date(now).toISOString() },
      ...{ endedAt: new Date(now + 10).toISOString(), eventCount: 2, chunkCount: 1 },
    })
  })

  it('may be compressed with gzip', async () => {
    const own = await newVisit(visit.websiteId)
    const body = gzipSync(JSON.stringify(sent([moved(Date.now(), 'x'.repeat(2_000_000))])))
    const response = await fetch(`${running.url}/api/record`, {
      method: 'POST',
      headers: { ...own.headers, 'x-umami-cache': own.cache, 'content-encoding': 'gzip' },
      body,
    })
    expect(await response.json()).toEqual({ ok: true })
    expect((await replayOf(own, 1)).body.events[0].data.text).toHaveLength(2_000_000)
  })

  it('is refused if it is too large, before or after decompression', async () => {
    const large = await asked(sent([moved(0, 'x'.repeat(1_000_000))]))
    expect([large.status, large.body.reason]).toEqual([413, 'payload_too_large'])
    expect((await gzipped(gzipSync(`{"a":"${'x'.repeat(5_000_000)}"}`))).status).toBe(413)
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await gzipped(bomb)).toMatchObject({ status: 413, body: { reason: 'payload_too_large' } })
    expect((await gzipped(gzipSync(JSON.stringify(sent())).subarray(0, -20))).status).toBe(413)
    expect((await gzipped(new TextEncoder().encode('no gzip'))).status).toBe(400)
    expect((await asked(sent(), { 'content-encoding': 'br' })).status).toBe(400)
  })

  it('is refused if it has the wrong shape', async () => {
    const deep = `${'['.repeat(250)}${']'.repeat(250)}`
    const wrong = [
      'no JSON',
      [],
      { type: 'other', payload: { website: visit.websiteId, events: [] } },
      { type: 'record', payload: { website: 'x', events: [] } },
      { type: 'record', payload: { website: visit.websiteId } },
      sent(Array.from({ length: 201 }, () => moved(0))),
      { type: 'record', payload: { website: visit.websiteId, events: [], timestamp: 'soon' } },
    ]
    for (const body of wrong) expect((await asked(body)).status, JSON.stringify(body)).toBe(400)
    const bodies = [
      `{"type":"record","payload":{"website":"${visit.websiteId}","events":[${deep}]}}`,
      '['.repeat(10_000),
    ]
    for (const body of bodies) {
      const init = { method: 'POST', headers: { ...visit.headers, 'x-umami-cache': visit.cache }, body }
      const answer = await fetch(`${running.url}/api/record`, init)
      expect(answer.status).toBe(400)
    }
  })

  it('is refused before parsing if it would need more memory than its length suggests', async () => {
    const objects = (count: number, one: (place: number) => string) =>
      `{"type":"record","payload":{"website":"${visit.websiteId}","events":[${Array.from({ length: count }, (_, place) => one(place)).join()}]}}`
    const refused = async (body: string) => {
      const answer = await gzipped(gzipSync(body))
      return [answer.status, (answer.body.error as { message: string }).message]
    }
    const keys = objects(1, () => `{${Array.from({ length: 100_000 }, (_, place) => `"k${place}":1`).join()}}`)
    expect(await refused(keys)).toEqual([400, 'The body has objects of too many kinds.'])
    expect(await refused(objects(1_000_001, () => '0'))).toEqual([400, 'The body has too many values.'])
  })

  it('is accepted with any Weir token if it has no events', async () => {
    expect((await asked(sent([], randomUUID()))).body).toEqual({ ok: true })
    expect((await asked(sent([], randomUUID()), { 'x-umami-cache': '' })).status).toBe(400)
  })

  it('is refused before its body is read if it has no Weir token', async () => {
    const bodies = [
      new TextEncoder().encode('no gzip'),
      gzipSync('no JSON'),
      gzipSync('['.repeat(1_000_000)),
      bomb,
      gzipSync(JSON.stringify(sent())).subarray(0, -20),
      crypto.getRandomValues(new Uint8Array(60_000)),
    ]
    const forged = makeToken('another secret', new Uint8Array(32), { ...visit, at: Date.now(), owner: '0'.repeat(16) })
    for (const body of bodies) {
      const messages = []
      for (const cache of ['', 'nonsense', forged]) messages.push((await gzipped(body, cache)).body.error)
      expect(messages).toMatchObject([
        { status: 400, message: 'Missing session token.' },
        { status: 400, message: 'Invalid session token.' },
        { status: 400, message: 'Invalid session token.' },
      ])
      expect((await gzipped(body)).body).not.toMatchObject({ error: { message: expect.stringContaining('token') } })
    }
    expect((await asked(sent(), { 'content-encoding': 'br', 'x-umami-cache': '' })).body.error.message).toMatch(
      /^Missing/,
    )
  })

  it('requires the token of a visit to this website', async () => {
    const message = async (body: unknown, headers = {}) => (await asked(body, headers)).body.error?.message
    expect(await message(sent(), { 'x-umami-cache': '' })).toBe('Missing session token.')
    expect(await message(sent(), { 'x-umami-cache': 'nonsense' })).toBe('Invalid session token.')
    const other = await newVisit(await newWebsite())
    expect(await message(sent(), { 'x-umami-cache': other.cache })).toBe('Invalid session token.')
    const forged = `${visit.cache.slice(0, -2)}${visit.cache.endsWith('AA') ? 'BB' : 'AA'}`
    expect(await message(sent(), { 'x-umami-cache': forged })).toBe('Invalid session token.')
    // The whole answer also works as a token.
    expect((await asked(sent(), { 'x-umami-cache': JSON.stringify({ cache: visit.cache }) })).body).toEqual({
      ok: true,
    })
  })

  it('is refused for a deleted website', async () => {
    const own = await newVisit(await recordedWebsite())
    const init = { method: 'DELETE', headers: { authorization: `Bearer ${running.adminKey}` } }
    expect((await fetch(`${running.url}/api/websites/${own.websiteId}`, init)).status).toBe(200)
    expect((await record(own, 'record', [moved(0)])).body.error.message).toBe('Website not found.')
  })

  it('is refused if the website does not record, or not this type', async () => {
    const own = await newVisit(await newWebsite())
    const answer = async (type: 'record' | 'heatmap') => (await record(own, type, [moved(0)])).body
    expect(await answer('record')).toEqual({ ok: false, reason: 'recorder_disabled' })
    await configure(own.websiteId, { heatmapEnabled: true })
    expect(await answer('record')).toEqual({ ok: false, reason: 'replay_disabled' })
    await configure(own.websiteId, { replayEnabled: true })
    expect(await answer('heatmap')).toEqual({ ok: false, reason: 'heatmap_disabled' })
    await configure(own.websiteId, null)
    expect(await answer('heatmap')).toEqual({ ok: false, reason: 'recorder_disabled' })
  })

  it('is not stored if it comes from a bot', async () => {
    const websiteId = await recordedWebsite()
    const headers = { 'user-agent': curl, 'cf-connecting-ip': '192.0.2.77' }
    // Bots get no token.
    const { body } = await post('/api/send', { type: 'event', payload: { website: websiteId, url: '/' } }, headers)
    expect(body).toEqual({ beep: 'boop', reason: 'bot' })
    expect((await asked(sent(), { 'user-agent': curl })).status).toBe(400)
  })

  it('is accepted from any origin, and its answer is never cached', async () => {
    const answer = await asked(sent())
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const preflight = await fetch(`${running.url}/api/record`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*')
  })
})

describe('a repeated request', () => {
  it('is stored once', async () => {
    const own = await newVisit(visit.websiteId)
    const now = Date.now()
    const first = [moved(now)]
    const clicks = [{ type: 'click', url: '/twice', x: 1, y: 2, viewportW: 100, viewportH: 100 }]
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => record(own, 'record', first)),
      ...[1, 2, 3].map(() => record(own, 'heatmap', clicks, { timestamp: '5' })),
    ])
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 6 }, () => ({ ok: true })))
    await record(own, 'record', [moved(now + 1)])
    expect((await replayOf(own, 2)).body).toMatchObject({ eventCount: 2, chunkCount: 2 })
    // Clicks are in another table. Once a later click is there, all earlier ones are.
    await record(own, 'heatmap', [{ ...clicks[0], url: '/twice-later' }], { timestamp: '6' })
    const range = { startAt: now - 86_400_000, endAt: now + 86_400_000 }
    const ask = () => get(`/api/websites/${own.websiteId}/heatmaps`, { ...range, search: 'twice' })
    const { body } = await eventually(ask, ({ body }) => body.pages.length > 1)
    expect(body.pages).toEqual(['/twice', '/twice-later'].map((urlPath) => ({ urlPath, count: 1, sessions: 1 })))
  })
})

/** An event in pieces, as Umami's recorders send it. */
function piecesOf(event: object, total: number, id: string = randomUUID()): object[] {
  const text = JSON.stringify(event)
  const length = Math.ceil(text.length / total)
  return Array.from({ length: total }, (_, index) => ({
    type: 'umami:rrweb-event-fragment',
    timestamp: 1,
    data: { id, index, total, value: text.slice(index * length, (index + 1) * length) },
  }))
}

describe('an event in pieces', () => {
  const typed = (text: string) => ({ type: 3, timestamp: Date.now(), data: { source: 5, id: 1, text } })

  it('is reassembled whatever the order of the pieces, and masked as a whole', async () => {
    const own = await newVisit(visit.websiteId)
    const [first, second, third] = piecesOf(typed('secret'.repeat(20)), 3)
    const beside = moved(Date.now())
    for (const piece of [third, first]) expect((await record(own, 'record', [piece])).body).toEqual({ ok: true })
    expect((await record(own, 'record', [beside, second])).body).toEqual({ ok: true })
    // A repeat is recognised.
    expect((await record(own, 'record', [beside, second])).body).toEqual({ ok: true })
    const { body } = await replayOf(own, 1)
    expect([body.eventCount, body.chunkCount]).toEqual([2, 1])
    expect(body.events.map(({ data }: { data: { text: string } }) => data.text).sort()).toEqual(
      [beside.data.text, '*'.repeat(120)].sort(),
    )
  })

  it('is dropped if a piece is missing or invalid, or belongs to another visit', async () => {
    const [own, other] = [await newVisit(visit.websiteId), await newVisit(visit.websiteId)]
    const [first, second] = piecesOf(typed('secret'), 2)
    await record(own, 'record', [first])
    await record(other, 'record', [second, moved(Date.now())])
    const broken = piecesOf({}, 1)
    const wrong = { ...broken[0], data: { id: 'x', index: 0, total: 1, value: '{"type":' } }
    const wrongs = [wrong, { ...wrong, data: { ...wrong.data, index: 5 } }, { ...wrong, data: null }]
    await record(own, 'record', [...wrongs, moved(Date.now())])
    expect((await replayOf(own, 1)).body.eventCount).toBe(1)
    expect((await replayOf(other, 1)).body.eventCount).toBe(1)
  })
})

describe('pieces of incomplete events', () => {
  it('are refused once a website has 200 of them, so that other websites have room', async () => {
    const [own, other] = [await newVisit(await recordedWebsite()), await newVisit(await recordedWebsite())]
    const begun = (count: number) => Array.from({ length: count }, () => piecesOf({}, 2)[0]!)
    for (let turn = 0; turn < 10; turn++) {
      const visitor = await newVisit(own.websiteId)
      expect((await record(visitor, 'record', begun(20))).status).toBe(200)
    }
    expect((await record(own, 'record', begun(1))).status).toBe(503)
    expect((await record(other, 'record', begun(1))).body).toEqual({ ok: true })
  })

  it('replace the oldest ones of their visit, or are refused if their website has too many', async () => {
    const [own, other] = [await newVisit(await recordedWebsite()), await newVisit(await recordedWebsite())]
    const piece = (id: string) => {
      const value = 'x'.repeat(900_000)
      return { type: 'umami:rrweb-event-fragment', timestamp: 1, data: { id, index: 0, total: 2, value } }
    }
    const visits = await Promise.all([1, 2].map(() => newVisit(own.websiteId)))
    const send = (sender: Visit, id: string) => record(sender, 'record', [piece(id)])
    // The first visit holds at most 10 million characters, so its website still has room.
    for (let place = 0; place < 13; place++) expect((await send(visits[0]!, `${place}`)).status).toBe(200)
    const statuses = []
    for (let place = 0; place < 8; place++) statuses.push((await send(visits[1]!, `${place}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503, 503])
    const late = await send(visits[1]!, 'late')
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect((await record(visits[1]!, 'record', [moved(Date.now())])).body).toEqual({ ok: true })
    expect((await send(other, 'mine')).body).toEqual({ ok: true })
  })
})

describe('a visit', () => {
  it('accepts at most 5,000 heatmap events', async () => {
    const own = await newVisit(visit.websiteId)
    const clicks = (turn: number) =>
      Array.from({ length: 200 }, (_, x) => ({ type: 'click', url: '/full', x, y: turn, viewportW: 9, viewportH: 9 }))
    for (let turn = 0; turn < 25; turn++)
      expect((await record(own, 'heatmap', clicks(turn))).body).toEqual({ ok: true })
    expect((await record(own, 'heatmap', clicks(25))).body).toEqual({ ok: false, reason: 'visit_full' })
    // The visit's stored requests are still recognised, and its replay has separate limits.
    expect((await record(own, 'heatmap', clicks(3))).body).toEqual({ ok: true })
    expect((await record(own, 'record', [moved(Date.now())])).body).toEqual({ ok: true })
  })

  it('has no replay if it has no valid event', async () => {
    const own = await newVisit(visit.websiteId)
    const none = [null, 7, 'x', [], {}, { type: '3', timestamp: 1 }, { type: 3, timestamp: 'x' }, { type: 3 }]
    expect((await record(own, 'record', none)).body).toEqual({ ok: true })
    expect((await record(own, 'heatmap', [...none, { type: 'click', url: 'https://' }])).body).toEqual({ ok: true })
    expect((await get(`/api/websites/${own.websiteId}/replays/${own.visitId}`)).status).toBe(404)
  })
})

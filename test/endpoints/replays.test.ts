import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { inOrder, nothingAnswered } from '../../src/endpoints/replays/merge.ts'
import { operator, post, remove } from '../support/callers.ts'
import { insert as insertRow } from '../support/people.ts'
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
import { refused } from '../support/refusals.ts'
import { get, insert, newWebsite, running } from '../support/weir.ts'

/** Tests `…/replays`, `…/sessions/:sessionId/replays` and `…/replays/saved` with example answers. */

const t0 = Date.UTC(2025, 9, 15, 12)
const day = { startAt: Date.UTC(2025, 9, 15), endAt: Date.UTC(2025, 9, 16) - 1 }
const stamp = (moment: number): string => new Date(moment).toISOString().replace('T', ' ').slice(0, -1)

interface Chunk {
  readonly visit: string
  readonly session?: string
  readonly arrival?: number
  readonly index?: number
  /** The events' times, in milliseconds after `t0`. */
  readonly at: readonly number[]
}

let chunks = 0

/** Stores chunks as the log does. Each event contains its chunk and its position in that chunk. */
const store = (websiteId: string, ...some: readonly Chunk[]): Promise<void> =>
  insert(
    'ingest_replay_chunks',
    some.map(
      ({ visit, session = visit, at, arrival = t0 + Math.max(...at) + 500, index = Math.floor(arrival / 1000) }) => {
        const times = at.map((one) => t0 + one)
        const known = times.map((time) => (Math.abs(time - arrival) < 60_000 ? time : arrival))
        const own = (++chunks).toString(16).padStart(64, '0')
        const events = times.map((timestamp, place) =>
          JSON.stringify({ type: 3, timestamp, data: { chunk: index, place } }),
        )
        return {
          ...{ website_id: websiteId, visit_id: visit, session_id: session, created_at: stamp(arrival) },
          ...{ chunk_index: index, hash: own, times, events: events.join('\n') },
          ...{ first_at: stamp(Math.min(...known)), last_at: stamp(Math.max(...known)) },
        }
      },
    ),
  )

const event = (websiteId: string, visit: string, columns: object = {}) => ({
  ...{ website_id: websiteId, event_id: randomUUID(), session_id: visit, visit_id: visit, event_type: 1 },
  ...{ created_at: stamp(t0), url_path: '/', browser: 'firefox', os: 'Linux', device: 'desktop', country: 'DE' },
  ...columns,
})

const listed = async (websiteId: string, query: object = {}) => {
  const { status, body, headers } = await get(`/api/websites/${websiteId}/replays`, { ...day, ...query } as never)
  expect([status, body.error]).toEqual([200, undefined])
  return { ...body, headers, ids: body.data.map(({ id }: { id: string }) => id) as string[] }
}

const replay = async (websiteId: string, visit: string, query: object = {}) => {
  const { status, body } = await get(`/api/websites/${websiteId}/replays/${visit}`, query as never)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

const placesOf = (body: { events: { data: { chunk: number; place: number } }[] }) =>
  body.events.map(({ data: { chunk, place } }) => `${chunk}.${place}`)

const rest = randomUUID().slice(1)

/** These ids have the same order as texts and as UUIDs in ClickHouse. */
const [one, two, three] = ['1', '2', '3'].map((first) => first + rest) as [string, string, string]

const websiteId = await newWebsite()
const calls = [{ website_id: websiteId, session_id: one, distinct_id: 'zoe', created_at: stamp(t0) }]
await Promise.all([
  store(
    websiteId,
    { visit: one, at: [0, 1000] },
    { visit: one, at: [2000, 61_000] },
    { visit: two, at: [10_000, 11_000] },
    { visit: three, at: [20_000, 20_500, 21_000, 50_000] },
  ),
  insert('ingest', [
    event(websiteId, one, { city: 'Bonn', distinct_id: 'ada' }),
    event(websiteId, one, { created_at: stamp(t0 + 5), city: 'Berlin', browser: 'chrome', url_path: '/late' }),
    // This is a day before the range. Filters apply to the whole visit, so `/early` finds it.
    event(websiteId, two, { created_at: stamp(t0 - 86_400_000), country: 'US', url_path: '/early' }),
  ]),
  insert('ingest_session_data', calls),
])

describe('a replay list', () => {
  it('has a row for each visit, latest first, with the attributes of its last action', async () => {
    const { data, count, page, pageSize, headers } = await listed(websiteId)
    expect([count, page, pageSize, headers.get('cache-control')]).toEqual([3, 1, 20, 'private, no-store'])
    const iso = (after: number) => new Date(t0 + after).toISOString()
    const nobody = { browser: '', os: '', device: '', country: '', city: '', distinctIds: [], isViewed: false }
    expect(data).toEqual([
      {
        ...{ id: three, sessionId: three, websiteId, ...nobody, eventCount: 4, chunkCount: 1, duration: 30_000 },
        ...{ startedAt: iso(20_000), endedAt: iso(50_000), createdAt: iso(50_500) },
      },
      {
        ...{ id: two, sessionId: two, websiteId, ...nobody, eventCount: 2, chunkCount: 1, duration: 1000 },
        ...{ browser: 'firefox', os: 'Linux', device: 'desktop', country: 'US' },
        ...{ startedAt: iso(10_000), endedAt: iso(11_000), createdAt: iso(11_500) },
      },
      {
        ...{ id: one, sessionId: one, websiteId, isViewed: false, eventCount: 4, chunkCount: 2, duration: 61_000 },
        ...{ browser: 'chrome', os: 'Linux', device: 'desktop', country: 'DE', city: 'Berlin' },
        ...{ startedAt: iso(0), endedAt: iso(61_000), createdAt: iso(61_500), distinctIds: ['ada', 'zoe'] },
      },
    ])
  })

  it('contains the replays that started in the range', async () => {
    expect((await listed(websiteId, { startAt: t0 + 1, endAt: t0 + 19_999 })).ids).toEqual([two])
    expect((await listed(websiteId, { startAt: t0, endAt: t0 })).ids).toEqual([one])
    expect((await listed(websiteId, { startAt: t0 + 20_001 })).ids).toEqual([])
  })

  it.each([
    ['createdAt', [two, three, one]],
    ['duration', [two, three, one]],
    ['eventCount', [two, one, three]],
    ['startedAt', [one, two, three]],
    ['location', [three, one, two]],
    ['browser', [three, one, two]],
  ])('can be sorted by %s', async (orderBy, wanted) => {
    expect((await listed(websiteId, { orderBy, sortDescending: 'false' })).ids).toEqual(wanted)
  })

  it('can be filtered by any action of the visit, by a search, and by duration', async () => {
    expect((await listed(websiteId, { path: '/late' })).ids).toEqual([one])
    expect((await listed(websiteId, { path: '/early' })).ids).toEqual([two])
    expect((await listed(websiteId, { browser: 'firefox' })).ids).toEqual([two, one])
    expect((await listed(websiteId, { country: 'FR' })).ids).toEqual([])
    expect((await listed(websiteId, { search: 'BONN' })).ids).toEqual([one])
    expect((await listed(websiteId, { search: 'ada' })).ids).toEqual([one])
    expect((await listed(websiteId, { minDuration: 30 })).ids).toEqual([three, one])
    expect((await listed(websiteId, { minDuration: 31 })).ids).toEqual([one])
  })

  it('has page numbers, and a cursor that is valid for only one order', async () => {
    expect(await listed(websiteId, { pageSize: 1, page: 2 })).toMatchObject({ ids: [two], count: 3, page: 2 })
    const { headers } = await listed(websiteId, { pageSize: 1 })
    const cursor = /cursor=([\w.-]+)/.exec(headers.get('link')!)![1]!
    refused(await get(`/api/websites/${websiteId}/replays`, { ...day, orderBy: 'duration', cursor }), 'cursor')
    expect(await listed(websiteId, { maxResults: 2 })).toMatchObject({ count: 2, isCapped: true })
  })

  it('contains the replays of a session’s visits under the session’s path', async () => {
    const ofSession = async (session: string) =>
      (await get(`/api/websites/${websiteId}/sessions/${session}/replays`, day)).body.data.length
    expect([await ofSession(one), await ofSession(randomUUID())]).toEqual([1, 0])
  })

  it('is a 404 for a link, whose hits are not recorded', async () => {
    const link = await post('/api/links', { name: 'x', url: 'https://example.com/', slug: randomUUID() })
    for (const path of ['replays', `replays/${one}`, 'replays/saved', `replays/saved/${one}`, 'heatmaps']) {
      const query = /^(replays|heatmaps)$/.test(path) ? day : {}
      expect((await get(`/api/websites/${link.body.id}/${path}`, query)).status, path).toBe(404)
    }
  })
})

describe('a replay', () => {
  let own: string
  beforeAll(async () => {
    own = await newWebsite()
  })

  it('returns events ordered by time, even from overlapping chunks of two tabs and from late chunks', async () => {
    const visit = randomUUID()
    await store(
      own,
      { visit, index: 3, arrival: t0 + 9000, at: [3000, 7000, 8000] },
      { visit, index: 1, arrival: t0 + 9000, at: [0, 2000, 4000] },
      { visit, index: 2, arrival: t0 + 9000, at: [5000, 1000, 4000, 4000] },
    )
    const wanted = ['1.0', '2.1', '1.1', '3.0', '1.2', '2.2', '2.3', '2.0', '3.1', '3.2']
    const whole = await replay(own, visit)
    expect(placesOf(whole)).toEqual(wanted)
    expect(whole).toMatchObject({ sessionId: visit, eventCount: 10, chunkCount: 3 })
    expect([whole.startedAt, whole.endedAt]).toEqual([t0, t0 + 8000].map((moment) => new Date(moment).toISOString()))
    const accept = { ...operator, accept: 'application/x-ndjson' }
    const lines = await fetch(`${running.url}/api/websites/${own}/replays/${visit}`, { headers: accept })
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    const text = await lines.text()
    expect(text.endsWith('\n')).toBe(true)
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(whole.events)
  })

  it('can be limited by time, by chunk and by event', async () => {
    const visit = randomUUID()
    await store(own, { visit, index: 5, at: [0, 10, 20] }, { visit, index: 6, at: [30, 40, 50] })
    const cut = async (query: object) => {
      const body = await replay(own, visit, query)
      return [placesOf(body).join(' '), body.eventCount, body.chunkCount]
    }
    expect(await cut({ until: t0 + 30 })).toEqual(['5.0 5.1 5.2 6.0', 4, 2])
    expect(await cut({ chunkIndex: 5 })).toEqual(['5.0 5.1 5.2', 3, 1])
    expect(await cut({ chunkIndex: 6, eventIndex: 1 })).toEqual(['5.0 5.1 5.2 6.0 6.1', 5, 2])
    expect(await cut({ chunkIndex: 6, eventIndex: 1, until: t0 + 10 })).toEqual(['5.0 5.1', 2, 1])
    const nothing = await replay(own, visit, { until: t0 - 1 })
    expect(nothing).toMatchObject({ events: [], startedAt: null, endedAt: null, eventCount: 0, chunkCount: 0 })
  })

  it('starts at its arrival time if the client’s clock is wrong', async () => {
    const visit = randomUUID()
    const years = -3 * 365 * 86_400_000
    await store(
      own,
      { visit, index: 1, arrival: t0 + 1000, at: [years, years + 10] },
      { visit, index: 2, arrival: t0 + 2000, at: [years + 20] },
    )
    const body = await replay(own, visit)
    expect(placesOf(body)).toEqual(['1.0', '1.1', '2.0'])
    expect(body.events[0].timestamp).toBe(t0 + years)
    expect([body.startedAt, body.endedAt]).toEqual([t0 + 1000, t0 + 2000].map((at) => new Date(at).toISOString()))
  })

  it('counts a chunk only once, even if ClickHouse stores it twice', async () => {
    const visit = randomUUID()
    await store(own, { visit, at: [0, 1] })
    chunks--
    await store(own, { visit, at: [0, 1] }, { visit, at: [5] })
    expect(await replay(own, visit)).toMatchObject({ eventCount: 3, chunkCount: 2 })
  })

  it('is returned completely even if it has many chunks', async () => {
    const visit = randomUUID()
    const at = (turn: number) => [turn * 10, turn * 10 + 15]
    await store(
      own,
      ...Array.from({ length: 300 }, (_, turn) => ({ visit, index: turn, at: at(turn), arrival: t0 + 4000 })),
    )
    const body = await replay(own, visit)
    const times = body.events.map(({ timestamp }: { timestamp: number }) => timestamp)
    expect([body.eventCount, times.length]).toEqual([600, 600])
    expect(times).toEqual([...times].sort((left, right) => left - right))
  })
})

/** The slices of merged chunks, and the greatest number of characters that were read and not yet sent. */
async function mergedOf(chunksOfEvents: readonly (readonly { readonly time: number; readonly text: string }[])[]) {
  let [waiting, most] = [0, 0]
  async function* chunksInTurn() {
    for (const [index, lines] of chunksOfEvents.entries()) {
      const events = lines.map(({ text }) => text).join('\n')
      waiting += events.length
      most = Math.max(most, waiting)
      const times = lines.map(({ time }) => time)
      const chunk = { chunk_hash: `${index}`, session: '', first: Math.min(...times), arrival: t0, index, bytes: 0 }
      yield { chunk, events: { chunk_hash: chunk.chunk_hash, times, events } }
    }
  }
  const extent = { until: undefined, chunkIndex: undefined, eventIndex: undefined }
  const slices: string[][] = []
  for await (const slice of inOrder(chunksInTurn(), extent, nothingAnswered())) {
    slices.push(slice)
    waiting -= slice.join('\n').length
  }
  return { slices, most }
}

describe('the parts of a replay', () => {
  const lineOf = (time: number, length = 0) => ({ time: t0 + time, text: `${time} `.padEnd(length, 'x') })
  const timesOf = (slices: readonly (readonly string[])[]) => slices.flat().map((line) => Number.parseInt(line, 10))

  it('are sent in slices of about 1 MB, with at most 8 MB waiting, even if every part begins at once', async () => {
    const parts = Array.from({ length: 40 }, (_, part) => [
      lineOf(0),
      ...[1, 2, 3].map((place) => lineOf(1000 * part + place, 400_000)),
    ])
    const { slices, most } = await mergedOf(parts)
    expect(most).toBeLessThan(8_000_000 + 2_500_000)
    expect(Math.max(...slices.map((slice) => slice.join('').length))).toBeLessThan(1_000_001)
    expect(timesOf(slices).sort((a, b) => a - b)).toEqual(
      parts.flatMap((part) => part.map(({ text }) => Number.parseInt(text, 10))).sort((a, b) => a - b),
    )
  })

  it('are ordered by time in two tabs that record full pages of 5 MB', async () => {
    const tab = (at: number) => [lineOf(at, 4_900_000), lineOf(at + 2000)]
    const { slices } = await mergedOf([0, 1, 3000, 3001, 6000, 6001].map(tab))
    expect(timesOf(slices)).toEqual([0, 1, 2000, 2001, 3000, 3001, 5000, 5001, 6000, 6001, 8000, 8001])
  })
})

describe('hidden data', () => {
  it('does not appear in any answer if it precedes a reset', async () => {
    const [own, visit] = [await newWebsite(), randomUUID()]
    const now = Date.now()
    const at = (after: number) => now - t0 + after
    await store(own, { visit, at: [at(-5000)] })
    expect((await listed(own, { endAt: now + 60_000 })).ids).toEqual([visit])
    await eventually(
      () => post(`/api/websites/${own}/reset`, {}),
      ({ status }) => status === 200,
    )
    expect((await listed(own, { endAt: now + 60_000 })).ids).toEqual([])
    expect((await get(`/api/websites/${own}/replays/${visit}`)).status).toBe(404)
    // Chunks that arrive later are shown, even in the month of the reset.
    const later = randomUUID()
    await store(own, { visit: later, at: [at(0)], arrival: Date.now() + 2000 })
    expect((await listed(own, { endAt: now + 60_000 })).ids).toEqual([later])
  })

  it('does not appear in any answer, including heatmaps, after a session or replay is deleted', async () => {
    const own = await newWebsite()
    const [kept, gone, left] = [randomUUID(), randomUUID(), randomUUID()]
    const click = (visit: string) => ({
      ...{ website_id: own, visit_id: visit, session_id: visit, created_at: stamp(t0), arrived_at: stamp(t0) },
      ...{ request: '0'.repeat(16), place: 0, type: 1, url_path: '/a', x: 1, y: 1, viewport_w: 9, viewport_h: 9 },
    })
    const visits = [kept, gone, left]
    await Promise.all([
      store(own, ...visits.map((visit) => ({ visit, at: [0] }))),
      insert('ingest_heatmap_events', visits.map(click)),
      insert(
        'ingest',
        visits.map((visit) => event(own, visit)),
      ),
    ])
    const clicks = async () => (await get(`/api/websites/${own}/heatmaps`, day)).body.pages[0]?.count
    expect([(await listed(own)).count, await clicks()]).toEqual([3, 3])
    expect((await remove(`/api/websites/${own}/sessions/${gone}`)).body).toEqual({ ok: true })
    expect((await remove(`/api/websites/${own}/replays/${left}`)).body).toEqual({ ok: true })
    expect([(await listed(own)).ids, await clicks()]).toEqual([[kept], 1])
    for (const visit of [gone, left]) expect((await get(`/api/websites/${own}/replays/${visit}`)).status).toBe(404)
    expect((await remove(`/api/websites/${own}/replays/${left}`)).status).toBe(404)
  })
})

describe('a viewed or saved replay', () => {
  it('is not saved if 1,000 are, and the error names the field that makes room', async () => {
    const own = await newWebsite()
    await store(own, { visit: one, at: [0] })
    const saved = { website_id: own, name: '', search: '', created_at: 1, updated_at: 1 }
    await Promise.all(
      Array.from({ length: 1000 }, () =>
        insertRow('saved_replays', { ...saved, id: randomUUID(), visit_id: randomUUID() }),
      ),
    )
    const { status, body } = await post(`/api/websites/${own}/replays/saved/${one}`, { isSaved: true })
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('Give isSaved: false for some')])
  })

  it('is marked as viewed for that user only', async () => {
    const own = await newWebsite()
    await store(own, { visit: one, at: [0] }, { visit: two, at: [10] })
    expect((await post(`/api/websites/${own}/replays/${one}/view`, {})).body).toEqual({ ok: true })
    expect((await post(`/api/websites/${own}/replays/${one}/view`, {})).body).toEqual({ ok: true })
    const seen = (await listed(own)).data.map(({ id, isViewed }: { id: string; isViewed: boolean }) => [id, isViewed])
    expect(seen).toEqual([
      [two, false],
      [one, true],
    ])
  })

  it('is listed under its name as long as it is saved', async () => {
    const own = await newWebsite()
    await Promise.all([
      store(own, { visit: one, at: [0] }, { visit: two, at: [10] }),
      insert('ingest', [event(own, one, { distinct_id: 'ada' })]),
    ])
    const path = `/api/websites/${own}/replays/saved`
    const save = async (visit: string, body: object) => (await post(`${path}/${visit}`, body)).body
    const isSaved = async (visit: string) => (await get(`${path}/${visit}`)).body
    const names = async (query = {}) =>
      (await get(path, query)).body.data.map(({ name, visitId }: Record<string, string>) => [name, visitId])
    expect(await isSaved(one)).toEqual({ isSaved: false })
    expect(await save(one, { isSaved: true, name: 'Checkout' })).toEqual({ ok: true })
    expect(await save(two, { isSaved: true })).toEqual({ ok: true })
    expect(await isSaved(one)).toEqual({ isSaved: true })
    expect((await names()).sort()).toEqual(
      [
        ['', two],
        ['Checkout', one],
      ].sort(),
    )
    expect(await names({ search: 'CHECK' })).toEqual([['Checkout', one]])
    await post(`/api/websites/${own}/replays/${one}/view`, {})
    expect((await get(path, { search: 'check' })).body.data).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Checkout', websiteId: own, visitId: one },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String), distinctIds: ['ada'], isViewed: true },
      },
    ])
    expect(await save(one, { isSaved: true, name: 'Basket' })).toEqual({ ok: true })
    expect(await save(one, { isSaved: true })).toEqual({ ok: true })
    expect(await names({ search: 'bask' })).toEqual([['Basket', one]])
    expect(await save(one, { isSaved: false })).toEqual({ ok: true })
    expect(await isSaved(one)).toEqual({ isSaved: false })
    expect(await isSaved(two)).toEqual({ isSaved: true })
    await remove(`/api/websites/${own}/replays/${two}`)
    expect(await names()).toEqual([])
    expect(await isSaved(two)).toEqual({ isSaved: false })
  })
})

describe('a visit that is being recorded', () => {
  let visit: Visit

  it('appears in the list, with the attributes of its events', async () => {
    visit = await newVisit(await recordedWebsite({ replayEnabled: true, maskLevel: 'strict' }))
    const now = Date.now()
    await record(visit, 'record', [moved(now), moved(now + 2000)])
    await replayOf(visit, 1)
    const listing = () => listed(visit.websiteId, { startAt: now - 3_600_000, endAt: now + 3_600_000 })
    const { data } = await eventually(listing, ({ data }) => data[0]?.browser === 'firefox')
    expect(data).toMatchObject([
      {
        ...{ id: visit.visitId, sessionId: visit.sessionId, eventCount: 2, chunkCount: 1, duration: 2000 },
        browser: 'firefox',
      },
    ])
    await configure(visit.websiteId, null)
    expect((await replayOf(visit, 1)).body.eventCount).toBe(2)
  })
})

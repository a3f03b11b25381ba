import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type HeatmapQuery, type HeatmapRow, heatmap } from '../oracle/heatmaps.ts'
import { post } from '../support/callers.ts'
import { isLong, runs } from '../support/long.ts'
import { eventually, newVisit, record, recordedWebsite } from '../support/recording.ts'
import { seed } from '../support/seed.ts'
import { get, insert, newWebsite, read } from '../support/weir.ts'

/** Tests the answers of `…/heatmaps` and `POST /api/reports/heatmap` with examples and against an oracle. */

const t0 = Date.UTC(2025, 9, 15, 12)
const day = { startAt: Date.UTC(2025, 9, 15), endAt: Date.UTC(2025, 9, 16) - 1 }
const stamp = (moment: number): string => new Date(moment).toISOString().replace('T', ' ').slice(0, -1)

const nothing = {
  ...{ x: null, y: null, page_x: null, page_y: null, page_w: null, page_h: null },
  ...{ viewport_w: null, viewport_h: null, scroll_pct: null },
}

let requests = 0

const store = (websiteId: string, rows: readonly HeatmapRow[]): Promise<void> =>
  insert(
    'ingest_heatmap_events',
    rows.map(({ created_at, ...row }) => ({
      ...{ ...row, website_id: websiteId, session_id: row.visit_id, place: 0 },
      ...{ created_at: stamp(created_at), arrived_at: stamp(created_at) },
      request: (++requests).toString(16).padStart(16, '0'),
    })),
  )

const heatmaps = (websiteId: string, query: object = {}) => read(websiteId, 'heatmaps', { ...day, ...query } as never)

const visits = Array.from({ length: 4 }, () => randomUUID())
const orNull = (values: readonly number[]) => fc.constantFrom(...values, null)
const size = orNull([390, 1280, 1440])

const rows = fc.array(
  fc.record({
    ...{ visit_id: fc.constantFrom(...visits), created_at: fc.constantFrom(t0 - 86_400_000, t0, t0 + 1) },
    ...{ type: fc.constantFrom(1 as const, 2 as const), url_path: fc.constantFrom('/', '/café', '/Shop#a', '/shop') },
    ...{ x: orNull([0, 7, 13, 99]), y: orNull([0, 7, 13]), page_x: orNull([0, 5, 14]), page_y: orNull([0, 2000]) },
    ...{ page_w: size, page_h: orNull([900, 3000]), viewport_w: size, viewport_h: orNull([720, 844]) },
    scroll_pct: orNull([0, 4, 5, 42, 99, 100]),
  }),
  { minLength: 20, maxLength: 60 },
)

const queries: fc.Arbitrary<HeatmapQuery> = fc.record(
  {
    ...{ startAt: fc.constantFrom(day.startAt, t0, t0 + 1), endAt: fc.constantFrom(day.endAt, t0) },
    mode: fc.constantFrom('click' as const, 'scroll' as const),
    urlPath: fc.constantFrom('/', '/café', '/Shop#a', '/nowhere'),
    ...{ search: fc.constantFrom('SHOP', 'é', '%', '#'), bin: fc.constantFrom(1, 5, 100) },
  },
  { requiredKeys: ['startAt', 'endAt', 'mode', 'bin'] },
)

describe('heatmaps', () => {
  it('match the oracle', async () => {
    const worlds = fc.sample(rows, { seed, numRuns: runs(1, 12) })
    for (const [place, some] of worlds.entries()) {
      const websiteId = await newWebsite()
      await store(websiteId, some)
      const isBefore = ({ startAt, endAt }: HeatmapQuery) => startAt <= endAt
      const drawn = fc.sample(queries, { seed: seed + place, numRuns: isLong ? 100 : 12 })
      for (const query of drawn.filter(isBefore)) {
        const { body, headers } = await heatmaps(websiteId, query)
        const { frame, ...wanted } = heatmap(some, query)
        const { snapshot, ...found } = body
        expect(found, JSON.stringify(query)).toEqual(wanted)
        expect(Number(headers.get('x-total-count'))).toBe(wanted.pages.length)
        const isThere = wanted.points.length + wanted.scroll.totalSessions > 0
        const url = snapshot?.url
        expect(snapshot).toEqual(isThere ? { id: query.urlPath, kind: 'iframe', url, ...frame } : null)
        const parameters = Object.fromEntries(
          Object.entries(query).filter(([name]) => !['startAt', 'endAt'].includes(name)),
        )
        const asked = {
          websiteId,
          type: 'heatmap',
          filters: {},
          parameters: { ...parameters, startAt: query.startAt, endAt: query.endAt },
        }
        expect((await post('/api/reports/heatmap', asked)).body).toEqual(body)
      }
    }
  })

  it('return pages of the list with limit and offset', async () => {
    const websiteId = await newWebsite()
    const click = { ...nothing, x: 1, y: 1, viewport_w: 9, viewport_h: 9, type: 1 as const, created_at: t0 }
    const paths = ['/a', '/b', '/c']
    await store(
      websiteId,
      paths.map((url_path) => ({ ...click, url_path, visit_id: visits[0]! })),
    )
    const listed = async (query: object) => {
      const { body, headers } = await heatmaps(websiteId, query)
      return [body.pages.map(({ urlPath }: { urlPath: string }) => urlPath), headers.get('x-total-count')]
    }
    expect(await listed({ limit: 2 })).toEqual([['/a', '/b'], '3'])
    expect(await listed({ limit: 2, offset: 2 })).toEqual([['/c'], '3'])
    expect((await get(`/api/websites/${websiteId}/heatmaps`, { ...day, limit: 1001 })).status).toBe(400)
  })

  it('are marked as capped if there are more than 5,000 points', async () => {
    const websiteId = await newWebsite()
    const click = { ...nothing, y: 1, viewport_w: 9, viewport_h: 9, type: 1 as const, created_at: t0, url_path: '/' }
    await store(
      websiteId,
      Array.from({ length: 5001 }, (_, x) => ({ ...click, x, visit_id: visits[0]! })),
    )
    const { body, headers } = await heatmaps(websiteId, { urlPath: '/' })
    expect([body.points.length, headers.get('x-capped')]).toEqual([5000, 'points'])
    expect((await heatmaps(websiteId, { urlPath: '/', bin: 2 })).headers.get('x-capped')).toBe(null)
  })

  it.each([
    ['x', -1, 'positions_are_from_0_to_1000000'],
    ['page_y', 1_000_001, 'positions_are_from_0_to_1000000'],
    ['page_h', 0, 'sizes_are_from_1_to_1000000'],
    ['viewport_w', 2 ** 21, 'sizes_are_from_1_to_1000000'],
    ['scroll_pct', 101, 'scroll_pct_is_at_most_100'],
  ])('cannot contain impossible numbers, because an insert of %s %d is refused', async (name, value, rule) => {
    const row = { ...nothing, visit_id: visits[0]!, type: 1 as const, created_at: t0, url_path: '/', [name]: value }
    await expect(store(await newWebsite(), [row])).rejects.toMatchObject({ actual: expect.stringContaining(rule) })
  })

  it('show only pages on the website’s own domain, whatever the hostnames of its events', async () => {
    const websiteId = await newWebsite()
    const click = { ...nothing, x: 1, y: 1, viewport_w: 9, viewport_h: 9, type: 1 as const, created_at: t0 }
    const view = (url_path: string, hostname: string) => ({
      ...{ website_id: websiteId, event_id: randomUUID(), session_id: visits[0], visit_id: visits[0], event_type: 1 },
      ...{ created_at: stamp(t0), url_path, hostname },
    })
    const paths = ['/own', '/sub', '/wrong', '/café 100%#a', '']
    await Promise.all([
      store(
        websiteId,
        paths.map((url_path) => ({ ...click, url_path, visit_id: visits[0]! })),
      ),
      insert('ingest', [
        ...[view('/sub', 'shop.example.com'), view('/sub', 'shop.example.com'), view('/sub', 'example.com')],
        ...['evil.test', 'evilexample.com', 'evil.test/.example.com'].map((host) => view('/wrong', host)),
      ]),
    ])
    const urlOf = async (urlPath: string) => (await heatmaps(websiteId, { urlPath })).body.snapshot?.url
    expect(await urlOf('/own')).toBe('https://example.com/own')
    expect(await urlOf('/sub')).toBe('https://shop.example.com/sub')
    expect(await urlOf('/wrong')).toBe('https://example.com/wrong')
    expect(await urlOf('/café 100%#a')).toBe('https://example.com/caf%C3%A9%20100%25#a')
    expect(await urlOf('/nowhere')).toBe(undefined)
  })
})

describe('heatmap data from a recorder', () => {
  let websiteId: string
  beforeAll(async () => {
    websiteId = await recordedWebsite()
  })

  it('is limited to valid values, has the paths of page views, and can be filtered by visit', async () => {
    const now = Date.now()
    const visit = await newVisit(websiteId, { url: '/caf%C3%A9?x=1#top', title: 'Menu' })
    const other = await newVisit(websiteId, { url: '/other' })
    const click = { type: 'click', url: '/caf%C3%A9?y=2#top', viewportW: '1280', viewportH: 720 }
    await record(visit, 'heatmap', [
      { ...click, x: 10.5, y: '20', pageX: -5, pageY: 2_000_000, pageW: 0, pageH: 3000.4, timestamp: now },
      { ...click, x: 10.4, y: 20, timestamp: now - 3 * 365 * 86_400_000 },
      { ...click, x: 'a', y: 1 },
      { ...click, x: null, y: 1 },
      {
        type: 'scroll',
        url: 'https://elsewhere.example/caf%C3%A9#top',
        ...{ scrollPct: 250, viewportW: 1280, viewportH: 720 },
      },
    ])
    await record(other, 'heatmap', [{ ...click, x: 1, y: 1, timestamp: now }])
    const range = { startAt: now - 3_600_000, endAt: now + 3_600_000 }
    const ask = (query: object) => read(websiteId, 'heatmaps', { ...range, urlPath: '/café#top', ...query } as never)
    const { body } = await eventually(
      () => ask({}),
      ({ body }) => body.pages[0]?.count === 3 && body.pages[0].sessions === 2,
    )
    expect(body.pages).toEqual([{ urlPath: '/café#top', count: 3, sessions: 2 }])
    const { body: own } = await eventually(
      () => ask({ title: 'Menu' }),
      ({ body }) => body.points.length === 2,
    )
    const viewport = { viewportW: 1280, viewportH: 720 }
    expect(own.points).toEqual([
      { x: 10, y: 20, pageX: null, pageY: null, pageW: null, pageH: null, ...viewport, count: 1 },
      { x: 11, y: 20, pageX: 0, pageY: 1_000_000, pageW: null, pageH: 3000, ...viewport, count: 1 },
    ])
    const { scroll } = (await ask({ mode: 'scroll' })).body
    expect(scroll).toMatchObject({ totalSessions: 1, buckets: [{ depth: 100, sessions: 1, ...viewport }] })
    const { body: paths } = await read(websiteId, 'metrics', { ...range, type: 'path' } as never)
    expect(paths).toContainEqual({ x: '/café#top', y: 1 })
  })
})

import { describe, expect, it } from 'vitest'
import { event, id, view } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { rowsOf } from '../support/exports.ts'
import { day, websiteWith } from '../support/website.ts'
import { insert, newWebsite, read } from '../support/weir.ts'

const by = (number: number) => ({ session_id: id(100 + number), visit_id: id(200 + number) })

type Vitals = Partial<Record<'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb', number>>

const measurement = (number: number, time: string, vitals: Vitals, more: Partial<IngestRow> = {}): object => ({
  ...event({ event_id: id(number), event_type: 5, created_at: `2025-10-15 ${time}.000`, ...by(1), ...more }),
  ...vitals,
})

/** Four LCP values at 10 o'clock and one at 12. The last row has no measurements. */
const rows = [
  measurement(
    1,
    '10:00:00',
    { lcp: 1000, cls: 0.1, ttfb: 0 },
    { url_path: '/', browser: 'chrome', page_title: 'Home' },
  ),
  measurement(2, '10:10:00', { lcp: 4000 }, { url_path: '/', browser: 'chrome', page_title: 'Home' }),
  measurement(3, '10:20:00', { lcp: 2000, cls: 0.25 }, { url_path: '/x', browser: 'safari', page_title: 'X' }),
  measurement(4, '10:30:00', { lcp: 3000.5 }, { url_path: '', ...by(2) }),
  measurement(5, '12:00:00', { lcp: 5000 }, { url_path: '/x', browser: 'safari', page_title: 'X' }),
  measurement(6, '12:00:00', { inp: 8 }, { url_path: '/y', browser: 'safari', device: 'mobile' }),
  { ...view('10:00:00', { ...by(1), event_id: id(7) }), lcp: 99_999 },
  event({ ...by(1), event_id: id(8), event_name: 'buy' }),
]

const websiteId = await websiteWith(...(rows as IngestRow[]))

const asked = async (path: string, more: object = {}): Promise<unknown> =>
  (await read(websiteId, `performance/${path}`, { ...day, ...more })).body

const p = (p50: number, p75: number, p95: number) => ({ p50, p75, p95 })
const same = (value: number) => p(value, value, value)
const none = same(0)

// The percentiles' positions in 1000, 2000, 3000.5, 4000, 5000 are 2, 3 and 3.8; in 0.1 and 0.25 they are 0.5, 0.75 and
// 0.95.
const summary = {
  lcp: p(3000.5, 4000, 4800),
  inp: same(8),
  cls: { p50: expect.closeTo(0.175, 12), p75: expect.closeTo(0.2125, 12), p95: expect.closeTo(0.2425, 12) },
  ...{ fcp: none, ttfb: none, count: 6 },
}

// The percentiles' positions in 1000, 2000, 3000.5, 4000 are 1.5, 2.25 and 2.85.
const chart = [
  { t: '2025-10-15T10:00:00Z', p50: 2500.25, p75: 3250.375, p95: expect.closeTo(3850.075, 9) },
  { t: '2025-10-15T12:00:00Z', ...same(5000) },
]

const pages = [
  { name: '/x', p50: 3500, p75: 4250, p95: 4850, count: 2 },
  { name: '/', p50: 2500, p75: 3250, p95: 3850, count: 2 },
  { name: '', ...same(3000.5), count: 1 },
]

describe('web vitals', () => {
  it('have exact percentiles, interpolated between two values', async () => {
    expect(await asked('stats')).toStrictEqual(summary)
    expect(await asked('stats', { startAt: 0, endAt: 1e11 })).toStrictEqual({
      ...{ lcp: none, inp: none, cls: none, fcp: none, ttfb: none },
      count: 0,
    })
  })

  it('appear in the chart at the time when they were measured, with and without fill', async () => {
    for (const fill of ['true', 'false']) {
      expect(await asked('chart', { unit: 'hour', fill })).toStrictEqual({ chart })
    }

    const tokyo = { metric: 'inp', unit: 'day', timezone: 'Asia/Tokyo' }
    expect(await asked('chart', tokyo)).toStrictEqual({ chart: [{ t: '2025-10-14T15:00:00Z', ...same(8) }] })
    expect(await asked('chart', { metric: 'fcp' })).toStrictEqual({ chart: [] })
  })

  it('are grouped by page, title, device or browser, slowest first, without groups that have no values', async () => {
    expect(await asked('metrics', { type: 'path' })).toStrictEqual(pages)
    expect(await asked('metrics', { type: 'path', limit: 1, offset: 1 })).toStrictEqual(pages.slice(1, 2))
    expect(await asked('metrics', { type: 'path', search: 'X' })).toStrictEqual(pages.slice(0, 1))
    expect(await asked('metrics', { type: 'device', metric: 'inp' })).toStrictEqual([
      { name: 'mobile', ...same(8), count: 1 },
    ])
    expect(await rowsOf(`/api/websites/${websiteId}/performance/metrics`, { ...day, type: 'path' })).toStrictEqual(
      pages,
    )
  })

  it('are exact for many values, and ignore values that are not numbers', async () => {
    const other = await newWebsite()
    const count = 9000
    const values = Array.from({ length: count }, (_, index) => (index * 7919) % count)
    const many = values.map((lcp, index) => measurement(index, '10:00:00', { lcp }))
    const odd = [measurement(count, '10:00:00', { lcp: 'nan' as never, fcp: 'inf' as never })]
    await insert(
      'ingest',
      [...many, ...odd].map((row) => ({ ...row, website_id: other })),
    )
    const { body } = await read(other, 'performance/stats', day)
    const last = count - 1
    expect(body).toMatchObject({ fcp: none, count: count + 1 })
    for (const [place, share] of [
      ['p50', 0.5],
      ['p75', 0.75],
      ['p95', 0.95],
    ] as const) {
      expect(body.lcp[place]).toBeCloseTo(last * share, 6)
    }
  })
})

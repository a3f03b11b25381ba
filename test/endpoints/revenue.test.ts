import { describe, expect, it } from 'vitest'
import { event, id, number, string, view } from '../oracle/fixtures.ts'
import { rowsOf } from '../support/exports.ts'
import { refused } from '../support/refusals.ts'
import { day, websiteWith } from '../support/website.ts'
import { get, read } from '../support/weir.ts'

const by = (session: number, visit: number) => ({ session_id: id(100 + session), visit_id: id(200 + visit) })

const sold = (revenue: string, currency = 'EUR') => [number('revenue', revenue), string('currency', currency)]
const at = (time: string) => ({ created_at: `2025-10-15 ${time}.000` })
const [germany, belgium] = [
  { country: 'DE', region: 'BE' },
  { country: 'BE', region: 'BE' },
]

/**
 * The first visit comes from a.example, and has a sale and a refund. The second has no view. The third comes by mail,
 * and has a later view from elsewhere. The fourth only has views. There was also a sale the day before.
 */
const rows = [
  view('10:00:00', { ...by(1, 1), event_id: id(1), url_path: '/', referrer_domain: 'a.example' }),
  event({ ...by(1, 1), ...at('10:05:00'), ...germany, event_id: id(2), event_name: 'buy' }, sold('10.5')),
  event({ ...by(1, 1), ...at('12:00:00'), ...germany, event_id: id(3), event_name: 'refund' }, sold('-20.25')),
  event({ ...by(2, 2), ...at('10:10:00'), ...belgium, event_id: id(4), event_name: 'buy' }, sold('5', 'eur')),
  view('09:00:00', { ...by(3, 3), event_id: id(5), utm_medium: 'email' }),
  view('09:00:01', { ...by(3, 3), event_id: id(6), referrer_domain: 'google.com' }),
  event({ ...by(3, 3), ...at('10:20:00'), event_id: id(7), event_name: 'buy', browser: 'safari' }, sold('100', 'USD')),
  event({ ...by(3, 3), ...at('10:30:00'), event_id: id(8), event_name: 'buy', browser: 'safari' }, sold('2.0001')),
  view('11:00:00', { ...by(4, 4), event_id: id(9) }),
  event({ ...by(5, 5), event_id: id(10), event_type: 5, event_name: '' }, sold('1')),
  event({ ...by(6, 6), event_id: id(11), event_name: 'buy', created_at: '2025-10-14 10:00:00.000' }, sold('7')),
]

const websiteId = await websiteWith(...rows)

const asked = async (path: string, more: object = {}): Promise<unknown> =>
  (await read(websiteId, `revenue/${path}`, { ...day, currency: 'EUR', ...more })).body

const none = { sum: 0, count: 0, unique_count: 0, total_sessions: 0, average: 0, arpu: 0 }
const before = { sum: 7, count: 1, unique_count: 1, total_sessions: 1, average: 7, arpu: 7 }

const total = {
  ...{ sum: -2.7499, count: 4, unique_count: 3, total_sessions: 4 },
  ...{ average: expect.closeTo(-2.7499 / 4, 12), arpu: expect.closeTo(-2.7499 / 4, 12), comparison: before },
}

const t = (hour: string) => `2025-10-15T${hour}:00:00Z`
const chart = [
  { x: 'buy', t: t('10'), y: 17.5001, count: 3 },
  { x: 'refund', t: t('12'), y: -20.25, count: 1 },
]

describe('revenue', () => {
  it('returns totals in the requested currency, also for the preceding period', async () => {
    expect(await asked('stats')).toStrictEqual(total)
    expect(await asked('stats', { currency: 'usd' })).toMatchObject({ sum: 100, count: 1, unique_count: 1 })
    expect(await asked('stats', { currency: 'GBP', compare: 'yoy' })).toStrictEqual({
      ...none,
      total_sessions: 4,
      comparison: none,
    })
  })

  it('returns a chart by event name', async () => {
    expect(await asked('chart', { unit: 'hour' })).toStrictEqual({ chart })
    const noon = { startAt: day.startAt + 10 * 3_600_000, endAt: day.startAt + 12 * 3_600_000 }
    expect(await asked('chart', { ...noon, unit: 'hour', fill: 'true' })).toStrictEqual({
      chart: [
        chart[0],
        { x: 'refund', t: t('10'), y: 0, count: 0 },
        { x: 'buy', t: t('11'), y: 0, count: 0 },
        { x: 'refund', t: t('11'), y: 0, count: 0 },
        { x: 'buy', t: t('12'), y: 0, count: 0 },
        chart[1],
      ],
    })
    expect(await asked('chart', { startAt: 0, endAt: 1e11 })).toStrictEqual({ chart: [] })
  })

  it('lists its currencies, with the one that has the most sales first', async () => {
    const all = [
      { currency: 'EUR', count: 4, sum: -2.7499 },
      { currency: 'USD', count: 1, sum: 100 },
    ]
    const path = `/api/websites/${websiteId}/revenue/currencies`
    const list = async (more: object = {}): Promise<unknown> => (await get(path, { ...day, ...more })).body
    expect(await list()).toStrictEqual(all)
    expect(await list({ browser: 'safari' })).toStrictEqual([
      { currency: 'EUR', count: 1, sum: 2.0001 },
      { currency: 'USD', count: 1, sum: 100 },
    ])
    expect(await list({ search: 'us' })).toStrictEqual(all.slice(1))
    expect(await list({ limit: 1 })).toStrictEqual(all.slice(0, 1))
    expect((await get(path, { ...day, limit: 1 })).headers.get('x-total-count')).toBe('2')
    expect(await list({ startAt: 0, endAt: 1e11 })).toStrictEqual([])
    expect(await rowsOf(path, day)).toStrictEqual(all)
    refused(await get(path, { ...day, currency: 'EUR' }), 'currency')
  })
})

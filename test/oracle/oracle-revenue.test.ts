import { describe, expect, it } from 'vitest'
import { analysisOf, boolean, DAY, event, id, number, postedOf, string, view } from './fixtures.ts'
import type { Analysis, IngestRow, Property } from './model.ts'
import { salesOf } from './sales.ts'

const sold = (...properties: Property[]) =>
  salesOf([event({ event_name: 'buy' }, properties)]).map(({ currency, sum }) => `${sum} ${currency}`)

const usd = string('currency', 'USD')

describe('the sales of an event', () => {
  it('are one for each currency', () => {
    const lines = ['0', '1', '2'].flatMap((line) => [
      number(`lines.${line}.revenue`, '1.5000'),
      string(`lines.${line}.currency`, line === '2' ? 'EUR' : 'USD'),
    ])
    expect(sold(...lines)).toEqual(['3 USD', '1.5 EUR'])
  })

  it('take the currency of the prefix, else of the next shorter one', () => {
    expect(sold(number('lines.0.revenue', '1'), string('lines.currency', 'EUR'), usd)).toEqual(['1 EUR'])
    expect(sold(number('lines.0.revenue', '1'), usd)).toEqual(['1 USD'])
    expect(sold(number('revenue', '1'), string('lines.currency', 'EUR'))).toEqual([])
    expect(sold(number('a.revenue', '1'), string('b.currency', 'EUR'))).toEqual([])
    expect(sold(number('.revenue', '1'), string('.currency', 'EUR'), usd)).toEqual(['1 EUR'])
    expect(sold(number('a.revenue', '1'), string('a.currency', ' '), usd)).toEqual(['1 USD'])
    expect(sold(number('a.revenue', '1'), number('a.currency', '5'), usd)).toEqual(['1 USD'])
  })

  it('know keys in any letter case, and no others', () => {
    expect(sold(number('REVENUE', '1'), string('Currency', ' usd '))).toEqual(['1 USD'])
    expect(sold(number('revenue_tax', '1'), number('myrevenue', '1'), number('revenue.', '1'), usd)).toEqual([])
    expect(sold(number('revenue', '1'), number('Revenue', '2'), usd)).toEqual(['2 USD'])
    expect(sold(number('revenue', '1'), string('Currency', 'EUR'), usd)).toEqual(['1 EUR'])
  })

  it('read texts that are amounts, to four places', () => {
    const text = (amount: string) => sold(string('revenue', amount), usd)
    expect(text('19.9999')).toEqual(['19.9999 USD'])
    expect(text('0.00005')).toEqual(['0.0001 USD'])
    expect(text('-0.00005')).toEqual(['-0.0001 USD'])
    expect(text('0.000049999')).toEqual(['0 USD'])
    expect(text('9.99995')).toEqual(['10 USD'])
    expect(text('007')).toEqual(['7 USD'])
    expect(text('123456789012345678.12345')).toEqual(['123456789012345678.1235 USD'])
    for (const none of ['abc', '', ' 1', '1.', '.5', '+1', '1e3', '1,000', '1234567890123456789', '1\n'])
      expect(text(none)).toEqual([])
    expect(sold(boolean('revenue', true), usd)).toEqual([])
  })

  it('keep refunds, and sums of nothing', () => {
    expect(sold(number('revenue', '-5'), usd)).toEqual(['-5 USD'])
    expect(sold(number('a.revenue', '-5'), number('b.revenue', '5'), usd)).toEqual(['0 USD'])
    expect(sold(number('a.revenue', '0.1'), number('b.revenue', '0.2'), usd)).toEqual(['0.3 USD'])
  })

  it('are of events of any kind but web vitals', () => {
    const of = (event_type: number) => salesOf([event({ event_type }, [number('revenue', '1'), usd])]).length
    expect([1, 2, 3, 4, 5].map(of)).toEqual([1, 1, 1, 1, 0])
  })
})

type Changes = Partial<IngestRow>

const sale = (number_: number, amount: string, changes: Changes = {}) =>
  event({ event_id: id(number_), event_name: 'buy', ...changes }, [number('revenue', amount), usd])

/** Ann came from Google and buys twice; Bob has no view, and gets his money back. Cay only looks. */
const rows = [
  view('10:00:00', { session_id: id(101), visit_id: id(201), event_id: id(1), referrer_domain: 'google.com' }),
  sale(2, '10', { session_id: id(101), visit_id: id(201), country: 'DE', region: 'BE' }),
  sale(3, '5.5', { session_id: id(101), visit_id: id(201), country: 'US', region: 'BE' }),
  sale(4, '-20', { session_id: id(102), visit_id: id(202), event_name: 'refund' }),
  view('11:00:00', { session_id: id(103), visit_id: id(203), event_id: id(5) }),
]

const of = (endpoint: Analysis, query = '') => analysisOf(rows, endpoint, `${DAY}&currency=usd&${query}`)

describe('revenue', () => {
  it('stats', () => {
    const zeros = { sum: 0, count: 0, unique_count: 0, total_sessions: 0, average: 0, arpu: 0 }
    expect(of('revenue/stats')).toEqual({
      ...{ sum: -4.5, count: 3, unique_count: 2, total_sessions: 3, average: -1.5, arpu: -1.5 },
      comparison: zeros,
    })
    expect(of('revenue/stats', 'currency=eur')).toMatchObject({ ...zeros, total_sessions: 3 })
    expect(of('revenue/stats', 'event=buy')).toMatchObject({ sum: 15.5, total_sessions: 1, arpu: 15.5 })
    expect(() => analysisOf(rows, 'revenue/stats', DAY)).toThrow('currency')
  })

  it('asks every event itself, also for what a view has', () => {
    const paid = view('10:00:00', { session_id: id(101), visit_id: id(201), event_id: id(6), url_path: '/paid' })
    const some = [...rows, { ...paid, ...nested(number('revenue', '7'), usd) }]
    const stats = (query: string) => analysisOf(some, 'revenue/stats', `${DAY}&currency=USD&${query}`)
    expect(stats('path=/paid')).toMatchObject({ sum: 7, count: 1 })
    expect(stats('path=/paid&event=buy')).toMatchObject({ sum: 0, count: 0, total_sessions: 1 })
  })

  it('chart', () => {
    expect(of('revenue/chart', 'unit=day')).toEqual({
      chart: [
        { x: 'buy', t: '2025-10-15T00:00:00Z', y: 15.5, count: 2 },
        { x: 'refund', t: '2025-10-15T00:00:00Z', y: -20, count: 1 },
      ],
    })
    const two = 'startAt=1760486400000&endAt=1760659199999&unit=day&fill=true&currency=USD&event=buy'
    expect(analysisOf(rows, 'revenue/chart', two)).toEqual({
      chart: [
        { x: 'buy', t: '2025-10-15T00:00:00Z', y: 15.5, count: 2 },
        { x: 'buy', t: '2025-10-16T00:00:00Z', y: 0, count: 0 },
      ],
    })
  })

  it('metrics add up to the sum, empty names too', () => {
    expect(of('revenue/metrics', 'type=country')).toEqual([
      { name: 'DE', value: 10 },
      { name: 'US', value: 5.5 },
      { name: '', value: -20 },
    ])
    expect(of('revenue/metrics', 'type=region')).toEqual([
      { name: 'BE', value: 10, country: 'DE' },
      { name: 'BE', value: 5.5, country: 'US' },
      { name: '', value: -20, country: '' },
    ])
    expect(of('revenue/metrics', 'type=referrer')).toEqual([
      { name: 'google.com', value: 15.5 },
      { name: '', value: -20 },
    ])
    expect(of('revenue/metrics', 'type=channel')).toEqual([
      { name: 'organicSearch', value: 15.5 },
      { name: 'Unknown', value: -20 },
    ])
    expect(() => of('revenue/metrics', 'type=city')).toThrow('no such type')
  })

  it('sessions are those with a sale, with the figures of all that they did', () => {
    expect(of('revenue/sessions')).toMatchObject({
      count: 2,
      data: [
        { id: id(102), events: 1 },
        { id: id(101), views: 1, events: 2 },
      ],
    })
    expect(of('revenue/sessions', 'currency=EUR')).toMatchObject({ count: 0, data: [] })
  })

  it('by POST is all of it', () => {
    expect(postedOf(rows, 'revenue', `${DAY}&currency=USD&unit=day`)).toMatchObject({
      chart: [{ x: 'buy' }, { x: 'refund' }],
      total: { sum: -4.5, comparison: { sum: 0 } },
      country: [{ name: 'DE' }, { name: 'US' }, { name: '' }],
      region: [{ country: 'DE' }, { country: 'US' }, { country: '' }],
      referrer: [{ name: 'google.com' }, { name: '' }],
      channel: [{ name: 'organicSearch' }, { name: 'Unknown' }],
    })
  })
})

/** These properties as columns. */
function nested(...properties: Property[]): Changes {
  const entries = Object.entries(event({}, properties)).filter(([name]) => name.startsWith('properties.'))
  return Object.fromEntries(entries)
}

import { describe, expect, it } from 'vitest'
import { array, event, id, number, string } from '../oracle/fixtures.ts'
import type { Property } from '../oracle/model.ts'
import { operator } from '../support/callers.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

const eur = string('currency', 'EUR')

/** An event's properties, and its sales: one sum per currency, as written in the answer. */
type Case = readonly [properties: readonly Property[], sums: Readonly<Record<string, string>>]

const cases: Readonly<Record<string, Case>> = {
  'a number': [[number('revenue', '10.5'), eur], { EUR: '10.5' }],
  'the largest number': [[number('revenue', '999999999999999999.9999'), eur], { EUR: '999999999999999999.9999' }],
  'a text': [[string('revenue', '19.9999'), eur], { EUR: '19.9999' }],
  'a text that is rounded up': [[string('revenue', '0.00005'), eur], { EUR: '0.0001' }],
  'a text that is rounded down': [[string('revenue', `1.00004${'9'.repeat(300)}`), eur], { EUR: '1' }],
  'a negative text that is rounded away from zero': [[string('revenue', '-19.99995'), eur], { EUR: '-20' }],
  'a negative text that rounds to zero': [[string('revenue', '-0.00004'), eur], { EUR: '0' }],
  'a text that is rounded beyond 18 digits': [
    [string('revenue', '999999999999999999.99995'), eur],
    { EUR: '1000000000000000000' },
  ],
  'a text with leading zeros': [[string('revenue', '000000000000000007'), eur], { EUR: '7' }],
  'an amount of zero': [[number('revenue', '0'), eur], { EUR: '0' }],
  'the key in any letter case': [[number('Revenue', '1'), string('CURRENCY', 'EUR')], { EUR: '1' }],
  'the first of keys that differ in letter case': [
    [number('REVENUE', '1'), number('revenue', '2'), string('Currency', 'USD'), string('currency', 'EUR')],
    { USD: '1' },
  ],
  'no amount if the first of such keys has none': [[string('REVENUE', 'x'), number('revenue', '2'), eur], {}],
  'the currency trimmed and in upper case': [
    [number('revenue', '1'), string('currency', ' \u00a0\teuR\n')],
    { EUR: '1' },
  ],
  'lines in the currency above them': [
    [
      number('lines.0.revenue', '1'),
      number('lines.1.revenue', '2'),
      string('lines.currency', 'EUR'),
      string('currency', 'USD'),
    ],
    { EUR: '3' },
  ],
  'lines of several currencies': [
    [
      number('lines.0.revenue', '1.25'),
      string('lines.0.currency', 'usd'),
      number('lines.1.revenue', '-2'),
      number('lines.10.revenue', '4'),
      string('lines.10.currency', ''),
      eur,
    ],
    { EUR: '2', USD: '1.25' },
  ],
  'no currency of a longer or of another prefix': [
    [
      number('a.revenue', '1'),
      string('a.b.currency', 'EUR'),
      string('ab.currency', 'EUR'),
      string('A.currency', 'EUR'),
    ],
    {},
  ],
  'an empty prefix': [[number('.revenue', '1'), eur, string('.currency', 'USD')], { USD: '1' }],
  'no amount without a currency': [[number('revenue', '1')], {}],
  'no amount if the currency is not a text': [[number('revenue', '1'), number('currency', '978')], {}],
  'no amount in a blank currency': [[number('revenue', '1'), string('currency', ' ')], {}],
  'no currency without an amount': [[eur], {}],
  'no key that merely contains the word': [
    [number('revenue_tax', '1'), number('xrevenue', '1'), number('revenue.tax', '1'), eur],
    {},
  ],
  'no amount of another type': [[array('revenue', [1]), eur], {}],
  ...Object.fromEntries(
    ['abc', '', '1e3', '+5', '.5', '5.', ' 5', '5 ', '1,5', '0x10', '٣', '5\n', `1${'0'.repeat(18)}`].map((text) => [
      `no amount of the text ${JSON.stringify(text)}`,
      [[string('revenue', text), eur], {}] as Case,
    ]),
  ),
}

const names = Object.keys(cases)

const rows = names.map((event_name, index) => event({ event_id: id(index), event_name }, [...cases[event_name]![0]]))
const websiteId = await websiteWith(
  ...rows,
  // A view may have a sale, but web vitals may not.
  event({ event_id: id(1000), event_type: 3, event_name: '' }, [number('revenue', '5'), string('currency', 'GBP')]),
  event({ event_id: id(1001), event_type: 5, event_name: '' }, [number('revenue', '5'), string('currency', 'GBP')]),
)

const textOf = async (path: string, query: object): Promise<string> => {
  const asked = pathOf(`/api/websites/${websiteId}/revenue/${path}`, { ...day, ...query })
  return (await fetch(running.url + asked, { headers: operator })).text()
}

const chart = async (currency: string) => textOf('chart', { currency, unit: 'year' })

describe('the sales of an event', () => {
  it.each(['EUR', 'USD', 'usd'])('are the sum of its amounts in one currency: %s', async (currency) => {
    const rows = names
      .map((name) => ({ name, sum: cases[name]![1][currency.toUpperCase()] }))
      .filter(({ sum }) => sum !== undefined)
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, sum }) => `{"x":"${name}","t":"2025-01-01T00:00:00Z","y":${sum},"count":1}`)
    expect(rows.length).toBeGreaterThan(2)
    expect(await chart(currency)).toBe(`{"chart":[${rows.join(',')}]}`)
  })

  it('are counted for all events except web vitals', async () => {
    expect(await chart('GBP')).toBe('{"chart":[{"x":"","t":"2025-01-01T00:00:00Z","y":5,"count":1}]}')
  })

  it('are summed exactly', async () => {
    const texts = await textOf('stats', { currency: 'EUR', event: 'c.a text' })
    expect(texts).toContain('"sum":1000000000000000028,"count":5')
    const both = await textOf('stats', { currency: 'EUR', event: 're.^(the largest|a number)' })
    expect(both).toContain('"sum":1000000000000000010.4999,"count":2')
    const negative = await textOf('stats', { currency: 'EUR', event: 're.^(the largest|a negative)' })
    expect(negative).toContain('"sum":999999999999999979.9999,"count":3')
    const refunds = await textOf('metrics', { currency: 'EUR', type: 'country', event: 'c.away from' })
    expect(refunds).toBe('[{"name":"","value":-20}]')
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, readAddress, viewerZone, writeAddress } from '../../src/pages/dashboard/address/address.ts'
import { propertyField } from '../../src/pages/dashboard/address/fields.ts'
import {
  type Filter,
  filtersParameter,
  negated,
  operatorsOf,
  takesList,
  toggled,
  withFilter,
} from '../../src/pages/dashboard/address/filters.ts'
import { comparedWith, parametersOf, periodOf } from '../../src/pages/dashboard/address/period.ts'
import { filterText } from '../../src/pages/dashboard/filters/filter-text.ts'

const plain = readAddress('?zone=Europe/Berlin')
const now = Date.parse('2026-11-24T06:30:20.500Z')
const minute = '2026-11-24T06:30:59.999Z'

const at = (change: Partial<Address>, first = '2024-02-29') => periodOf({ ...plain, ...change }, first, now)

describe('the parameters for a period', () => {
  it.each([
    ['today', { period: 'today' }, '2026-11-24', 'hour'],
    ['yesterday', { startDate: '2026-11-23', endDate: '2026-11-23' }, '2026-11-23', 'hour'],
    ['7d', { period: 'last_7_days' }, '2026-11-18', 'day'],
    ['30d', { period: 'last_30_days' }, '2026-10-26', 'day'],
    ['90d', { period: 'last_90_days' }, '2026-08-27', 'day'],
    ['month', { period: 'this_month' }, '2026-11-01', 'day'],
    ['lastmonth', { startDate: '2026-10-01', endDate: '2026-10-31' }, '2026-10-01', 'day'],
    ['year', { period: 'this_year' }, '2026-01-01', 'month'],
    ['12m', { period: 'last_12_months' }, '2025-12-01', 'month'],
    ['all', { startDate: '2024-02-29', endDate: minute }, '2024-02-29', 'month'],
  ] as const)('%s', (period, range, from, unit) => {
    const found = at({ period })
    expect([parametersOf(found), found.from, found.unit]).toEqual([{ ...range, timezone: 'Europe/Berlin' }, from, unit])
  })

  it.each([
    [{ period: '30d', interval: 'week' }, 'week'],
    [{ period: '30d', interval: 'hour' }, 'hour'],
    [{ period: '12m', interval: 'hour' }, 'month'],
    [{ period: '7d', interval: 'month' }, 'day'],
  ] as const)('have a suitable interval for %j', (change, unit) => {
    expect(at(change).unit).toBe(unit)
  })

  it('end with the last day of a different month or year', () => {
    expect(parametersOf(at({ period: 'month', from: '2026-03-01' }))).toMatchObject({ endDate: '2026-03-31' })
    expect(parametersOf(at({ period: 'year', from: '2025-01-01' }))).toMatchObject({ endDate: '2025-12-31' })
    expect(parametersOf(at({ period: 'month', from: '2026-11-01' }))).toMatchObject({ period: 'this_month' })
  })

  it('use the current day in the given time zone', () => {
    expect(at({ period: 'today', zone: 'Pacific/Kiritimati' })).toMatchObject({ from: '2026-11-24', to: '2026-11-24' })
    expect(at({ period: 'today', zone: 'Pacific/Pago_Pago' })).toMatchObject({ from: '2026-11-23', to: '2026-11-23' })
  })
})

describe('the period for comparison', () => {
  const custom = { period: 'custom', from: '2024-02-29', to: '2024-03-01' } as const
  it.each([
    [{ period: 'today' }, '2026-11-23', '2026-11-23T06:30:59.999Z', '2026-11-23'],
    [{ period: '7d' }, '2026-11-11', '2026-11-17T06:30:59.999Z', '2026-11-17'],
    [{ period: 'month' }, '2026-10-01', '2026-10-24T05:30:59.999Z', '2026-10-31'],
    [{ period: 'lastmonth' }, '2026-09-01', '2026-09-30', '2026-09-30'],
    [{ period: 'month', from: '2026-03-01' }, '2026-02-01', '2026-02-28', '2026-02-28'],
    [{ period: 'year' }, '2025-01-01', '2025-11-24T06:30:59.999Z', '2025-12-31'],
    [{ period: 'lastmonth', compare: 'yoy' }, '2025-10-01', '2025-10-31', '2025-10-31'],
    [custom, '2024-02-27', '2024-02-28', '2024-02-28'],
    [{ ...custom, compare: 'weeks' }, '2024-02-22', '2024-02-23', '2024-02-23'],
    [{ period: 'lastmonth', compare: 'weeks' }, '2026-08-27', '2026-09-26', '2026-09-26'],
    [{ period: 'lastmonth', compare: 'yoyweeks' }, '2025-10-02', '2025-11-01', '2025-11-01'],
    [{ ...custom, compare: 'yoy' }, '2023-02-28', '2023-03-01', '2023-03-01'],
  ] as const)('to %j', (change, startDate, endDate, to) => {
    const address = { ...plain, ...change }
    const other = comparedWith(at(change), address)!
    expect([parametersOf(other.passed), other.whole.to]).toEqual([
      { startDate, endDate, timezone: 'Europe/Berlin' },
      to,
    ])
  })

  it.each([
    // On 29 March 2026, Berlin's clocks skip the hour from 2:00, and on 25 October, they show it twice.
    ['today', '2026-03-29T22:30:00Z', '2026-03-29', '2026-03-28T23:30:59.999Z'],
    ['7d', '2026-03-30T10:00:00Z', '2026-03-17', '2026-03-23T11:00:59.999Z'],
    ['today', '2026-10-25T23:30:00Z', '2026-10-25', '2026-10-24T22:30:59.999Z'],
  ] as const)('ends at the same time of day after a change of the clocks: %s at %s', (period, at, from, endDate) => {
    const address = { ...plain, period }
    const { passed } = comparedWith(periodOf(address, undefined, Date.parse(at)), address)!
    expect(parametersOf(passed)).toMatchObject({ startDate: from, endDate })
  })

  it('does not exist for all time, or without a comparison', () => {
    expect(comparedWith(at({ period: 'all' }), { ...plain, period: 'all' })).toBeUndefined()
    expect(comparedWith(at({}), { ...plain, compare: 'none' })).toBeUndefined()
  })
})

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a,b\\', '<b>', '=1+1', '\u202e', 'eq.x', '&?#%', ''),
)

/** Only one of several values may end in a backslash, because the API cannot express two. */
const isWritable = ({ values }: Filter) => values.filter((value) => value.endsWith('\\')).length < 2

const filters: fc.Arbitrary<Filter> = fc
  .constantFrom('path', 'country', 'event', propertyField(1, 'a.b, %2E')!, propertyField(2, 'n')!)
  .chain((field) => fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operatorsOf(field)) }))
  .chain(({ field, operator }) =>
    fc.record({
      ...{ field: fc.constant(field), operator: fc.constant(operator) },
      values: fc.uniqueArray(texts, { minLength: 1, maxLength: takesList(field, operator) ? 5 : 1 }),
    }),
  )
  .filter(isWritable)

const addresses: fc.Arbitrary<Address> = fc.record({
  part: fc.option(texts, { nil: undefined }),
  period: fc.constantFrom('today', '30d', 'lastmonth', 'all'),
  from: fc.constant(undefined),
  to: fc.constant(undefined),
  compare: fc.constantFrom('prev', 'weeks', 'yoy', 'none'),
  interval: fc.constantFrom('hour', 'month', undefined),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Chatham'),
  metric: fc.constantFrom('visitors', 'bounces'),
  filters: fc.array(filters),
  tabs: fc.dictionary(fc.constantFrom('pages', 'places', 'eventName', 'property'), texts),
  list: fc.option(texts, { nil: undefined }),
  visitor: fc.option(texts, { nil: undefined }),
  isEmbedded: fc.boolean(),
  theme: fc.constantFrom('light', 'dark', undefined),
})

const sorted = (address: Address) => ({
  ...address,
  filters: address.filters.map((filter) => ({ ...filter, values: [...filter.values].sort() })),
})

describe('a dashboard URL', () => {
  it('is read back exactly as written', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(sorted(readAddress(writeAddress(address)))).toEqual(sorted(address))
      }),
      { numRuns: 200 },
    )
  })

  it('has the defaults if its parameters are invalid', () => {
    const strange =
      '?period=ever&compare=x&zone=Nowhere/None&metric=1&from=2026-02-30&to=9999-01-01&path1=x&__proto__=1'
    expect(readAddress(strange)).toEqual(readAddress(''))
    expect(readAddress('?segment=a&segment=b').filters).toEqual([{ field: 'segment', operator: 'eq', values: ['a'] }])
    for (const field of ['epf.4.a=1', 'epf.1.=1', 'epf.1.%25=1', 'epf.1.a.b=1', 'constructor=1'])
      expect([field, readAddress(`?${field}`).filters]).toEqual([field, []])
    expect(readAddress('?period=custom&from=2026-02-02&to=2026-02-01').period).toBe('30d')
  })

  it('can contain the API’s filters, also negated', () => {
    const sent = (query: string) => JSON.parse(filtersParameter(readAddress(query).filters)!)
    expect(
      sent('?path=c.blog&path=neq./a,/b&country=DE,FR&os=re.^w&segment=x&title=Rain\\, wind&browser=t.co'),
    ).toEqual({
      ...{ path: ['c.blog', 'neq./a,/b'], country: 'eq.DE,FR', os: 're.^w', segment: 'x' },
      ...{ title: 'eq.Rain\\, wind', browser: 'eq.t.co' },
    })
    expect(sent('?epf.2.n=gte.5&epf.3.paid=neq.true')).toEqual({ epf0: '2.gte.n.5', epf1: '3.neq.paid.true' })
    const { filters } = readAddress('?path=/a,/b&title=neq.c&os=c.win&epf.2.n=gt.5')
    const opposite = filters.reduce(negated, filters)
    expect(writeAddress({ ...plain, zone: viewerZone(), filters: opposite })).toBe(
      `?${new URLSearchParams([
        ['path', 'neq./a,/b'],
        ['title', 'c'],
        ['os', 'dnc.win'],
        ['epf.2.n', 'lte.5'],
      ])}`,
    )
    const joined = readAddress('?path=/a&path=neq./c').filters
    expect(negated(joined, joined[0]!)).toEqual([{ field: 'path', operator: 'neq', values: ['/c', '/a'] }])
    const more = withFilter(toggled([], 'path', '/a'), { field: 'path', operator: 'eq', values: ['/b', '/a'] })
    expect(more).toEqual([{ field: 'path', operator: 'eq', values: ['/a', '/b'] }])
    expect(withFilter(more, { field: 'path', operator: 'c', values: ['a'] })).toHaveLength(2)
  })

  it('preserves parameters that the API accepts in addition to conditions', () => {
    const query = '?path=%2Fa&match=any&eventType=1%2C2&eventType=neq.5&excludeBounce=0&cohort=y'
    const { filters } = readAddress(query)
    expect(writeAddress({ ...plain, zone: viewerZone(), filters })).toBe(query)
    expect(JSON.parse(filtersParameter(filters)!)).toEqual({
      ...{ path: 'eq./a', match: 'any', eventType: ['eq.1,2', 'neq.5'], excludeBounce: '0', cohort: 'y' },
    })
    // The API accepts these only once, without an operator.
    expect(readAddress('?match=eq.any&match=all').filters).toEqual([
      { field: 'match', operator: 'eq', values: ['eq.any'] },
    ])
    expect(
      ['match', 'excludeBounce', 'eventType'].map((field) => filterText(readAddress(`?${field}=1`).filters[0]!)),
    ).toEqual(['Filters: 1', 'Bounces: left out', 'Event type is Page view'])
    expect(filterText(filters.find(({ field }) => field === 'excludeBounce')!)).toBe('Bounces: counted')
  })

  it('writes values in the form that the API reads', () => {
    const filters = toggled(toggled([], 'path', 'a,b'), 'path', 'eq.c')
    expect(JSON.parse(filtersParameter(filters)!)).toEqual({ path: 'eq.a\\,b,eq.c' })
    const [text, flag] = [propertyField(1, 'a.b, ü')!, propertyField(3, 'paid')!]
    expect(
      JSON.parse(filtersParameter(toggled(toggled(toggled([], text, 'x.y,z'), flag, 'true'), flag, 'false'))!),
    ).toEqual({
      ...{ epf0: '1.eq.a%2Eb%2C%20%C3%BC.x.y\\,z', epf1: '3.eq.paid.false' },
    })
    expect(propertyField(4, 'day')).toBeUndefined()
    expect(filtersParameter(toggled(toggled(filters, 'path', 'a,b'), 'path', 'eq.c'))).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { fieldNames } from '../../src/request/fields.ts'
import { filters, noFilters } from '../../src/request/filters.ts'
import { range } from '../../src/request/period.ts'
import { query } from '../../src/request/query-string.ts'

type Raw = Record<string, string | string[]>

const none = {
  ...{ match: 'all', fields: [], properties: [], sessionProperties: [], eventTypes: [] },
  ...{ excludeBounce: false, segment: undefined, cohort: undefined },
  ...{ cohorts: [], zone: 'UTC', given: [] },
}

const parse = (raw: Raw, options: Parameters<typeof filters>[0] = {}) =>
  query(filters(options)).schema.parse(raw).filters

const issues = (raw: Raw, options: Parameters<typeof filters>[0] = {}): [string, string][] =>
  (query(filters(options)).schema.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [
    path.join('.'),
    message,
  ])

describe('filters', () => {
  it('are empty if there are no parameters', () => {
    expect(parse({})).toStrictEqual(none)
    expect(parse({ filters: '{}' })).toStrictEqual(none)
    expect(parse({ filters: '{}' })).toStrictEqual(noFilters)
  })

  it('are the same in all three spellings, and keep the request’s parameter name', () => {
    const filter = { name: 'browser', field: 'browser', operator: 'neq', values: ['chrome', 'a,b'] }
    expect(parse({ browser: 'neq.chrome,a\\,b' }).fields).toStrictEqual([{ parameter: 'browser', ...filter }])
    expect(parse({ 'filters[browser]': 'neq.chrome,a\\,b' }).fields).toStrictEqual([
      { parameter: 'filters[browser]', ...filter },
    ])
    expect(parse({ filters: '{"browser":"neq.chrome,a\\\\,b"}' }).fields).toStrictEqual([
      { parameter: 'filters.browser', ...filter },
    ])
  })

  it('may repeat a field with a number, with the same parameter, or as a JSON list', () => {
    const browsers = (raw: Raw) =>
      parse(raw).fields.map((filter) => ('values' in filter ? filter.values : filter.value))
    expect(browsers({ browser: 'a', browser1: 'c.b' })).toStrictEqual([['a'], 'b'])
    expect(browsers({ browser: ['a', 'c.b'] })).toStrictEqual([['a'], 'b'])
    expect(browsers({ 'filters[browser]': ['a', 'b'], 'filters[browser2]': 'c' })).toStrictEqual([['a'], ['b'], ['c']])
    expect(browsers({ filters: '{"browser":["a",1,true]}' })).toStrictEqual([['a'], ['1'], ['true']])
  })

  it.each([
    ['chrome', 'eq', ['chrome']],
    ['eq.chrome', 'eq', ['chrome']],
    ['', 'eq', ['']],
    ['eq.', 'eq', ['']],
    ['neq.', 'neq', ['']],
    ['eq.eq.x', 'eq', ['eq.x']],
    ['t.co', 'eq', ['t.co']],
    ['gt.5', 'eq', ['gt.5']],
    ['C.x', 'eq', ['C.x']],
    ['.c.x', 'eq', ['.c.x']],
    ['a\n,b', 'eq', ['a\n', 'b', 'a\n,b']],
    ['google.com', 'eq', ['google.com']],
    ['Is.x', 'eq', ['Is.x']],
    ['eq.is.gd', 'eq', ['is.gd']],
  ])('are read from %j as %s of %j', (given, operator, values) => {
    expect(parse({ path: given }).fields).toStrictEqual([
      { parameter: 'path', name: 'path', field: 'path', operator, values },
    ])
  })

  it.each([
    ['c.a,b', 'c', 'a,b'],
    ['dnc.', 'dnc', ''],
    ['re.^a\\,b$', 're', '^a\\,b$'],
    ['nre.c.x', 'nre', 'c.x'],
    ['c.example.com', 'c', 'example.com'],
    ['c.\0\n', 'c', '\0\n'],
  ])('are read from %j as %s of %j', (given, operator, value) => {
    expect(parse({ path: given }).fields).toStrictEqual([
      { parameter: 'path', name: 'path', field: 'path', operator, value },
    ])
  })

  it.each([
    ['equals', 'eq'],
    ['is', 'eq'],
    ['notEquals', 'neq'],
    ['isNot', 'neq'],
    ['contains', 'c'],
    ['doesNotContain', 'dnc'],
    ['notContains', 'dnc'],
    ['regex', 're'],
    ['matches', 're'],
    ['notRegex', 'nre'],
  ])('that start with %s. suggest %s., and explain how to send the literal text', (name, meant) => {
    for (const parameter of ['browser', 'filters[title]', 'referrer1']) {
      expect(issues({ [parameter]: `${name}.chrome` })).toStrictEqual([
        [
          parameter,
          `The operator is ${meant}., not ${name}.: send ${meant}.<value>. To compare with the whole text, send eq.<value>.`,
        ],
      ])
      expect(parse({ [parameter]: `eq.${name}.chrome` }).fields).toMatchObject([{ values: [`${name}.chrome`] }])
    }
  })

  it.each([
    ['browsr', 'browser'],
    ['bowser', 'browser'],
    ['borwser', 'browser'],
    ['Browser', 'browser'],
    ['utmsource', 'utmSource'],
    ['contry', 'country'],
    ['titel', 'title'],
  ])('lead to a suggestion if they are misspelt: %s', (given, meant) => {
    const found = [...issues({ [given]: 'x' }), ...issues({ [`filters[${given}]`]: 'x' })].map(([, message]) => message)
    expect(found).toHaveLength(2)
    for (const message of found) expect(message).toContain(` Did you mean ${meant}? Allowed: `)
  })

  it.each(['colour', 'x', '', 'a'.repeat(31)])('lead to no suggestion if they are too different: %s', (given) => {
    expect(issues({ [`filters[${given}]`]: 'x' })[0]![1]).not.toContain('Did you mean')
  })

  it('include match, eventType and excludeBounce in each spelling', () => {
    expect(parse({ match: 'any', eventType: '2', excludeBounce: '' })).toStrictEqual({
      ...none,
      match: 'any',
      eventTypes: [{ operator: 'eq', values: [2] }],
      excludeBounce: true,
      given: ['match', 'eventType', 'excludeBounce'],
    })
    expect(parse({ 'filters[match]': 'any', 'filters[eventType]': 'neq.1,5' })).toStrictEqual({
      ...none,
      match: 'any',
      eventTypes: [{ operator: 'neq', values: [1, 5] }],
      given: ['filters[match]', 'filters[eventType]'],
    })
    expect(parse({ filters: '{"excludeBounce":false,"eventType":3}' })).toStrictEqual({
      ...none,
      eventTypes: [{ operator: 'eq', values: [3] }],
      given: ['filters.excludeBounce', 'filters.eventType'],
    })
  })

  it('have the same name in every spelling, so that a segment can replace them', () => {
    const raw = { browser: 'a', browser1: 'b', 'filters[os2]': 'c', filters: '{"tag":["d","e"]}' }
    expect(parse(raw).fields.map(({ name, field }) => [name, field])).toStrictEqual([
      ['browser', 'browser'],
      ['browser1', 'browser'],
      ['os2', 'os'],
      ['tag', 'tag'],
      ['tag', 'tag'],
    ])
  })

  it('may contain a segment and a cohort by id, in each spelling, but only once', () => {
    const [one, other] = ['7F1C0A52-9A3B-4F0E-8D21-0C5BE7D1A001', '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a002']
    const named = (raw: Raw) => [parse(raw).segment, parse(raw).cohort]
    expect(named({ segment: one, 'filters[cohort]': other })).toStrictEqual([
      { parameter: 'segment', id: one.toLowerCase() },
      { parameter: 'filters[cohort]', id: other },
    ])
    expect(named({ filters: JSON.stringify({ segment: one }) })).toStrictEqual([
      { parameter: 'filters.segment', id: one.toLowerCase() },
      undefined,
    ])
    for (const wrong of ['', 'x', `${other}0`, ` ${other}`, `{${other}}`, other.replaceAll('-', ''), '1,2']) {
      expect(issues({ segment: wrong, cohort: wrong }).map(([path]) => path)).toStrictEqual(['segment', 'cohort'])
    }
    const twice = [['filters[segment]', 'Give this parameter once.']]
    expect(issues({ segment: one, 'filters[segment]': other })).toStrictEqual(twice)
    expect(issues({ cohort: [other, other] })).toStrictEqual([['cohort', 'Give this parameter once.']])
  })

  it('include the time zone for their days', () => {
    const parsed = query(range, filters()).schema.parse({
      ...{ startAt: '0', endAt: '100000000000', timezone: 'Asia/Kolkata' },
    })
    // This is the runtime's name for the zone, which ClickHouse knows, too.
    expect(parsed.filters.zone).toBe('Asia/Calcutta')
  })

  it.each([
    ['1.eq.plan.pro,free', { property: 'plan', dataType: 1, operator: 'eq', values: ['pro', 'free', 'pro,free'] }],
    ['1.re.plan.a.b', { property: 'plan', dataType: 1, operator: 're', value: 'a.b' }],
    ['1.eq.plan%2Eid.', { property: 'plan.id', dataType: 1, operator: 'eq', values: [''] }],
    ['2.neq.price.1,-2.50', { property: 'price', dataType: 2, operator: 'neq', values: ['1', '-2.50'] }],
    ['2.gte.price.10.5', { property: 'price', dataType: 2, operator: 'gte', value: '10.5' }],
    ['3.eq.trial.true', { property: 'trial', dataType: 3, operator: 'eq', value: 'true' }],
    ['5.dnc.items.a.b', { property: 'items', dataType: 5, operator: 'dnc', value: 'a.b' }],
    [
      '4.bf.due.2025-10-15',
      { property: 'due', dataType: 4, operator: 'bf', from: 1_760_486_400_000, to: 1_760_572_799_999 },
    ],
    [
      '4.eq.due.2025-10-15T23:30:00-01:00',
      { property: 'due', dataType: 4, operator: 'eq', from: 1_760_572_800_000, to: 1_760_659_199_999 },
    ],
  ])('are read from the property filter %s', (given, filter) => {
    expect(parse({ epf0: given }).properties).toStrictEqual([{ parameter: 'epf0', ...filter }])
    expect(parse({ spf0: given }).sessionProperties).toStrictEqual([{ parameter: 'spf0', ...filter }])
    const bracketed = 'filters[epf12]'
    expect(parse({ [bracketed]: given }).properties).toStrictEqual([{ parameter: bracketed, ...filter }])
  })

  it('may be pf_ only in reports that support this shorthand', () => {
    const pro = { parameter: 'pf_plan', property: 'plan', dataType: 1, operator: 'eq', values: ['pro'] }
    const again = { ...pro, parameter: 'pf_plan1' }
    expect(parse({ pf_plan: 'eq.pro' }, { shorthand: 'properties' }).properties).toStrictEqual([pro])
    expect(parse({ pf_plan: '1.eq.pro' }, { shorthand: 'properties' }).properties).toStrictEqual([pro])
    const ofSession = parse({ pf_plan: 'eq.pro' }, { shorthand: 'sessionProperties' })
    expect([ofSession.properties, ofSession.sessionProperties]).toStrictEqual([[], [pro]])
    expect(parse({ pf_plan: 'eq.pro', pf_plan1: 'eq.pro' }, { shorthand: 'properties' }).properties).toStrictEqual([
      pro,
      again,
    ])
    expect(parse({ pf_plan1: 'eq.pro' }, { shorthand: 'properties' }).properties).toStrictEqual([
      { ...again, property: 'plan1' },
    ])
    expect(issues({ pf_plan: 'eq.pro' }).map(([path]) => path)).toStrictEqual(['pf_plan'])
  })

  it('are reported if they are unknown, with a list of the allowed ones', () => {
    const others = 'match, eventType, excludeBounce, segment, cohort, epf0, spf0'
    const allowed = `Unknown filter. Allowed: ${fieldNames.join(', ')}, ${others}.`
    expect(issues({ filters: '{"screen":"x","__proto__":"y"}', 'filters[constructor]': 'z' })).toStrictEqual([
      ['filters.screen', allowed],
      ['filters.__proto__', allowed],
      ['filters[constructor]', allowed],
    ])
  })

  it('after the fiftieth are each refused by name', () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`browser${index}`, 'x']))
    expect(parse(fifty).fields).toHaveLength(50)
    expect(issues({ ...fifty, os: 'x', tag: 'x' })).toStrictEqual([['os', 'At most 50 filters may be given.']])
  })
})

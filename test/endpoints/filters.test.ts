import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { events as allEvents, customEvents } from '../../src/query/tables/tables.ts'
import { FIELD_COLUMNS, FIELDS, type Field, passesField, readTextTest } from '../oracle/conditions.ts'
import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import {
  asked,
  computed,
  keeps,
  passed,
  type Sent,
  tableInTurn,
  visible,
  type World,
  worldOf,
} from '../support/agreement.ts'
import { pairs } from '../support/concurrently.ts'
import { inTurn, isLong } from '../support/long.ts'
import { inputOf } from '../support/questions.ts'
import { eventName, events, propertyName, reportOf } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { day } from '../support/website.ts'
import { get } from '../support/weir.ts'

describe('each filter with each operator, in each spelling', () => {
  const texts = ['Alpha', 'beta', 'alphabet', '', 'a,b']

  /** One value for each operator, matching some of each field’s texts. */
  const operands = ['eq.Alpha', 'neq.Alpha,beta', 'c.ALPHA', 'dnc.ALPHA', 're.^b|^$', 'nre.^b|^$'] as const

  /** Any choice works, as long as it is fixed and no two fields are correlated. */
  const chosen = (place: number, field: number): string =>
    texts[(((place + 7) * (field * 13 + 11) * (place + field * 5 + 3)) % 31) % texts.length]!

  const row = (place: number): IngestRow => {
    const text = (field: Field): string => chosen(place, FIELDS.indexOf(field))
    return event(
      {
        ...{ event_id: id(place), session_id: id(100 + (place % 5)), visit_id: id(200 + (place % 9)) },
        event_type: [2, 2, 1, 2, 3][place % 5]!,
        ...Object.fromEntries(FIELDS.map((field) => [FIELD_COLUMNS[field], text(field)])),
        event_name: place % 3 === 0 ? text('event') : eventName,
      },
      [string(propertyName, `row ${place}`)],
    )
  }

  const spellings: readonly ((field: Field, value: string) => [string, string])[] = [
    (field, value) => [field, value],
    (field, value) => [`filters[${field}]`, value],
    (field, value) => ['filters', JSON.stringify({ [field]: value })],
  ]

  // All groups' worlds are stored together, because each insert takes a tenth of a second of processor time.
  const stored = worldOf(...Array.from({ length: 40 }, (_, place) => row(place)))
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it('uses different data for each field, so that no filter can be mistaken for another', () => {
    const columns = FIELDS.map((_, field) => world.rows.map((_, place) => chosen(place, field)).join())
    expect(new Set(columns).size).toBe(FIELDS.length)
  })

  it('have the same meaning', () => {
    const parsed = (pair: [string, string]) => {
      const query = [...Object.entries(events.example.query), pair]
      const { filters } = inputOf({ report: events, websiteId: id(1), query })
      return filters?.fields.map(({ parameter: _, ...condition }) => condition)
    }
    for (const [field, value] of pairs(FIELDS, operands)) {
      const [first, ...others] = spellings.map((spell) => parsed(spell(field, value)))
      expect(first).toMatchObject([{ name: field }])
      for (const other of others) expect({ field, value, other }).toEqual({ field, value, other: first })
    }
  })

  it.each([allEvents, customEvents])('keep the rows that the oracle keeps: $name', async (table) => {
    const all = pairs(FIELDS, operands)
    const kept = all.map(([field, value]) => {
      const condition = { key: field, field, ...readTextTest(value) }
      return world.rows.flatMap((row, place) => (passesField(condition, row) ? [place] : []))
    })
    const found = await passed(
      world,
      table,
      all.map((pair) => [pair]),
    )
    for (const [index, pair] of all.entries()) expect([pair, found[index]]).toEqual([pair, kept[index]])
    expect(kept.filter(({ length }) => length === 0 || length === world.rows.length)).toEqual([])
  })
})

/** A query string, and the positions of the rows that it matches. */
type Case = readonly [query: string, places: readonly number[]]

/** Each case with a title, its position, and the whole list. */
const titled = (cases: readonly Case[]) =>
  cases.map(([query, places], turn) => ({ title: JSON.stringify(query), query, places, turn, cases }))

const found = new Map<readonly Case[], Promise<number[][][]>>()

/**
 * Expects that the filters keep exactly these rows in both tables. One statement per table tests all cases of a list.
 * In `npm test`, a report is also requested with a few of the cases in each run. `test/rules/filters.test.ts` shows
 * that all reports apply the same conditions.
 */
async function keepsIn(world: World, one: ReturnType<typeof titled>[number], reports?: readonly AnyReport[]) {
  const { query, places, turn, cases } = one
  const queries = cases.map(([query]) => query)
  const asking =
    found.get(cases) ?? Promise.all([allEvents, customEvents].map((table) => passed(world, table, queries)))
  found.set(cases, asking)
  expect((await asking).map((table) => table[turn])).toEqual([places, places])
  if (isLong || (turn + seed) % 24 === 0) await keeps(world, query, places, reports)
}

const byTag = (...tags: readonly string[]): IngestRow[] => visible(...tags.map((tag) => ({ tag })))

describe('a value', () => {
  const rows = byTag(
    ...['', 'a', 'b', 'a,b', 'a\\', 'A', 't.co', 'c.a', 'eq.a', 'a\0b', 'a\u00001', 'gt.5', ' a', 'é,%_\\,'],
  )

  const all = rows.map((_, place) => place)
  const not = (...places: number[]): number[] => all.filter((place) => !places.includes(place))

  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      // Without an operator, the value must be equal, including its case.
      ['tag=a', [1]],
      ['tag=A', [5]],
      ['tag= a', [12]],
      ['tag=nothing', []],
      // Comma-separated lists.
      ['tag=a,b', [1, 2, 3]],
      ['tag=eq.a,b', [1, 2, 3]],
      ['tag=neq.a,b', not(1, 2, 3)],
      ['tag=a\\,b', [3]],
      ['tag=a,b,', [0, 1, 2]],
      ['tag=a\\,b,b', [2, 3]],
      ['tag=neq.a\\,b', not(3)],
      ['tag=a,', [0, 1]],
      ['tag=,', [0]],
      ['tag=a,a,a', [1]],
      ['tag=a\\', [4]],
      ['tag=a\\,', []],
      ['tag=é\\,%_\\\\,', [13]],
      ['tag=c.a,b', [3]],
      ['tag=c.a\\,b', []],
      // An empty value is valid.
      ['tag=', [0]],
      ['tag=eq.', [0]],
      ['tag=neq.', not(0)],
      ['tag=c.', all],
      ['tag=dnc.', []],
      ['tag=re.', all],
      ['tag=nre.', []],
      ['tag=re.^$', [0]],
      ['tag=dnc.a', [0, 2, 6, 11, 13]],
      ['tag=nre.a', [0, 2, 6, 11, 13]],
      // Unknown operators are part of the value.
      ['tag=t.co', [6]],
      ['tag=gt.5', [11]],
      ['tag=lt.5', []],
      ['tag=c.a', not(0, 2, 6, 11, 13)],
      ['tag=eq.c.a', [7]],
      ['tag=eq.eq.a', [8]],
      ['tag=eq.a', [1]],
      ['tag=C.a', []],
      ['tag=EQ.a', []],
      ['tag=c', []],
      ['tag=.a', []],
      ['tag=neq.c.a', not(7)],
      // Every character is taken literally.
      ['tag=a\0b', [9]],
      ['tag=\0', []],
      ['tag=neq.a\0b', not(9)],
      ['tag=c.\0', [9, 10]],
      ['tag=c.\u00001', [10]],
      ['tag=dnc.\0', not(9, 10)],
      ['tag=re.a\0', [9, 10]],
      ['tag=re.^a.1$', [10]],
      ['tag=c.%', [13]],
      ['tag=c._', [13]],
      ['tag=c..', [6, 7, 8, 11]],
      ['tag=c.\\', [4, 13]],
      ["tag=a' or '1'='1", []],
      ['tag={p0:String}', []],
    ]),
  )('$title', (one) => keepsIn(world, one, tableInTurn(one.turn)))
})

describe('contains, regular expressions and search ignore the case of every letter', () => {
  const rows = byTag('ÉTÉ', 'été', 'ΣΟΦΌΣ', 'σοφός', 'ЖУК', 'жук', '𐐀𐐁', '𐐨𐐩', 'straße', 'STRASSE', 'x')
  const all = rows.map((_, place) => place)
  const not = (...places: number[]): number[] => all.filter((place) => !places.includes(place))

  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      ['tag=c.É', [0, 1]],
      ['tag=c.été', [0, 1]],
      ['tag=re.^É.É$', [0, 1]],
      ['tag=re.^[è-ê]', [0, 1]],
      ['tag=dnc.é', not(0, 1)],
      ['tag=c.Σ', [2, 3]],
      ['tag=c.σ', [2, 3]],
      ['tag=c.φός', [2, 3]],
      ['tag=c.ΦΌΣ', [2, 3]],
      ['tag=re.Σ$', [2, 3]],
      ['tag=re.ς$', [2, 3]],
      ['tag=c.ж', [4, 5]],
      ['tag=c.Ж', [4, 5]],
      ['tag=nre.^жук$', not(4, 5)],
      ['tag=c.𐐀', [6, 7]],
      ['tag=c.𐐨𐐩', [6, 7]],
      ['tag=re.^.𐐁$', [6, 7]],
      ['tag=dnc.𐐨', not(6, 7)],
      ['tag=c.ß', [8]],
      ['tag=c.ss', [9]],
      ['tag=c.e', [8, 9]],
      // Equality does not ignore case.
      ['tag=ÉTÉ', [0]],
      ['tag=neq.𐐀𐐁', not(6)],
      // A pattern may be case-sensitive.
      ['tag=re.(?-i)^É', [0]],
      ['tag=re.^ж|^x$', [4, 5, 10]],
    ]),
  )('$title', (one) => keepsIn(world, one, tableInTurn(one.turn)))

  it.each([
    ['σοφός', 'ΣΟΦΌΣ'],
    ['φόσ', 'ΣΟΦΌΣ'],
    ['𐐨', '𐐀'],
  ])('search %s finds %s', async (search, name) => {
    const { websiteId } = await worldOf(event({ event_name: name }))
    const { body } = await get(`/api/websites/${websiteId}/events`, { ...day, search })
    expect(body.data.map((one: { eventName: string }) => one.eventName)).toStrictEqual([name])
  })
})

describe('referrer', () => {
  const rows = visible(
    { hostname: 'example.com', referrer_domain: 'example.com' },
    { hostname: 'example.com', referrer_domain: 'www.example.com' },
    { hostname: 'example.com', referrer_domain: 't.co' },
    { hostname: 'example.com', referrer_domain: '' },
    { hostname: '', referrer_domain: '' },
    { hostname: 't.co', referrer_domain: 't.co', browser: 'chrome' },
    { hostname: 'example.com', referrer_domain: 'Example.com' },
    { hostname: 'other.com', referrer_domain: 'c.example.com' },
  )
  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      ['referrer=t.co', [2]],
      ['referrer=example.com', []],
      ['referrer=example.com,t.co,Example.com', [2, 6]],
      ['referrer=neq.t.co', [1, 3, 4, 6, 7]],
      ['referrer=neq.nothing', [1, 2, 3, 4, 6, 7]],
      ['referrer=c.example.com', [1, 6, 7]],
      ['referrer=eq.c.example.com', [7]],
      ['referrer=dnc.example.com', [2, 3, 4]],
      ['referrer=re.^t', [2]],
      ['referrer=nre.^t', [1, 3, 4, 6, 7]],
      // An empty hostname matches no referrer, so every referrer is foreign.
      ['referrer=', [3, 4]],
      ['referrer=neq.', [1, 2, 6, 7]],
      // With match=any, each filter is a separate condition.
      ['referrer=t.co&browser=chrome&match=any', [2, 5]],
      ['referrer=c.&hostname=t.co&match=any', [1, 2, 3, 4, 5, 6, 7]],
      // A repeated filter is two separate conditions.
      ['referrer=c.e&referrer1=neq.Example.com', [1, 7]],
    ]),
  )('$title', (one) => keepsIn(world, one))
})

describe('language', () => {
  const stored = worldOf(...visible(...['en', 'en-US', 'EN_gb', 'eng', 'de', ''].map((language) => ({ language }))))
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      ['language=en', [0, 1, 2]],
      ['language=eq.EN', [0, 1, 2]],
      ['language=en-US', [1]],
      ['language=en-us', []],
      ['language=EN_gb,de', [2, 4]],
      ['language=neq.en', [3, 4, 5]],
      ['language=neq.en-US,de', [0, 2, 3, 5]],
      ['language=', [5]],
      ['language=c.n-u', [1]],
      ['language=re.^en$', [0]],
      ['language=nre.^en', [4, 5]],
    ]),
  )('$title', (one) => keepsIn(world, one))
})

describe('combined filters', () => {
  const rows = visible(
    { browser: 'chrome', os: 'Mac OS', device: 'laptop' },
    { browser: 'chrome', os: 'Windows', device: 'desktop', event_type: 1 },
    { browser: 'firefox', os: 'Mac OS', device: 'laptop', event_type: 3 },
    { browser: 'chrome-ios', os: 'iOS', device: 'mobile', event_type: 4 },
    { browser: '', os: '', device: '' },
  )
  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      ['browser=chrome&os=Mac OS', [0]],
      ['browser=chrome&os=Mac OS&match=all', [0]],
      ['browser=chrome&os=Mac OS&match=any', [0, 1, 2]],
      ['match=any&filters[browser]=firefox&filters={"os":"iOS"}', [2, 3]],
      ['filters={"browser":"firefox","os":"iOS","match":"any"}', [2, 3]],
      ['filters[browser]=firefox&filters[os]=iOS&filters[match]=any', [2, 3]],
      ['match=any', [0, 1, 2, 3, 4]],
      ['match=all', [0, 1, 2, 3, 4]],
      ['match=any&browser=nothing', []],
      // A repeated field is two conditions.
      ['browser=c.chrome&browser1=dnc.ios', [0, 1]],
      ['browser=c.chrome&browser=dnc.ios', [0, 1]],
      ['browser7=firefox', [2]],
      ['filters[browser]=c.chrome&filters[browser]=dnc.ios', [0, 1]],
      ['filters[browser]=c.chrome&filters[browser1]=dnc.ios', [0, 1]],
      ['filters={"browser":["c.chrome","dnc.ios"]}', [0, 1]],
      ['filters={"browser":"c.chrome","browser1":"dnc.ios"}', [0, 1]],
      ['filters={}', [0, 1, 2, 3, 4]],
      ['filters= { "browser" : "firefox" } ', [2]],
      ['browser=c.chrome&filters[browser]=dnc.ios&filters={"browser":"neq.chrome"}', []],
      ['browser=firefox&browser1=chrome-ios&browser2=&match=any', [2, 3, 4]],
      ['filters={"browser":["firefox",""],"match":"any"}', [2, 4]],
      ['browser=chrome&browser1=firefox', []],
      // The event type applies whatever the value of match.
      ['eventType=1', [1]],
      ['eventType=2', [0, 4]],
      ['eventType=3', [2]],
      ['eventType=4', [3]],
      ['eventType=5', []],
      ['eventType=1,3', [1, 2]],
      ['eventType=eq.1,3', [1, 2]],
      ['eventType=neq.2', [1, 2, 3]],
      ['filters[eventType]=1', [1]],
      ['filters={"eventType":1}', [1]],
      ['filters={"eventType":"1"}', [1]],
      ['eventType=2&browser=firefox&match=any', []],
      ['eventType=1&browser=chrome&os=iOS&match=any', [1]],
    ]),
  )('$title', (one) => keepsIn(world, one))

  it('are the same for every JSON spelling of a number or boolean', async () => {
    const numbered = await worldOf(...byTag('7', 'true', '7.5', 'x'))
    await keeps(numbered, 'filters={"tag":7}', [0])
    await keeps(numbered, 'filters={"tag":true}', [1])
    await keeps(numbered, 'filters={"tag":[7.5,"x"],"match":"any"}', [2, 3])
  })

  it('may have fifty conditions', async () => {
    await keeps(
      world,
      Array.from({ length: 50 }, (_, index) => [`browser${index}`, 'chrome'] as const),
      [0, 1],
    )
  })

  it('may list a hundred values', async () => {
    const list = ['chrome', ...Array.from({ length: 99 }, (_, index) => `browser ${index}`)].join(',')
    await keeps(world, `browser=${list}`, [0, 1])
    await keeps(world, `browser=neq.${list}`, [2, 3, 4])
  })

  it('may have a value of the maximum length', async () => {
    await keeps(world, `browser=${'x'.repeat(4000)}`, [])
    await keeps(world, `browser=dnc.${'é'.repeat(3996)}`, [0, 1, 2, 3, 4])
  })
})

describe('excludeBounce', () => {
  const visit = { visit_id: id(201) }
  const rows = visible(
    { ...visit, event_type: 1, url_path: '/a' },
    { ...visit, event_type: 1, url_path: '/b' },
    { ...visit },
    { visit_id: id(202), event_type: 1, url_path: '/a' },
    { visit_id: id(202) },
    { visit_id: id(203) },
    { visit_id: id(204), event_type: 1, url_path: '/a' },
    { visit_id: id(204), event_type: 3, url_path: '/b' },
    { visit_id: id(205), event_type: 4, url_path: '/a' },
    // Events outside the range are ignored.
    { visit_id: id(205), event_type: 1, url_path: '/b', created_at: '2025-10-14 23:59:59.999' },
    { visit_id: id(205), created_at: '2025-10-16 00:00:00.000' },
    // Web vitals neither prevent a bounce nor count as one.
    { visit_id: id(205), event_type: 5 },
    { visit_id: id(206), event_type: 5 },
  )
  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  it.each(
    titled([
      ['excludeBounce=true', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      ['excludeBounce=1', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      ['excludeBounce=', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      ['excludeBounce=no', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      ['filters[excludeBounce]=1', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      ['filters={"excludeBounce":true}', [0, 1, 2, 3, 4, 5, 6, 7, 12]],
      // All of the visit's views and custom events determine a bounce, before any other filter applies.
      ['excludeBounce=1&path=/a', [0, 3, 6]],
      ['excludeBounce=1&path=/a&eventType=2&match=any', []],
      [`excludeBounce=1&epf0=1.eq.${propertyName}.row 2`, [2]],
      ...['false', '0'].map((no): Case => [`excludeBounce=${no}`, [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12]]),
    ]),
  )('$title', (one) => keepsIn(world, one))
})

describe('property filters', () => {
  const rows = visible(
    { has: [string('s', 'Alpha'), number('n', '10.5000'), boolean('b', true), date('d', '2025-10-15T00:00:00.000Z')] },
    { has: [string('s', 'a,b'), number('n', '-3.0000'), boolean('b', false), date('d', '2025-10-15T23:59:59.999Z')] },
    { has: [string('s', ''), number('n', '0.0001'), date('d', '2025-10-16T00:00:00.000Z')] },
    { has: [array('a', ['red', 7, 'x.y', null]), date('d', '2025-10-14T23:59:59.999Z')] },
    { has: [array('a', ['Red', 'blue']), string('n', '10.5'), string('b', 'true')] },
    { has: [array('a', [])] },
    { has: [string('s', 'ALPHABET'), string('s', 'beta'), string('p.q', 'dotted'), string('p%q', 'percent')] },
    { has: [number('n', '123456789012345678.1234'), number('n', '10.5000')] },
    { has: [string('s', "O'Hara\\"), string('', 'empty key'), string('s1', 'one')] },
  )
  const stored = worldOf(...rows)
  let world: World
  beforeAll(async () => {
    world = await stored
  })

  const cases: readonly (readonly [dataType: number, operator: string, property: string, value: string, number[]])[] = [
    [1, 'eq', 's', 'Alpha', [0]],
    [1, 'eq', 's', 'alpha', []],
    [1, 'eq', 's', 'Alpha,beta', [0, 6]],
    [1, 'eq', 's', 'a\\,b', [1]],
    [1, 'eq', 's', 'a,b', [1]],
    [1, 'eq', 's', '', [2]],
    [1, 'eq', 's', "O'Hara\\", [8]],
    [1, 'neq', 's', 'Alpha', [1, 2, 6, 8]],
    [1, 'neq', 's', 'beta', [0, 1, 2, 6, 8]],
    [1, 'neq', 's', 'beta,ALPHABET', [0, 1, 2, 8]],
    [1, 'c', 's', 'alpha', [0, 6]],
    [1, 'c', 's', '', [0, 1, 2, 6, 8]],
    [1, 'dnc', 's', 'alpha', [1, 2, 6, 8]],
    [1, 're', 's', '^A|^$', [0, 1, 2, 6]],
    [1, 'nre', 's', 'a', [2]],
    [1, 'eq', 'n', '10.5', [4]],
    [1, 'eq', 'S', 'Alpha', []],
    [1, 'eq', 'nothing', 'x', []],
    [1, 'neq', 'nothing', 'x', []],
    [1, 'dnc', 'nothing', 'x', []],
    [2, 'eq', 'n', '10.5', [0, 7]],
    [2, 'eq', 'n', '10.50000', [0, 7]],
    [2, 'eq', 'n', '-3,0.0001', [1, 2]],
    [2, 'eq', 'n', '0.00010001', []],
    [2, 'eq', 'n', '123456789012345678.1234', [7]],
    [2, 'eq', 'n', '123456789012345678.1235', []],
    [2, 'neq', 'n', '10.5', [1, 2, 7]],
    [2, 'neq', 'n', '10.5,-3', [2, 7]],
    [2, 'gt', 'n', '0.0001', [0, 7]],
    [2, 'gte', 'n', '0.0001', [0, 2, 7]],
    [2, 'gt', 'n', '0.00009999', [0, 2, 7]],
    [2, 'lt', 'n', '0.0001', [1]],
    [2, 'lte', 'n', '0.0001', [1, 2]],
    [2, 'lt', 'n', '-3', []],
    [2, 'gt', 'n', '999999999999999999', []],
    [2, 'lt', 'n', '999999999999999999.9999', [0, 1, 2, 7]],
    [3, 'eq', 'b', 'true', [0]],
    [3, 'eq', 'b', 'false', [1]],
    [3, 'neq', 'b', 'true', [1]],
    [3, 'neq', 'b', 'false', [0]],
    [4, 'eq', 'd', '2025-10-15', [0, 1]],
    [4, 'eq', 'd', '2025-10-15T12:34:56Z', [0, 1]],
    [4, 'eq', 'd', '2025-10-16T01:00:00+02:00', [0, 1]],
    [4, 'neq', 'd', '2025-10-15', [2, 3]],
    [4, 'bf', 'd', '2025-10-15', [3]],
    [4, 'af', 'd', '2025-10-15', [2]],
    [4, 'bf', 'd', '1500-01-01', []],
    [4, 'af', 'd', '1500-01-01', [0, 1, 2, 3]],
    [4, 'bf', 'd', '9999-12-31', [0, 1, 2, 3]],
    [4, 'eq', 'd', '9999-12-31', []],
    [4, 'neq', 'd', '9999-12-31', [0, 1, 2, 3]],
    [4, 'af', 'd', '9999-12-31', []],
    [4, 'neq', 'd', '0001-01-01', [0, 1, 2, 3]],
    [4, 'af', 'd', '0099-12-31T23:59:59-12:00', [0, 1, 2, 3]],
    [5, 'c', 'a', 'red', [3]],
    [5, 'c', 'a', '7', [3]],
    [5, 'c', 'a', 'null', [3]],
    [5, 'c', 'a', 'x.y', [3]],
    [5, 'c', 'a', 're', []],
    [5, 'c', 'a', '', []],
    [5, 'dnc', 'a', 'red', [4, 5]],
    [5, 'dnc', 'a', 'nothing', [3, 4, 5]],
    [1, 'eq', 's1', 'one', [8]],
  ]

  it.each(
    titled(
      cases.map(([dataType, operator, property, value, places]) => [
        `epf0=${dataType}.${operator}.${property}.${value}`,
        places,
      ]),
    ),
  )('$title', (one) => keepsIn(world, one))

  it.each(
    titled([
      ['epf=1.eq.s.Alpha', [0]],
      ['epf3=1.eq.s.Alpha', [0]],
      ['filters[epf0]=1.eq.s.Alpha', [0]],
      ['filters={"epf0":"1.eq.s.Alpha"}', [0]],
      // A name with a dot or a percent sign is encoded twice.
      ['epf0=1.eq.p%2Eq.dotted', [6]],
      ['epf0=1.eq.p%2eq.dotted', [6]],
      ['epf0=1.eq.p%25q.percent', [6]],
      ['epf0=1.eq.%73.Alpha', [0]],
      ['epf0=1.eq.s.Al%70ha', []],
      // Each is a separate condition, whatever the value of match.
      ['epf0=1.eq.s.Alpha&epf1=2.gt.n.0', [0]],
      ['epf0=1.eq.s.Alpha&epf0=1.eq.s.beta', []],
      ['epf0=1.eq.s.beta&epf1=1.eq.s.ALPHABET', [6]],
      ['epf0=1.eq.s.Alpha&browser=nothing&match=any', []],
      ['epf0=3.eq.b.true&browser=nothing&tag=&match=any', [0]],
      // Days are in the time zone.
      ['epf0=4.eq.d.2025-10-14&timezone=America/Los_Angeles', [0, 3]],
      ['epf0=4.af.d.2025-10-15&timezone=Asia/Tokyo', [1, 2]],
      ['epf0=4.eq.d.2025-10-15T00:00:00Z&timezone=America/Los_Angeles', [0, 3]],
    ]),
  )('$title', (one) => keepsIn(world, one))

  const pivot = reportOf({ endpoint: 'event-data-pivot' })
  const pivots = async (query: Sent, places: readonly number[]): Promise<void> => {
    const { websiteId, rows } = world
    const kept = places.map((place) => rows[place]!)
    expect(await asked(websiteId, pivot, query)).toStrictEqual(computed(kept, pivot, []))
  }

  /** Other spellings of the filters above. `npm test` runs a different eighth of these cases each time. */
  const others = inTurn(cases, seed, 8)

  it.each(
    others.map(([dataType, operator, property, value, places]) => ({
      pair: `pf_${property}=${dataType}.${operator}.${value}`,
      places,
    })),
  )('on the pivot, $pair', ({ pair, places }) => pivots(pair, places))

  it.each(
    titled([
      ['pf_s=eq.Alpha', [0]],
      ['pf_s=dnc.alpha', [1, 2, 6, 8]],
      ['pf_p.q=eq.dotted', [6]],
      ['pf_p%q=eq.percent', [6]],
      ['pf_s1=eq.one', [8]],
      ['pf_s=eq.beta&pf_s1=eq.ALPHABET', [6]],
      ['pf_s=eq.beta&pf_s=eq.ALPHABET', [6]],
      ['pf_s=eq.Alpha&epf0=2.eq.n.10.5&pf_b=3.eq.true', [0]],
      ['pf_d=4.eq.2025-10-14&timezone=America/Los_Angeles', [0, 3]],
    ]),
  )('on the pivot, $title', ({ query, places }) => pivots(query, places))
})

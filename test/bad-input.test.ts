import { beforeAll, describe, expect, it } from 'vitest'
import { fieldNames } from '../src/request/fields.ts'
import { event, id, string } from './oracle/fixtures.ts'
import { computed, reportPerTable, type World, worldOf } from './support/agreement.ts'
import { forEach, pairs } from './support/concurrently.ts'
import { isLong } from './support/long.ts'
import { sendRaw } from './support/raw.ts'
import { failed, refused } from './support/refusals.ts'
import {
  eventName,
  everyReport,
  listReports,
  pagedReports,
  propertyName,
  type ReportUnderTest,
  rangeReports,
  reportPath,
} from './support/reports.ts'
import { newId } from './support/website.ts'
import { clickhouse, get, newWebsite, pathOf, type Reply, running, send } from './support/weir.ts'

const key = { authorization: `Bearer ${running.adminKey}` }
const json = { ...key, 'content-type': 'application/json' }

/** Changes to a valid request; null leaves a parameter out. */
type Change = Readonly<Record<string, string | readonly string[] | null>>

/** A change that makes a request invalid, and the parameters that the refusal has to name. */
type Wrong = readonly [change: Change, ...paths: string[]]

const list = (length: number): string => Array.from({ length }, (_, index) => index).join(',')

const numbered = (name: string, length: number, value: string): Change =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index}`, value]))

/** Asserts that each of these is refused with the right parameter names. */
const allRefused = (report: ReportUnderTest, cases: readonly Wrong[]): Promise<void> =>
  forEach(cases, async ([change, ...paths]) => {
    const reply = await changed(report, change)
    naming(change, () => refused(reply, ...paths))
  })

/** Adds the change to the message of a failure. */
function naming(change: unknown, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw new Error(JSON.stringify(change).slice(0, 120), { cause })
  }
}

let world: World
let empty: string
beforeAll(async () => {
  empty = await newWebsite()
  world = await worldOf(
    event({ event_id: id(1), event_name: eventName, visit_id: id(201) }, [string(propertyName, 'pro')]),
    event({ event_id: id(2), event_type: 1, url_path: '/pricing', visit_id: id(201) }),
  )
})

function changed(report: ReportUnderTest, change: Change): Promise<Reply> {
  const query = Object.entries({ ...report.query, ...change }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => [name, String(one)] as const),
  )
  return get(reportPath(world.websiteId, report), query)
}

const wrongRanges: readonly Wrong[] = [
  [{ startAt: null, endAt: null }, 'startAt', 'endAt'],
  [{ startAt: null }, 'startAt'],
  [{ endAt: null }, 'endAt'],
  [{ startAt: '1760572800000' }, 'endAt'],
  ...['', ' ', ' 1', '1 ', '1.5', '1.0', '1e3', '0x10', '-1', '+1', 'NaN', 'Infinity', '1\0', '١', '1,000', '1n'].map(
    (text): Wrong => [{ startAt: text }, 'startAt'],
  ),
  ...['10000000000000', '9'.repeat(30), '-9999999999999', '2025-10-15', 'now'].map(
    (text): Wrong => [{ endAt: text }, 'endAt'],
  ),
  [{ startAt: 'x', endAt: 'y' }, 'startAt', 'endAt'],
  [{ startAt: ['1760486400000', '1760486400000'] }, 'startAt'],
  [{ startDate: '2025-10-14', endDate: '2025-10-15' }, 'startDate'],
  [{ startDate: '2025-10-15', endDate: '2025-10-15T23:59:59.998Z' }, 'endDate'],
  [{ startDate: '2025-10-15', endDate: '2025-10-15', timezone: 'Asia/Tokyo' }, 'startDate', 'endDate'],
  [{ startDate: '2025-10-15' }, 'endDate'],
  [{ endAt: null, endDate: '2025-10-15' }, 'startDate', 'endAt'],
  [{ startAt: null, endAt: null, startDate: '2025-10-15' }, 'endDate'],
  [{ startAt: null, endAt: null, endDate: '2025-10-15' }, 'startDate'],
  [{ startAt: null, endAt: null, startDate: '2025-10-16', endDate: '2025-10-15' }, 'endDate'],
  ...[
    '',
    '2025-02-30',
    '2025-13-01',
    '2025-1-1',
    '15.10.2025',
    '2025-10-15T00:00:00',
    '2025-10-15 00:00:00Z',
    '2025-10-15T25:00:00Z',
    '1969-12-31',
    '2287-01-01',
    '+002025-10-15',
    '2025-10-15\0',
    "2025-10-15'",
  ].map((text): Wrong => [{ startAt: null, endAt: null, startDate: text, endDate: '2286-11-20' }, 'startDate']),
  ...['', 'x', '+05:00', 'Mars/Olympus', 'UTC\0', "UTC'", 'toString', '__proto__', '../etc'].map(
    (text): Wrong => [{ timezone: text }, 'timezone'],
  ),
]

const wrongFilters: readonly Wrong[] = [
  // Too many or too long.
  [{ browser: 'x'.repeat(10_000) }, 'browser'],
  [{ browser: 'x'.repeat(4001) }, 'browser'],
  [{ browser: '😀'.repeat(2001) }, 'browser'],
  [{ 'filters[browser]': 'x'.repeat(10_000) }, 'filters[browser]'],
  [{ filters: JSON.stringify({ browser: 'x'.repeat(10_000) }) }, 'filters.browser'],
  [{ epf0: `1.eq.${propertyName}.${'x'.repeat(10_000)}` }, 'epf0'],
  [{ browser: list(101) }, 'browser'],
  [{ browser: `neq.${list(500)}` }, 'browser'],
  [{ filters: JSON.stringify({ browser: list(500) }) }, 'filters.browser'],
  [{ epf0: `1.eq.${propertyName}.${list(500)}` }, 'epf0'],
  [{ epf0: `2.neq.n.${list(500)}` }, 'epf0'],
  [numbered('browser', 51, 'x'), 'browser50'],
  [numbered('epf', 51, '1.eq.a.b'), 'epf50'],
  [{ filters: JSON.stringify({ browser: Array(51).fill('x') }) }, 'filters.browser'],
  [{ ...numbered('browser', 25, 'x'), ...numbered('epf', 26, '1.eq.a.b') }, 'epf25'],
  // Unknown names.
  ...[
    'screen',
    'entry',
    'exit',
    'domain',
    'Browser',
    'BROWSER',
    'browser-1',
    'browser1x',
    '1browser',
    'browser[]',
    'browser[0]',
    'startat',
    'website_id',
    'url_path',
    'created_at',
    'epf0x',
    'spf0x',
    'epf[0]',
    'filters[browser',
    'filter',
    'properties',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__proto__1',
    'a\0b',
    ' browser',
    '😀',
  ].map((name): Wrong => [{ [name]: 'x' }, name]),
  ...['screen', 'startAt', 'filters', '', '__proto__', 'constructor', 'toString', 'browser]', '[browser]', '\0'].map(
    (name): Wrong => [{ [`filters[${name}]`]: 'x' }, `filters[${name}]`],
  ),
  ...['screen', 'startAt', 'filters', '', '__proto__', 'constructor', 'toString', 'page', 'filters[browser]'].map(
    (name): Wrong => [{ filters: `{${JSON.stringify(name)}:"x"}` }, `filters.${name}`],
  ),
  // Unknown ids, malformed ids, and parameters that may occur once.
  [{ segment: newId() }, 'segment'],
  [{ cohort: newId() }, 'cohort'],
  [{ 'filters[segment]': newId() }, 'filters[segment]'],
  [{ filters: `{"cohort":"${newId()}"}` }, 'filters.cohort'],
  [{ segment: newId(), cohort: newId() }, 'segment', 'cohort'],
  ...['', 'x', `${newId()}0`, `neq.${newId()}`, `${newId()},${newId()}`].flatMap((text): Wrong[] => [
    [{ segment: text }, 'segment'],
    [{ 'filters[cohort]': text }, 'filters[cohort]'],
  ]),
  [{ segment1: newId() }, 'segment1'],
  [{ segment: [newId(), newId()] }, 'segment'],
  [{ cohort: newId(), filters: `{"cohort":"${newId()}"}` }, 'filters.cohort'],
  // Malformed JSON, and JSON that is no object of texts.
  ...[
    '',
    '{',
    '}',
    '{"browser":"x"',
    "{'browser':'x'}",
    'null',
    '[]',
    '"browser"',
    '1',
    'true',
    '{}{}',
    '{"a":1,}',
    '\0',
  ].map((text): Wrong => [{ filters: text }, 'filters']),
  ...['browser', 'screen', 'segment', 'epf0', 'match'].map(
    (name): Wrong => [{ filters: `{"${name}":[]}` }, `filters.${name}`],
  ),
  ...['null', '{}', '{"eq":"x"}', '[null]', '[["x"]]', '["x",{}]'].map(
    (text): Wrong => [{ filters: `{"browser":${text}}` }, 'filters.browser'],
  ),
  [{ filters: '{"browser":null,"os":{}}' }, 'filters.browser', 'filters.os'],
  [{ filters: ['{"browser":"x"}', '{'] }, 'filters'],
  // Parameters that may occur once.
  [{ match: ['all', 'all'] }, 'match'],
  [{ match: 'all', 'filters[match]': 'any' }, 'filters[match]'],
  [{ excludeBounce: ['1', '1'] }, 'excludeBounce'],
  // Invalid values.
  ...['', 'ANY', 'all,any', 'x', 'toString'].map((text): Wrong => [{ match: text }, 'match']),
  ...['', '0', '6', '-1', '1.0', '01', '1,', ',1', '1 ', '1\0', 'c.1', 're.1', 'eq.', 'neq.6', 'page'].map(
    (text): Wrong => [{ eventType: text }, 'eventType'],
  ),
  [{ filters: '{"eventType":6}' }, 'filters.eventType'],
  // Property filters.
  ...[
    '',
    'x',
    '1',
    '1.eq',
    '1.eq.plan',
    '1.eq..pro',
    'eq.plan.pro',
    '0.eq.plan.pro',
    '6.eq.plan.pro',
    '1.EQ.plan.pro',
    '1.between.plan.pro',
    '1.gt.plan.pro',
    '1.t.plan.pro',
    '1.s.plan.',
    '2.c.price.1',
    '2.re.price.1',
    '2.eq.price.',
    '2.eq.price.x',
    '2.eq.price.1e3',
    '2.eq.price.0x10',
    '2.eq.price.1,,2',
    '2.eq.price. 1',
    '2.eq.price.1\0',
    '2.gt.price.1,2',
    '2.gt.price.+1',
    '2.gt.price..5',
    '2.gt.price.5.',
    '2.gt.price.NaN',
    `2.eq.price.${'9'.repeat(19)}`,
    `2.eq.price.0.${'1'.repeat(11)}`,
    '3.eq.trial.yes',
    '3.eq.trial.1',
    '3.eq.trial.TRUE',
    '3.c.trial.true',
    '4.eq.due.',
    '4.eq.due.2025-02-30',
    '4.eq.due.2025-10-15T00:00:00',
    '4.eq.due.yesterday',
    '4.eq.due.2025-10-15\0',
    '4.gt.due.2025-10-15',
    '5.eq.items.red',
    '5.re.items.red',
    '1.eq.%zz.x',
    '1.eq.%ff.x',
  ].flatMap((text): Wrong[] => [
    [{ epf0: text }, 'epf0'],
    [{ spf0: text }, 'spf0'],
  ]),
  [{ 'filters[epf0]': 'x' }, 'filters[epf0]'],
  [{ 'filters[spf1]': 'x' }, 'filters[spf1]'],
  [{ spf0: `1.eq.${'x'.repeat(10_000)}.x` }, 'spf0'],
  [{ filters: '{"epf0":"x"}' }, 'filters.epf0'],
  // Everything together.
  [
    { startAt: 'x', browser: list(101), match: 'x', epf0: 'x', nothing: '' },
    'startAt',
    'nothing',
    'browser',
    'match',
    'epf0',
  ],
]

/** Patterns that RE2 refuses, each with a word of the reason. */
const wrongPatterns: readonly (readonly [pattern: string, reason: string])[] = [
  ['(', 'missing )'],
  [')', 'unexpected )'],
  ['[', 'missing ]'],
  ['[z-a]', 'invalid character class range'],
  ['*', 'no argument for repetition operator'],
  ['a**', 'bad repetition operator'],
  ['a{1001}', 'must come to at most 1000'],
  ['\\', 'trailing \\'],
  ['\\8', 'invalid escape sequence'],
  ['(?=x)', 'invalid perl operator'],
  ['(?<!x)y', 'invalid perl operator'],
  ['(?P<n', 'invalid named capture group'],
  ['\\p{Foo}', 'invalid character class range'],
  ['((a{100}){100}){100}', 'must come to at most 1000'],
  ['a{5,2}', 'invalid repetition size'],
  ['(, error: x. Look at y', 'missing )'],
  ['a\n(', 'missing )'],
  ["'(", 'missing )'],
  ['{p0:String}(', 'missing )'],
  ['😀(', 'missing )'],
  ['a\0(', 'regular expression'],
]

const placeOf = ({ name }: ReportUnderTest): number => everyReport.findIndex((one) => one.name === name)

/**
 * All reports read ranges and filters with the same schemas: in `npm test` the first report is asked all, and each
 * other one an eighth, which differs from report to report.
 */
const inTurn = <Case>(report: ReportUnderTest, cases: readonly Case[]): readonly Case[] => {
  const isWhole = isLong || report.name === rangeReports[0]!.name
  return isWhole ? cases : cases.filter((_, place) => place % 8 === placeOf(report) % 8)
}

const hasRange = ({ name }: ReportUnderTest): boolean => rangeReports.some((report) => report.name === name)

/** In `npm test` a third of the reports, which differs from case to case. */
const someOf = (reports: readonly ReportUnderTest[], turn: number): readonly ReportUnderTest[] =>
  isLong ? reports : reports.filter((_, place) => (place + turn) % 3 === 0)

describe.each(rangeReports)('$name', (report) => {
  it('refuses an invalid range', () => allRefused(report, inTurn(report, wrongRanges)))

  it('refuses invalid filters', () => allRefused(report, inTurn(report, wrongFilters)))

  it.each([...Object.keys(report.query), ...Object.keys(report.own)])('refuses %s twice', async (name) => {
    const value = String(report.query[name] ?? report.own[name])
    refused(await changed(report, { [name]: [value, value] }), name)
  })

  it.each(Object.entries(report.own))('takes %s=%s', async (name, value) => {
    expect((await changed(report, { [name]: value })).status).toBe(200)
  })

  /** ClickHouse refuses patterns as it plans a statement: in `npm test` the reports of the tables ask them in turn. */
  const table = reportPerTable.findIndex(({ name }) => name === report.name)
  const patterns = wrongPatterns.filter((_, place) => isLong || (table < 0 ? place === 0 : place % 3 === table))

  const refusedPattern = async (change: Readonly<Record<string, string>>, path: string, reason: string) => {
    for (const websiteId of isLong || table >= 0 ? [world.websiteId, empty] : [world.websiteId]) {
      const reply = await get(reportPath(websiteId, report), { ...report.query, ...change })
      naming(change, () => {
        refused(reply, path)
        expect(reply.body.error.message).toContain(reason)
        expect(reply.body.error.message).not.toMatch(/DB::|SELECT|Code:|\(\?i\)/)
      })
    }
  }

  it('refuses an invalid pattern, readably, with events and without', () =>
    forEach(patterns, ([pattern, reason]) => refusedPattern({ browser: `re.${pattern}` }, 'browser', reason)))

  const hidden: readonly (readonly [object, string])[] = [
    [{ browser: 'nre.(' }, 'browser'],
    [{ 'filters[browser]': 're.(' }, 'filters[browser]'],
    [{ filters: '{"browser":"re.("}' }, 'filters.browser'],
    [{ browser: '', browser1: 're.(' }, 'browser1'],
    [{ match: 'any', os: '', browser: 're.(' }, 'browser'],
    [{ epf3: '1.re.plan.(' }, 'epf3'],
    [{ epf3: '1.nre.nothing.(' }, 'epf3'],
    [{ spf3: '1.nre.nothing.(' }, 'spf3'],
    [{ epf3: '1.re.plan.(', match: 'any', browser: 'x' }, 'epf3'],
    [{ 'filters[epf0]': '1.re.plan.(' }, 'filters[epf0]'],
    [{ epf0: '1.re.plan.x', epf1: '1.re.plan.(' }, 'epf1'],
    [{ os: 're.x', epf0: '1.re.plan.(' }, 'epf0'],
  ]

  it.each(inTurn(report, hidden))('refuses a pattern in any filter, by its name: %j', async (change, path) => {
    await refusedPattern(change as Readonly<Record<string, string>>, path, 'missing )')
  })

  it('names the wrong pattern beside one that contains it', async () => {
    refused(await changed(report, { os: 're.a(b)c', browser: 're.(' }), 'browser')
    refused(await changed(report, { 'filters[os]': 're.[', browser: 're.[x]' }), 'filters[os]')
  })
})

it('names the pf_ whose pattern is wrong', async () => {
  const pivot = rangeReports.find(({ name }) => name === 'event-data-pivot')!
  refused(await changed(pivot, { pf_plan: 're.(' }), 'pf_plan')
  refused(await changed(pivot, { os: 're.x', pf_plan: 're.x', pf_plan1: '1.nre.(' }), 'pf_plan1')
})

it('refuses on the pivot an invalid pf_, and elsewhere any', async () => {
  const wrong = ['', 'x', 'eq', '1.eq', '6.eq.x', '1.gt.x', 'gt.1', '2.eq.x', '3.eq.x', '4.eq.x', '5.eq.x']
  for (const report of rangeReports) {
    const isPivot = report.name === 'event-data-pivot'
    for (const value of isPivot ? wrong : ['eq.pro', ...wrong])
      refused(await changed(report, { pf_plan: value }), 'pf_plan')
    refused(await changed(report, { pf_: 'eq.x' }), 'pf_')
    refused(await changed(report, { 'filters[pf_plan]': '6.eq.x' }), 'filters[pf_plan]')
  }
})

describe.each(pagedReports)('$name, paged', (report) => {
  const cursorOf = (plain: string): string => Buffer.from(plain).toString('base64url')
  const row = id(1)

  it('refuses an invalid page', () =>
    allRefused(report, [
      ...['0', '-1', '1.0', '1.5', '', ' 1', '1e3', '0x1', '1000000001', '9'.repeat(30), '1\0', 'first'].map(
        (text): Wrong => [{ page: text }, 'page'],
      ),
      ...['0', '-1', '1001', '1000000000', '1.5', '', '1e3', 'all', '20\0'].map(
        (text): Wrong => [{ pageSize: text }, 'pageSize'],
      ),
      ...['0', '-1', '', '1.5', '1000000001', 'x'].map((text): Wrong => [{ maxResults: text }, 'maxResults']),
      ...[
        '',
        'x',
        '!!!',
        '\0',
        "' OR 1=1",
        'x'.repeat(10_000),
        cursorOf('1'),
        cursorOf(`1 ${row}`),
        cursorOf(`1 ${row} x`),
        cursorOf(`x ${row} 1`),
        cursorOf(`1 ${row.slice(1)} 1`),
        cursorOf(`1 ${row}' 1`),
        cursorOf(`1.5 ${row} 1`),
        cursorOf(`99999999999999 ${row} 1`),
        cursorOf(`1 ${row} -1`),
        cursorOf(`1 ${row} 1 x`),
        cursorOf(`1 ${row} 1 1 1`),
        cursorOf(`{"createdAt":1,"eventId":"${row}"}`),
      ].map((text): Wrong => [{ cursor: text }, 'cursor']),
      [{ cursor: cursorOf(`1760529600000 ${row} 1`), page: '2' }, 'cursor'],
      [{ limit: '1' }, 'limit'],
      [{ offset: '1' }, 'offset'],
    ]))

  it('takes a page far past the end', async () => {
    const { status, body } = await changed(report, { page: '1000000000', pageSize: '1000' })
    expect([status, body.data]).toStrictEqual([200, []])
  })
})

describe.each(listReports)('$name, cut', (report) => {
  it('refuses an invalid limit or offset', () =>
    allRefused(report, [
      ...['0', '-1', '10001', '', '1.5', '1e3', ' 1', 'all', '1\0'].map((text): Wrong => [{ limit: text }, 'limit']),
      ...['-1', '', '1.5', '1000000001', 'x', '9'.repeat(30)].map((text): Wrong => [{ offset: text }, 'offset']),
      [{ page: '0' }, 'page'],
      [{ pageSize: '1001' }, 'pageSize'],
      [{ maxResults: '1' }, 'maxResults'],
      [{ cursor: 'x' }, 'cursor'],
    ]))
})

it('refuses what only one report needs or takes', async () => {
  const named = (name: string) => rangeReports.find((report) => report.name === name)!
  refused(await changed(named('event-data/values'), { propertyName: null }), 'propertyName')
  refused(await changed(named('event-data/values'), { event: 'a', eventName: 'b' }), 'eventName')
  for (const text of ['0', '6', '', 'x', '1.0', '5\0']) {
    refused(await changed(named('event-data/values'), { dataType: text }), 'dataType')
  }
  refused(await changed(named('event-data-pivot'), { eventName: null }), 'eventName')
  for (const name of ['events', 'event-data', 'event-data/properties', 'events/stats']) {
    refused(await changed(named(name), { eventName: 'a' }), 'eventName')
  }
})

/** Invalid values of the parameters that clients send with every request. */
const wrongEverywhere: readonly Wrong[] = [
  ...['weeks', 'DAY', '', 'day\0'].map((text): Wrong => [{ unit: text }, 'unit']),
  ...['next', '', 'PREV', 'prev,yoy'].map((text): Wrong => [{ compare: text }, 'compare']),
  [{ search: 'x'.repeat(4001) }, 'search'],
  [{ search: ['x', 'x'] }, 'search'],
  [{ orderBy: 'x'.repeat(4001) }, 'orderBy'],
  [{ sortDescending: '1' }, 'sortDescending'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ page: '0' }, 'page'],
  [{ pageSize: '1001' }, 'pageSize'],
  [{ startAt: '1.5' }, 'startAt'],
  [{ endDate: '2025-02-30' }, 'endDate'],
  [{ startAt: '2', endAt: '1' }, 'endAt'],
  [{ query: 'x'.repeat(4001) }, 'query'],
]

describe('a common parameter', () => {
  it.each(everyReport)('is refused by $name if it is malformed', (report) =>
    // Reports without a range share no schema with the others.
    allRefused(report, hasRange(report) ? inTurn(report, wrongEverywhere) : wrongEverywhere),
  )

  it('is refused by other endpoints, too, if it is malformed', async () => {
    const paths = ['/api/me', '/api/me/api-keys', `/api/websites/${world.websiteId}`, '/health']
    await forEach(pairs(wrongEverywhere, paths), async ([[change, ...names], path]) => {
      const reply = await get(path, change as Record<string, string>)
      naming({ path, change }, () => refused(reply, ...names))
    })
  })
})

describe('ids', () => {
  const wrong = [
    'x',
    '0',
    '%00',
    '%27',
    '%ff',
    '%',
    '__proto__',
    'null',
    'undefined',
    '%7Bp0:UUID%7D',
    '00000000000040008000000000000001',
    '00000000-0000-4000-8000-00000000000',
    '00000000-0000-4000-8000-0000000000011',
    '0000000-00000-4000-8000-000000000001',
    '0000000g-0000-4000-8000-000000000001',
    '%7B00000000-0000-4000-8000-000000000001%7D',
    'urn:uuid:00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000001%00',
    '00000000-0000-4000-8000-000000000001%0A',
    '%2000000000-0000-4000-8000-000000000001',
    "00000000-0000-4000-8000-000000000001'%20OR%20'1'='1",
    "'%3B%20DROP%20TABLE%20events%3B%20--",
  ]

  it.each(wrong)('of a website cannot be %s', async (text) => {
    for (const report of someOf(everyReport, wrong.indexOf(text))) {
      refused(await send(pathOf(reportPath(text, report), report.query), { headers: key }), 'websiteId')
    }
    refused(await send(`/api/websites/${text}`, { headers: key }), 'websiteId')
    refused(await send(`/api/websites/${text}`, { method: 'DELETE', headers: key }), 'websiteId')
  })

  it.each(wrong)('of an event cannot be %s', async (text) => {
    refused(await send(`/api/websites/${world.websiteId}/event-data/${text}`, { headers: key }), 'eventId')
  })

  it('are refused before other faults are named', async () => {
    refused(await get('/api/websites/x/event-data/y'), 'websiteId', 'eventId')
  })

  it('may have any version', async () => {
    for (const eventId of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect(await get(`/api/websites/${world.websiteId}/event-data/${eventId}`)).toMatchObject({
        status: 200,
        body: [],
      })
    }
  })
})

describe('hostile values', () => {
  const hostile = [
    '\0',
    `'"\`\\`,
    '{p0:String}',
    "'; DROP TABLE events; --",
    "\\'; DROP TABLE events; --",
    '\u2028%s%n',
  ]

  /** Parameters that accept any text. */
  const isText = (report: ReportUnderTest, name: string): boolean =>
    ['search', 'event', 'eventName', 'propertyName', 'excludeBounce', 'filters[title]'].includes(name) ||
    !(
      name in report.query ||
      name in report.own ||
      /match|eventType|epf|spf|filters|segment|cohort|cursor|Date/.test(name)
    )

  const names = (report: ReportUnderTest): string[] => [
    ...new Set([
      ...Object.keys(report.query),
      ...Object.keys(report.own),
      ...fieldNames,
      'filters',
      'filters[title]',
      'match',
      'eventType',
      'excludeBounce',
      'epf0',
      'spf0',
      'segment',
      'cohort',
      ...('page' in report.own ? ['cursor'] : []),
    ]),
  ]

  /** But those of a `check` or `rebuild` that another test runs meanwhile. */
  const tables = (): Promise<{ name: string }[]> =>
    clickhouse(`select name from system.tables
      where database = currentDatabase() and not startsWith(name, '.') and not startsWith(name, 'check_') order by name`)

  /** The reports that share a parameter's texts: those of the tables, or the others if no table's report has it. */
  const sharing = (name: string): readonly ReportUnderTest[] => {
    const having = rangeReports.filter((report) => names(report).includes(name))
    const tables = having.filter((report) => reportPerTable.includes(report))
    return tables.length > 0 ? tables : having
  }

  /**
   * In `npm test` the reports that share a parameter are together sent every text in it. Each other report has a text
   * in a third of the parameters; together they have one in each.
   */
  const sentTo = (report: ReportUnderTest): { name: string; value: string }[] =>
    names(report).flatMap((name, place) => {
      const reports = sharing(name)
      const isSent = (index: number): boolean =>
        isLong ||
        (index + name.length) % reports.length === reports.indexOf(report) ||
        (!reportPerTable.includes(report) &&
          (place + placeOf(report)) % 3 === 0 &&
          (index + place + placeOf(report)) % hostile.length === 0)
      return hostile.filter((_, index) => isSent(index)).map((value) => ({ name, value }))
    })

  it.each(rangeReports)('are refused or taken literally in every parameter of $name', async (report) => {
    const before = await tables()
    await forEach(sentTo(report), async ({ name, value }) => {
      const reply = await changed(report, { [name]: value })
      if (!isText(report, name)) return refused(reply, name)
      const { [name]: _, ...rest } = report.query
      const expected = computed(world.rows, { ...report, query: rest }, [[name, value]])
      expect({ name, value, status: reply.status, body: reply.body }).toStrictEqual({
        name,
        value,
        status: 200,
        body: expected,
      })
    })
    expect(await tables()).toStrictEqual(before)
    expect(before.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['custom_events', 'event_data', 'event_data_by_id', 'events', 'ingest']),
    )
  })

  it('as names are refused on every report', async () => {
    for (const report of everyReport) {
      for (const name of hostile) refused(await changed(report, { [name]: 'x' }), name)
    }
  })

  it('of the properties of one event are refused, which take no filter', async () => {
    const report = everyReport.find(({ name }) => name === 'event-data/:eventId')!
    const names = [
      'browser',
      'filters[browser]',
      'epf0',
      'segment',
      'page',
      'timezone',
      'unit',
      '__proto__',
      'constructor',
    ]
    for (const name of names) {
      for (const value of hostile) refused(await changed(report, { [name]: value }), name)
    }
  })
})

describe('an address that is not percent-encoded UTF-8', () => {
  const malformed = ['%', '%f', '%zz', '%ff', '%C0%80', '%ED%A0%80', '%E0%A4', '100%']

  it.each(malformed)('is refused in a value: %s', async (text) => {
    for (const report of someOf(rangeReports, malformed.indexOf(text))) {
      const path = pathOf(reportPath(world.websiteId, report), report.query)
      refused(await send(`${path}&browser=${text}`, { headers: key }), 'browser')
    }
  })

  it.each(malformed)('is refused in a name: %s', async (text) => {
    for (const report of someOf(rangeReports, malformed.indexOf(text))) {
      const path = pathOf(reportPath(world.websiteId, report), report.query)
      const { status, body } = await send(`${path}&${text}=x`, { headers: key })
      expect([status, body.error.code]).toStrictEqual([400, 'bad-request'])
    }
  })

  it('is refused in a path', async () => {
    for (const path of ['/api/websites/\xff/events', `/api/websites/${world.websiteId}/event-data/\xfe\xff`]) {
      const { status, text } = await sendRaw('GET', path, key)
      expect([status, JSON.parse(text).error.code]).toStrictEqual([400, 'bad-request'])
    }
  })

  it('does not become a wider answer as raw bytes in a value', async () => {
    for (const report of rangeReports) {
      const path = pathOf(reportPath(world.websiteId, report), report.query)
      const { status } = await sendRaw('GET', `${path}&browser=\xff`, key)
      expect([200, 400]).toContain(status)
    }
  })
})

describe('a body', () => {
  it.each(everyReport)('is refused with GET on $name, whatever it contains', async (report) => {
    const path = pathOf(reportPath(world.websiteId, report), report.query)
    for (const body of ['{}', 'x', '\0', JSON.stringify(report.query)]) {
      const { status, text, headers } = await sendRaw('GET', path, json, body)
      expect({ status, body: JSON.parse(text) }).toStrictEqual({
        status: 400,
        body: {
          error: {
            message: expect.stringContaining('body'),
            code: 'bad-request',
            status: 400,
            requestId: headers['x-request-id'],
          },
        },
      })
    }
  })

  it('is refused with GET and DELETE of websites', async () => {
    const websiteId = await newWebsite()
    for (const [method, path] of [
      ['GET', '/api/websites'],
      ['GET', `/api/websites/${websiteId}`],
      ['DELETE', `/api/websites/${websiteId}`],
      ['GET', '/health'],
    ] as const) {
      expect(await sendRaw(method, path, json, '{}')).toMatchObject({ status: 400 })
    }
    expect(await get(`/api/websites/${websiteId}`)).toMatchObject({ status: 200 })
  })

  it('without bytes counts as none', async () => {
    const websiteId = await newWebsite()
    const empty = { ...key, 'content-length': '0' }
    expect(await sendRaw('GET', `/api/websites/${websiteId}`, empty)).toMatchObject({ status: 200 })
    expect(await sendRaw('DELETE', `/api/websites/${websiteId}`, empty)).toMatchObject({ status: 200 })
  })
})

describe('methods', () => {
  const allowed: readonly (readonly [path: string, allow: string, wrong: readonly string[]])[] = [
    ...everyReport.map((report) => {
      const path = reportPath('11111111-1111-4111-8111-111111111111', report)
      return [path, 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']] as const
    }),
    ['/api/websites', 'GET, HEAD, OPTIONS, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/api/websites/11111111-1111-4111-8111-111111111111', 'GET, HEAD, OPTIONS, POST, DELETE', ['PUT', 'PATCH']],
    ['/health', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/openapi.json', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ]

  it.each(allowed)('of %s are %s', async (path, allow, wrong) => {
    for (const method of wrong) {
      for (const headers of [key, {}]) {
        const reply = await send(path, { method, headers })
        failed(reply, { status: 405, code: 'method-not-allowed' })
        expect(reply.headers.get('allow')?.split(', ').sort()).toStrictEqual(allow.split(', ').sort())
      }
    }
  })

  it.each(everyReport)('HEAD of $name is GET without its body', async (report) => {
    const path = pathOf(reportPath(world.websiteId, report), report.query)
    const [head, whole] = [await send(path, { method: 'HEAD', headers: key }), await send(path, { headers: key })]
    expect([head.status, head.body]).toStrictEqual([200, undefined])
    const compared = ['content-type', 'x-total-count', 'cache-control', 'access-control-allow-origin', 'link']
    expect(compared.map((name) => head.headers.get(name))).toStrictEqual(
      compared.map((name) => whole.headers.get(name)),
    )
  })

  it('HEAD is refused as GET is', async () => {
    const path = reportPath(world.websiteId, rangeReports[0]!)
    expect((await send(path, { method: 'HEAD', headers: key })).status).toBe(400)
    expect((await send(path, { method: 'HEAD' })).status).toBe(401)
    expect((await send('/nothing', { method: 'HEAD' })).status).toBe(404)
  })
})

describe('other origins', () => {
  const origin = { origin: 'https://dashboard.example' }

  it.each([...everyReport.map((report) => reportPath(newId(), report)), '/api/websites', '/openapi.json', '/health'])(
    'may ask before they ask %s, without a key, and remember it for a day',
    async (path) => {
      const preflight = {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-weir-api-key',
      }
      const { status, headers, body } = await send(path, { method: 'OPTIONS', headers: preflight })
      expect([status, body]).toStrictEqual([204, undefined])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-max-age')).toBe('86400')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      const methods = headers.get('access-control-allow-methods')?.split(',')
      expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'DELETE']))
      const names = headers.get('access-control-allow-headers')?.toLowerCase().split(',')
      expect(names).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'x-weir-api-key', 'x-umami-api-key']),
      )
    },
  )

  it('may read answers and refusals, and the headers beside them', async () => {
    const path = reportPath(world.websiteId, rangeReports[0]!)
    const replies = [
      await send(pathOf(path, rangeReports[0]!.query), { headers: { ...key, ...origin } }),
      await send(path, { headers: { ...key, ...origin } }),
      await send(path, { headers: origin }),
      await send('/nothing', { headers: origin }),
      await send(path, { method: 'PUT', headers: origin }),
    ]
    expect(replies.map(({ status }) => status)).toStrictEqual([200, 400, 401, 404, 405])
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('access-control-expose-headers')?.toLowerCase().split(',')).toEqual(
        expect.arrayContaining(['link', 'x-total-count', 'x-request-id', 'retry-after']),
      )
    }
  })
})

describe('the order of refusals', () => {
  const paths = everyReport.map((report) => reportPath('x', report))

  it.each([
    '/api',
    '/api/websites/',
    '/api/websites/x/y',
    '/favicon.ico',
    '/openapi.json/',
    '/API/websites',
    '/__proto__',
    '/api/websites/x/events/',
    '/api/websites//events',
    '/%00',
    '/%ff',
  ])('nothing is at %s, whoever asks', async (path) => {
    for (const headers of [{}, key, { authorization: 'Bearer wrong' }]) {
      failed(await send(path, { headers }), { status: 404, code: 'not-found' })
    }
  })

  it.each([...paths, '/api/websites', '/api/websites/x'])(
    'the credential is checked before the input: %s',
    async (path) => {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-weir-api-key': `api_${'x'.repeat(43)}` }]) {
        const reply = await send(`${path}?nothing=x`, { headers })
        failed(reply, { status: 401, code: 'unauthorized' })
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      }
    },
  )

  it('the key is checked before the body', async () => {
    const headers = { 'content-type': 'application/json' }
    failed(await send('/api/websites', { method: 'POST', headers, body: '{' }), { status: 401, code: 'unauthorized' })
  })

  it('the input is checked before the right', async () => {
    for (const report of everyReport) {
      refused(await get(reportPath(newId(), report), { ...report.query, nothing: 'x' }), 'nothing')
      failed(await get(reportPath(newId(), report), report.query), { status: 403, code: 'forbidden' })
    }
  })
})

describe('the id of a request', () => {
  it('is in the header of every answer, and in the body of every refusal', async () => {
    const path = reportPath(world.websiteId, rangeReports[0]!)
    const replies = [
      await send('/health'),
      await send('/openapi.json'),
      await send(pathOf(path, rangeReports[0]!.query), { headers: key }),
      await send(path, { headers: key }),
      await send('/nothing'),
    ]
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(5)
    for (const one of ids) expect(one).toMatch(/^[\w-]{8,64}$/)
    expect(replies.slice(3).map(({ body }) => body.error.requestId)).toStrictEqual(ids.slice(3))
  })

  it('may be given, if it is short and plain', async () => {
    for (const given of ['abc-123_X', 'x'.repeat(64)]) {
      const { headers, body } = await send('/nothing', { headers: { 'x-request-id': given } })
      expect([headers.get('x-request-id'), body.error.requestId]).toStrictEqual([given, given])
    }
    for (const given of ['x'.repeat(65), 'a b', '<script>', "'", 'a,b']) {
      const { headers, body } = await send('/nothing', { headers: { 'x-request-id': given } })
      expect(headers.get('x-request-id')).not.toBe(given)
      expect(body.error.requestId).toBe(headers.get('x-request-id'))
    }
  })
})

describe('the body of a new website', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = json): Promise<Reply> =>
    send('/api/websites', { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
  const streamed = (text: string) =>
    ({ method: 'POST', headers: json, body: new Blob([text]).stream(), duplex: 'half' }) as RequestInit
  const right = { name: 'Weir', domain: 'example.com' }

  it.each(['', '{', 'null x', '{"name":}', "{'name':'a'}", 'name=a&domain=b', '{"name":"a"', '\0', '\u{feff}{'])(
    'has to be JSON: %j',
    async (text) => {
      const reply = await post(text)
      failed(reply, { status: 400, code: 'bad-request' })
      expect(reply.body.error.message).toContain('JSON')
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', ''])(
    'has to say that it is: not %j',
    async (type) => {
      failed(await post(JSON.stringify(right), { ...key, 'content-type': type }), { status: 400, code: 'bad-request' })
    },
  )

  it.each(['null', '[]', '[{"name":"a","domain":"b"}]', '"x"', '1', 'true'])(
    'has to be an object: %s',
    async (text) => {
      const message = 'Must be an object. Its fields: name, domain, id, shareId, teamId.'
      const { status, body, headers } = await post(text)
      expect({ status, body }).toStrictEqual({
        status: 400,
        body: {
          error: {
            message,
            code: 'bad-request',
            status: 400,
            requestId: headers.get('x-request-id'),
            issues: [{ path: '', message }],
          },
        },
      })
    },
  )

  it.each<[object, ...string[]]>([
    [{}, 'name', 'domain'],
    [{ domain: 'example.com' }, 'name'],
    [{ name: 'a' }, 'domain'],
    [{ ...right, name: '' }, 'name'],
    [{ ...right, name: '   ' }, 'name'],
    [{ ...right, name: 'x'.repeat(101) }, 'name'],
    [{ ...right, name: 1 }, 'name'],
    [{ ...right, name: null }, 'name'],
    [{ ...right, name: ['a'] }, 'name'],
    [{ ...right, name: '\ud800' }, 'name'],
    [{ ...right, domain: '' }, 'domain'],
    [{ ...right, domain: 'a b' }, 'domain'],
    [{ ...right, domain: 'https://example.com' }, 'domain'],
    [{ ...right, domain: 'example.com/path' }, 'domain'],
    [{ ...right, domain: '-example.com' }, 'domain'],
    [{ ...right, domain: 'example..com' }, 'domain'],
    [{ ...right, domain: 'example.com.' }, 'domain'],
    [{ ...right, domain: 'example.com\n' }, 'domain'],
    [{ ...right, domain: 'exa\0mple.com' }, 'domain'],
    [{ ...right, domain: "'; DROP TABLE websites; --" }, 'domain'],
    [{ ...right, domain: `${'a.'.repeat(250)}com` }, 'domain'],
    [{ ...right, domain: null }, 'domain'],
    [{ ...right, id: 'x' }, 'id'],
    [{ ...right, id: '' }, 'id'],
    [{ ...right, id: 1 }, 'id'],
    [{ ...right, id: `${id(1)}\0` }, 'id'],
    [{ ...right, shareId: '' }, 'shareId'],
    [{ ...right, shareId: 'a b' }, 'shareId'],
    [{ ...right, shareId: 'x'.repeat(51) }, 'shareId'],
    [{ ...right, shareId: 1 }, 'shareId'],
    [{ ...right, teamId: 'x' }, 'teamId'],
    [{ ...right, teamId: newId() }, 'teamId'],
    [{ name: '', domain: '', id: '' }, 'name', 'domain', 'id'],
  ])('is refused: %j', async (body, ...paths) => {
    refused(await post(JSON.stringify(body)), ...paths)
  })

  it.each(['userId', 'createdAt', 'deletedAt', 'constructor', 'x'])('has no field %s', async (name) => {
    refused(await post(JSON.stringify({ ...right, [name]: 'x' })), name)
  })

  it('has no field __proto__', async () => {
    refused(await post('{"name":"a","domain":"example.com","__proto__":{"id":"x"}}'), '__proto__')
  })

  it('may be large, but not larger than 100,000 bytes', async () => {
    const padded = (length: number): string => JSON.stringify(right).padEnd(length)
    expect((await post(padded(100_000))).status).toBe(200)
    failed(await post(padded(100_001)), { status: 413, code: 'payload-too-large' })
    failed(await send('/api/websites', streamed(padded(100_001))), { status: 413, code: 'payload-too-large' })
  })

  it('may come without its length, also where the body names the website', async () => {
    const chunked = { ...json, 'transfer-encoding': 'chunked' }
    const question = {
      websiteId: world.websiteId,
      type: 'goal',
      filters: {},
      parameters: { startAt: 0, endAt: 1, type: 'path', value: '/' },
    }
    const goal = (text: string) => sendRaw('POST', '/api/reports/goal', chunked, text)
    expect(await goal(JSON.stringify(question))).toMatchObject({ status: 200 })
    expect(await goal(JSON.stringify(question).padEnd(100_001))).toMatchObject({ status: 413 })
    expect(await sendRaw('GET', `/api/websites/${world.websiteId}`, chunked, '{}')).toMatchObject({ status: 400 })
    expect(await sendRaw('DELETE', `/api/websites/${newId()}`, chunked, '{}')).toMatchObject({ status: 400 })
  })

  it('is refused by its length where none is taken, too', async () => {
    const init = { method: 'DELETE', headers: json, body: ' '.repeat(100_001) }
    failed(await send(`/api/websites/${newId()}`, init), { status: 413, code: 'payload-too-large' })
  })

  it('may not have an id that is or was taken, in either case', async () => {
    const taken = await newWebsite()
    refused(await post(JSON.stringify({ ...right, id: taken })), 'id')
    refused(await post(JSON.stringify({ ...right, id: taken.toUpperCase() })), 'id')
    await send(`/api/websites/${taken}`, { method: 'DELETE', headers: key })
    refused(await post(JSON.stringify({ ...right, id: taken })), 'id')
  })

  it('comes without parameters', async () => {
    const reply = await send('/api/websites?name=x', { method: 'POST', headers: json, body: JSON.stringify(right) })
    refused(reply, 'name')
  })
})

it('the list of websites refuses unknown and invalid parameters', async () => {
  const wrong: readonly Wrong[] = [
    [{ page: '0' }, 'page'],
    [{ pageSize: '1001' }, 'pageSize'],
    [{ maxResults: '0' }, 'maxResults'],
    [{ orderBy: 'id' }, 'orderBy'],
    [{ orderBy: 'name; DROP TABLE websites' }, 'orderBy'],
    [{ orderBy: 'toString' }, 'orderBy'],
    [{ sortDescending: '1' }, 'sortDescending'],
    [{ search: 'x'.repeat(10_000) }, 'search'],
    [{ page: ['1', '1'] }, 'page'],
    [{ nothing: 'x' }, 'nothing'],
    [{ startAt: 'x' }, 'startAt'],
    [{ cursor: 'x' }, 'cursor'],
    [{ __proto__x: '1', constructor: '1' }, '__proto__x', 'constructor'],
  ]
  await forEach(wrong, async ([change, ...paths]) => {
    const reply = await get('/api/websites', change as Record<string, string>)
    naming(change, () => refused(reply, ...paths))
  })
})

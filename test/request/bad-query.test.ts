import { describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import { worldOf } from '../support/agreement.ts'
import { forEach, pairs } from '../support/concurrently.ts'
import { inTurn } from '../support/long.ts'
import { refused } from '../support/refusals.ts'
import {
  eventName,
  events,
  listReports,
  pagedReports,
  propertyName,
  rangeReports,
  reportOf,
  reports,
  takes,
} from '../support/reports.ts'
import { neededBy, parametersOf, pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'
import { get, newWebsite, pathOf, type Reply, running, send } from '../support/weir.ts'

/** Refused query strings. Each refusal must identify the parameters. */

const key = { authorization: `Bearer ${running.adminKey}` }

/** Changes to a valid request, in which null removes a parameter. */
type Change = Readonly<Record<string, string | readonly string[] | null>>

/** A change that makes a request invalid, and the parameters that the refusal must identify. */
type Wrong = readonly [change: Change, ...paths: string[]]

const list = (length: number): string => Array.from({ length }, (_, index) => index).join(',')

const numbered = (name: string, length: number, value: string): Change =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index}`, value]))

/** Asserts that each of these changes is refused, with the right parameter names. */
const allRefused = (report: AnyReport, cases: readonly Wrong[]): Promise<void> =>
  forEach(cases, async ([change, ...paths]) => {
    const reply = await changed(report, change)
    naming(change, () => refused(reply, ...paths))
  })

/** Adds the change to a failed check's error. */
function naming(change: unknown, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw new Error(JSON.stringify(change).slice(0, 120), { cause })
  }
}

const empty = await newWebsite()
const world = await worldOf(
  event({ event_id: id(1), event_name: eventName, visit_id: id(201) }, [string(propertyName, 'pro')]),
  event({ event_id: id(2), event_type: 1, url_path: '/pricing', visit_id: id(201) }),
)

function changed(report: AnyReport, change: Change): Promise<Reply> {
  const given = Object.entries(change).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  )
  const left = Object.keys(change).filter((name) => change[name] === null)
  const query = parametersOf(report, given).filter(([name]) => !left.includes(name))
  return get(pathOf(pathTo(report, { websiteId: world.websiteId }).replace(/\?.*/, ''), query))
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
    ...'2025-02-30 2025-13-01 2025-1-1 15.10.2025 2025-10-15T00:00:00 2025-10-15T25:00:00Z 1969-12-31'.split(' '),
    ...'2287-01-01 +002025-10-15'.split(' '),
    '',
    '2025-10-15 00:00:00Z',
    '2025-10-15\0',
    "2025-10-15'",
  ].map((text): Wrong => [{ startAt: null, endAt: null, startDate: text, endDate: '2286-11-20' }, 'startDate']),
  ...['', 'x', '+05:00', 'Mars/Olympus', 'UTC\0', "UTC'", 'toString', '__proto__', '../etc'].map(
    (text): Wrong => [{ timezone: text }, 'timezone'],
  ),
]

const wrongFilters: readonly Wrong[] = [
  // These are too many or too long.
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
  // These names are unknown.
  ...[
    ...'screen entry exit domain Browser BROWSER browser-1 browser1x 1browser browser[] browser[0]'.split(' '),
    ...'startat website_id url_path created_at epf0x spf0x epf[0] filters[browser filter properties'.split(' '),
    ...'__proto__ constructor toString hasOwnProperty valueOf __proto__1 😀'.split(' '),
    'a\0b',
    ' browser',
  ].map((name): Wrong => [{ [name]: 'x' }, name]),
  ...['screen', 'startAt', 'filters', '', '__proto__', 'constructor', 'toString', 'browser]', '[browser]', '\0'].map(
    (name): Wrong => [{ [`filters[${name}]`]: 'x' }, `filters[${name}]`],
  ),
  ...['screen', 'startAt', 'filters', '', '__proto__', 'constructor', 'toString', 'page', 'filters[browser]'].map(
    (name): Wrong => [{ filters: `{${JSON.stringify(name)}:"x"}` }, `filters.${name}`],
  ),
  // These are unknown ids, malformed ids, and parameters that may occur only once.
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
  // This is malformed JSON, and JSON other than an object of strings.
  ...[...'{ } {"browser":"x" null [] "browser" 1 true {}{} {"a":1,}'.split(' '), '', "{'browser':'x'}", '\0'].map(
    (text): Wrong => [{ filters: text }, 'filters'],
  ),
  ...['browser', 'screen', 'segment', 'epf0', 'match'].map(
    (name): Wrong => [{ filters: `{"${name}":[]}` }, `filters.${name}`],
  ),
  ...['null', '{}', '{"eq":"x"}', '[null]', '[["x"]]', '["x",{}]'].map(
    (text): Wrong => [{ filters: `{"browser":${text}}` }, 'filters.browser'],
  ),
  [{ filters: '{"browser":null,"os":{}}' }, 'filters.browser', 'filters.os'],
  [{ filters: ['{"browser":"x"}', '{'] }, 'filters'],
  // These parameters may occur only once.
  [{ match: ['all', 'all'] }, 'match'],
  [{ match: 'all', 'filters[match]': 'any' }, 'filters[match]'],
  [{ excludeBounce: ['1', '1'] }, 'excludeBounce'],
  // These values are invalid.
  ...['', 'ANY', 'all,any', 'x', 'toString'].map((text): Wrong => [{ match: text }, 'match']),
  ...['', '0', '6', '-1', '1.0', '01', '1,', ',1', '1 ', '1\0', 'c.1', 're.1', 'eq.', 'neq.6', 'page'].map(
    (text): Wrong => [{ eventType: text }, 'eventType'],
  ),
  [{ filters: '{"eventType":6}' }, 'filters.eventType'],
  // These are property filters.
  ...[
    ...'x 1 1.eq 1.eq.plan 1.eq..pro eq.plan.pro 0.eq.plan.pro 6.eq.plan.pro 1.EQ.plan.pro'.split(' '),
    ...'1.between.plan.pro 1.gt.plan.pro 1.t.plan.pro 1.s.plan. 2.c.price.1 2.re.price.1 2.eq.price.'.split(' '),
    ...'2.eq.price.x 2.eq.price.1e3 2.eq.price.0x10 2.eq.price.1,,2 2.gt.price.1,2 2.gt.price.+1'.split(' '),
    ...'2.gt.price..5 2.gt.price.5. 2.gt.price.NaN 3.eq.trial.yes 3.eq.trial.1 3.eq.trial.TRUE'.split(' '),
    ...'3.c.trial.true 4.eq.due. 4.eq.due.2025-02-30 4.eq.due.2025-10-15T00:00:00 4.eq.due.yesterday'.split(' '),
    ...'4.gt.due.2025-10-15 5.eq.items.red 5.re.items.red 1.eq.%zz.x 1.eq.%ff.x'.split(' '),
    '',
    '2.eq.price. 1',
    '2.eq.price.1\0',
    `2.eq.price.${'9'.repeat(19)}`,
    `2.eq.price.0.${'1'.repeat(11)}`,
    '4.eq.due.2025-10-15\0',
  ].flatMap((text): Wrong[] => [
    [{ epf0: text }, 'epf0'],
    [{ spf0: text }, 'spf0'],
  ]),
  [{ 'filters[epf0]': 'x' }, 'filters[epf0]'],
  [{ 'filters[spf1]': 'x' }, 'filters[spf1]'],
  [{ spf0: `1.eq.${'x'.repeat(10_000)}.x` }, 'spf0'],
  [{ filters: '{"epf0":"x"}' }, 'filters.epf0'],
  // This combines several invalid parameters.
  [
    { startAt: 'x', browser: list(101), match: 'x', epf0: 'x', nothing: '' },
    ...['startAt', 'nothing', 'browser', 'match', 'epf0'],
  ],
]

/** Patterns that RE2 refuses, each with a word from the stated reason. */
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

/** The errors that a report finds in these parameters, without sending a request, each with its parameter. */
function faultsOf(report: AnyReport, change: Change): unknown {
  const given = Object.entries({ ...report.example.query, ...change }).filter(([, value]) => value !== null)
  const { error } = report.query.schema.safeParse(Object.fromEntries(given))
  return error?.issues.map(({ path, message }) => [
    path.join('.'),
    message.replace(/Did you mean .*\? |Allowed: .*/g, ''),
  ])
}

describe('a range and filters', () => {
  // `npm test` sends a different third of them in each run.
  it('are refused if they are invalid', () => allRefused(events, inTurn([...wrongRanges, ...wrongFilters], seed, 3)))

  // One function reads them all, so `npm test` uses a different quarter of the reports in each run.
  const others = inTurn(
    reports.filter((report) => takes(report, 'startAt', 'endAt', 'browser')),
    seed,
    4,
  )
  const faultsBy = (report: AnyReport) =>
    [...wrongRanges, ...wrongFilters].map(([change]) => ({ change, faults: faultsOf(report, change) }))
  const ofEvents = faultsBy(events)

  it.each(others.map((report) => [report.name, report] as const))(
    'cause the same errors in %s as in the list of events',
    (_, report) => {
      expect(faultsBy(report)).toEqual(ofEvents)
    },
  )
})

describe('a pattern', () => {
  const refusedPattern = async (
    report: AnyReport,
    change: Readonly<Record<string, string>>,
    path: string,
    reason = 'missing )',
  ) => {
    for (const websiteId of report === events ? [world.websiteId, empty] : [world.websiteId]) {
      const reply = await get(pathTo(report, { websiteId }, change))
      naming(change, () => {
        refused(reply, path)
        expect(reply.body.error.message).toContain(reason)
        expect(reply.body.error.message).not.toMatch(/DB::|SELECT|Code:|\(\?i\)/)
      })
    }
  }

  it('is refused with a readable reason if it is invalid, whether or not there are events', () =>
    forEach(wrongPatterns, ([pattern, reason]) =>
      refusedPattern(events, { browser: `re.${pattern}` }, 'browser', reason),
    ))

  it.each(inTurn(rangeReports, seed, 4).map((report) => [report.name, report] as const))(
    'is refused by %s if it is invalid',
    (_, report) => refusedPattern(report, { browser: 're.(' }, 'browser'),
  )

  it.each<[Readonly<Record<string, string>>, string]>([
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
  ])('is refused with the name of its filter: %j', (change, path) => refusedPattern(events, change, path))

  it('is identified even if it is contained in a valid pattern', async () => {
    refused(await changed(events, { os: 're.a(b)c', browser: 're.(' }), 'browser')
    refused(await changed(events, { 'filters[os]': 're.[', browser: 're.[x]' }), 'filters[os]')
    const pivot = reportOf({ endpoint: 'event-data-pivot' })
    refused(await changed(pivot, { pf_plan: 're.(' }), 'pf_plan')
    refused(await changed(pivot, { os: 're.x', pf_plan: 're.x', pf_plan1: '1.nre.(' }), 'pf_plan1')
  })
})

it.each(inTurn(rangeReports, seed, 4).map((report) => [report.name, report] as const))(
  '%s refuses each of its parameters if repeated',
  async (_, report) => {
    for (const [name, value] of Object.entries(neededBy(report))) {
      refused(await changed(report, { [name]: [value, value] }), name)
    }
  },
)

it('the pivot refuses an invalid pf_, and other reports refuse any pf_', async () => {
  const wrong = ['', 'x', 'eq', '1.eq', '6.eq.x', '1.gt.x', 'gt.1', '2.eq.x', '3.eq.x', '4.eq.x', '5.eq.x']
  for (const [report, values] of [
    [reportOf({ endpoint: 'event-data-pivot' }), wrong],
    [events, ['eq.pro', ...wrong]],
  ] as const) {
    for (const value of values) refused(await changed(report, { pf_plan: value }), 'pf_plan')
    refused(await changed(report, { pf_: 'eq.x' }), 'pf_')
    refused(await changed(report, { 'filters[pf_plan]': '6.eq.x' }), 'filters[pf_plan]')
  }
})

describe.each(pagedReports)('paged report $name', (report) => {
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
        ...['', 'x', '!!!'],
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

  it('accepts a page far beyond the end', async () => {
    const { status, body } = await changed(report, { page: '1000000000', pageSize: '1000' })
    expect([status, body.data]).toStrictEqual([200, []])
  })
})

describe.each(listReports)('limited report $name', (report) => {
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

it('parameters of only one report are checked there, and refused elsewhere', async () => {
  const named = (endpoint: string) => reportOf({ endpoint })
  refused(await changed(named('event-data/values'), { propertyName: null }), 'propertyName')
  refused(await changed(named('event-data/values'), { event: 'a', eventName: 'b' }), 'eventName')
  for (const text of ['0', '6', '', 'x', '1.0', '5\0']) {
    refused(await changed(named('event-data/values'), { dataType: text }), 'dataType')
  }
  refused(await changed(named('event-data-pivot'), { eventName: null }), 'eventName')
  for (const name of ['event-data', 'events/stats', 'sessions']) {
    refused(await changed(named(name), { eventName: 'a' }), 'eventName')
  }
})

/** Invalid values for the parameters that clients send with every request. */
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
  [{ startAt: '200000000000', endAt: '100000000000' }, 'endAt'],
  [{ query: 'x'.repeat(4001) }, 'query'],
]

describe('a common parameter', () => {
  it.each([events, reportOf({ endpoint: 'event-data/:eventId' })])('is refused by $name if it is malformed', (report) =>
    allRefused(report, wrongEverywhere),
  )

  it('is also refused by other endpoints if it is malformed', async () => {
    const paths = ['/api/me', '/api/me/api-keys', `/api/websites/${world.websiteId}`, '/health']
    await forEach(pairs(wrongEverywhere, paths), async ([[change, ...names], path]) => {
      const reply = await get(path, change as Record<string, string>)
      naming({ path, change }, () => refused(reply, ...names))
    })
  })
})

describe('ids', () => {
  const wrong = [
    ...'x 0 %00 %27 %ff % __proto__ null undefined %7Bp0:UUID%7D 00000000000040008000000000000001'.split(' '),
    ...'00000000-0000-4000-8000-00000000000 00000000-0000-4000-8000-0000000000011'.split(' '),
    ...'0000000-00000-4000-8000-000000000001 0000000g-0000-4000-8000-000000000001'.split(' '),
    ...'%7B00000000-0000-4000-8000-000000000001%7D urn:uuid:00000000-0000-4000-8000-000000000001'.split(' '),
    ...'00000000-0000-4000-8000-000000000001%00 00000000-0000-4000-8000-000000000001%0A'.split(' '),
    ...'%2000000000-0000-4000-8000-000000000001'.split(' '),
    "00000000-0000-4000-8000-000000000001'%20OR%20'1'='1",
    "'%3B%20DROP%20TABLE%20events%3B%20--",
  ]

  it.each(wrong)('cannot be %s for websites', async (text) => {
    refused(await send(pathTo(events, { websiteId: text }), { headers: key }), 'websiteId')
    refused(await send(`/api/websites/${text}`, { headers: key }), 'websiteId')
    refused(await send(`/api/websites/${text}`, { method: 'DELETE', headers: key }), 'websiteId')
  })

  it.each(wrong)('cannot be %s for events', async (text) => {
    refused(await send(`/api/websites/${world.websiteId}/event-data/${text}`, { headers: key }), 'eventId')
  })

  it('may be UUIDs of any version', async () => {
    for (const eventId of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect(await get(`/api/websites/${world.websiteId}/event-data/${eventId}`)).toMatchObject({
        status: 200,
        body: [],
      })
    }
  })
})

import { randomUUID } from 'node:crypto'
import { createClient } from '@clickhouse/client-web'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'

import * as counts from '../../src/query/figures/counts.ts'
import type { Selection } from '../../src/query/language/scope.ts'
import { aliasName, all, compile, type Fragment, sql } from '../../src/query/language/sql.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { selectListOf } from '../../src/query/lists/list.ts'
import { eventIdItem, eventPages } from '../../src/query/lists/paging.ts'
import { type Filters, noFilters } from '../../src/request/filters.ts'
import type { PageRequest } from '../../src/request/page.ts'
import type { IngestRow } from '../oracle/model.ts'
import { runs } from '../support/long.ts'
import { wholeWebsite } from '../support/scope.ts'
import { clickhouse, ingest, newWebsite, read, sharedRoute } from '../support/weir.ts'

const client = createClient(sharedRoute.replicas[0]!.server)

const day = 86_400_000
const first = Date.UTC(2025, 0, 20)
const last = Date.UTC(2025, 5, 12)
const websiteId = randomUUID()

const browsers = ['chrome', 'safari', 'firefox']
const countries = ['US', 'DE']
const names = ['signup', 'search', '']
const keys = ['plan', 'query']

/** A pseudo-random number below `size`, which is always the same for the same event and use. */
const drawn = (event: number, use: number, size: number): number => ((event * 7919 + use * 104_729) % 1009) % size

/** Events over five months, some of them at the first and last millisecond of days and months. */
function eventAt(at: number, index: number): Partial<IngestRow> {
  const type = [1, 1, 2, 2, 2, 3, 5][drawn(index, 1, 7)]!
  const held = type === 2 || drawn(index, 2, 9) === 0 ? drawn(index, 3, 3) : 0
  return {
    website_id: websiteId,
    session_id: `00000000-0000-4000-8000-${String(drawn(index, 4, 40)).padStart(12, '0')}`,
    visit_id: `00000000-0000-4000-9000-${String(drawn(index, 5, 90)).padStart(12, '0')}`,
    event_id: randomUUID(),
    created_at: new Date(at).toISOString().slice(0, -1).replace('T', ' '),
    event_type: type,
    event_name: type === 2 ? names[drawn(index, 6, 3)]! : '',
    browser: browsers[drawn(index, 7, 3)]!,
    country: countries[drawn(index, 8, 2)]!,
    hostname: drawn(index, 9, 2) === 0 ? 'a.example' : 'b.example',
    url_path: drawn(index, 10, 2) === 0 ? '/' : '/x',
    city: drawn(index, 13, 2) === 0 ? 'Oslo' : '',
    'properties.key': keys.slice(0, held),
    'properties.data_type': keys.slice(0, held).map(() => 1),
    'properties.string_value': keys.slice(0, held).map((_, place) => `v${drawn(index, 11 + place, 5)}`),
    'properties.number_value': keys.slice(0, held).map(() => null),
    'properties.date_value': keys.slice(0, held).map(() => null),
  }
}

const edges = Array.from({ length: Math.floor((last - first) / day) }, (_, index) => first + index * day)

beforeAll(async () => {
  const moments = [
    ...edges.flatMap((edge, index) => [edge, edge - 1, edge + ((index * 7_654_321) % day)]),
    ...Array.from({ length: 600 }, (_, index) => first + ((index * 20_000_003) % (last - first))),
  ]
  await ingest(moments.map(eventAt))
})

const moment = fc.oneof(
  fc.constantFrom(...edges).chain((edge) => fc.constantFrom(edge - 1, edge, edge + 1)),
  fc.constantFrom(...[1, 2, 3, 4, 5].flatMap((month) => [Date.UTC(2025, month), Date.UTC(2025, month) - 1])),
  fc.integer({ min: first - 40 * day, max: last + 40 * day }),
  fc.constantFrom(-86_400_001, 0, 9_999_999_999_999),
)

const field = fc
  .constantFrom(
    { field: 'browser', value: 'chrome' } as const,
    { field: 'country', value: 'US' } as const,
    { field: 'event', value: 'signup' } as const,
    { field: 'hostname', value: 'a.example' } as const,
    { field: 'path', value: '/' } as const,
    { field: 'city', value: 'Oslo' } as const,
  )
  .chain(({ field, value }) =>
    fc.constantFrom('eq', 'neq', 'c', 're', 'nre').map((operator) => ({
      ...{ parameter: field, name: field, field },
      ...(operator === 'eq' || operator === 'neq' ? { operator, values: [value] } : { operator, value }),
    })),
  )

const someFilters = fc
  .record({
    match: fc.constantFrom('all', 'any'),
    fields: fc.array(field, { maxLength: 2 }),
    eventTypes: fc.constantFrom([], [], [{ operator: 'eq', values: [2] }], [{ operator: 'neq', values: [1] }]),
    excludeBounce: fc.constantFrom(false, false, false, false, true),
  })
  .map((some) => ({ ...noFilters, ...some }) as Filters)

const filters = fc.oneof({ weight: 1, arbitrary: fc.constant(noFilters) }, { weight: 2, arbitrary: someFilters })

const selections: fc.Arbitrary<Selection> = fc
  .record({
    ends: fc.tuple(moment, moment),
    since: fc.option(moment, { nil: undefined, freq: 5 }),
    filters,
    only: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(filters) }),
  })
  .map(({ ends: [one, other], since, filters, only }) => ({
    scope: { ...wholeWebsite(websiteId), since, only },
    period: { startAt: Math.min(one, other), endAt: Math.max(one, other) },
    filters,
  }))

const ask = <Row>(statement: Statement<Row>) => run(sharedRoute, statement, new AbortController().signal)

async function rowsOf(body: Fragment): Promise<{ rows: unknown[]; tables: readonly string[] }> {
  const { query, query_params, tables } = compile(body)
  const result = await client.query({ query, query_params, format: 'JSONEachRow' })
  return { rows: await result.json(), tables }
}

const custom = sql`event_type = 2`
const hasData = sql`shape != ''`

/** The answers from tables of counts, each with the statement that the endpoints create. */
const answers: Readonly<Record<string, (selection: Selection, from: counts.CountSource) => Fragment>> = {
  'the count of events': (selection, from) =>
    sql`select sum(events) from ${counts.eventCount(selection, 'events', sql`event_type < 5`, undefined, from)}`,
  'the count of events with properties': (selection, from) =>
    sql`select sum(events) from ${counts.eventCount(selection, 'custom events', hasData, undefined, from)}`,
  'the count of events of a name': (selection, from) =>
    sql`select sum(events) from ${counts.eventCount(selection, 'custom events', all(sql`event_name = 'search'`, hasData), undefined, from)}`,
  shapes: (selection, from) => sql`select * from (${counts.eventsByShape(selection, sql`shape`, from)}) order by all`,
  names: (selection, from) =>
    sql`select * from (${counts.eventsBy(sql`event_name`, sql`event_name`, selection, 'custom events', custom, from)}) order by all`,
  visits: (selection, from) => {
    const { rows, names } = counts.visits(selection, undefined, from)
    return sql`select sum(events), uniqExact(session_id), uniqExact(visit_id), ${names} as names from ${rows}`
  },
  properties: (selection, from) =>
    sql`select event_name, data_key, data_type, value, sum(properties) as total
      from ${counts.properties(selection, [], from)} group by all order by all`,
  'values of one property': (selection, from) =>
    sql`select value, sum(properties) as total
      from ${counts.properties(selection, [sql`event_name = 'search'`, sql`data_key = 'plan'`], from)} group by all order by all`,
}

/** Without filters, tables of counts answer all questions over months. */
const sure: Selection = {
  scope: wholeWebsite(websiteId),
  period: { startAt: first - 40 * day, endAt: last + 40 * day },
  filters: noFilters,
}

describe('the choice of a table', () => {
  it.each(Object.entries(answers))('does not change the answer: %s', async (_, answer) => {
    const used = new Set<string>()
    await fc.assert(
      fc.asyncProperty(selections, async (selection) => {
        const [fast, plain] = await Promise.all([
          rowsOf(answer(selection, 'any table')),
          rowsOf(answer(selection, 'the events')),
        ])
        for (const table of fast.tables) used.add(table)
        expect(fast.rows).toEqual(plain.rows)
      }),
      { numRuns: runs(3, 120), examples: [[sure]], endOnFailure: true },
    )
    expect([...used].filter((table) => /^(daily|monthly)_/.test(table))).not.toEqual([])
  })
})

const month = { startAt: Date.UTC(2025, 2, 3, 4, 5, 6, 7), endAt: Date.UTC(2025, 3, 2, 1) }
const year = { startAt: Date.UTC(2024, 2, 3, 4, 5, 6, 7), endAt: Date.UTC(2025, 2, 3, 1) }
const wholeMonth = { startAt: Date.UTC(2025, 2), endAt: Date.UTC(2025, 3) - 1 }
const wholeYear = { startAt: Date.UTC(2024, 0), endAt: Date.UTC(2025, 0) - 1 }
const days = { startAt: Date.UTC(2025, 2, 3, 4), endAt: Date.UTC(2025, 2, 10, 3) }

const only = (...fields: ('browser' | 'city' | 'country' | 'event' | 'hostname' | 'path')[]): Filters => ({
  ...noFilters,
  fields: fields.map((field) => ({ parameter: field, name: field, field, operator: 'eq', values: ['x'] })),
})

const ofType: Filters = { ...noFilters, eventTypes: [{ operator: 'eq', values: [2] }] }

/** A question, its range, its filters, and the tables that answer it. */
const rules: [keyof typeof answers, typeof month, Filters, ...string[]][] = [
  ['the count of events', days, noFilters, 'events'],
  ['the count of events', month, noFilters, 'daily_shapes', 'events'],
  ['the count of events', month, ofType, 'daily_shapes', 'events'],
  ['the count of events', month, only('event'), 'daily_shapes', 'events'],
  ['the count of events', month, only('browser', 'country'), 'daily_events', 'events'],
  ['the count of events', wholeMonth, noFilters, 'daily_shapes'],
  ['the count of events', wholeMonth, only('country'), 'daily_events'],
  ['the count of events', year, only('browser', 'event'), 'events'],
  ['the count of events', year, only('path'), 'events'],
  ['the count of events', year, { ...noFilters, excludeBounce: true }, 'events'],
  ['the count of events with properties', month, only('browser'), 'custom_events'],
  ['the count of events with properties', year, only('browser', 'event'), 'monthly_shapes', 'custom_events'],
  ['the count of events of a name', year, noFilters, 'daily_shapes', 'custom_events'],
  ['shapes', month, noFilters, 'custom_events'],
  ['shapes', wholeYear, noFilters, 'daily_shapes'],
  ['shapes', year, noFilters, 'daily_shapes', 'custom_events'],
  ['shapes', year, only('country'), 'monthly_shapes', 'custom_events'],
  ['shapes', year, only('hostname'), 'custom_events'],
  ['visits', days, noFilters, 'custom_events'],
  ['visits', month, noFilters, 'custom_events'],
  ['visits', year, noFilters, 'daily_shapes', 'custom_events', 'hourly_visits'],
  ['visits', wholeMonth, noFilters, 'custom_events'],
  ['visits', wholeYear, noFilters, 'daily_shapes', 'hourly_visits'],
  ['visits', year, only('browser'), 'monthly_shapes', 'custom_events', 'hourly_visits'],
  ['visits', year, only('event'), 'custom_events'],
  ['visits', year, ofType, 'custom_events'],
  ['properties', month, noFilters, 'event_data'],
  ['properties', year, noFilters, 'monthly_values', 'event_data'],
  ['properties', wholeYear, noFilters, 'monthly_values'],
  ['properties', year, only('event'), 'monthly_values', 'event_data'],
  ['properties', year, only('browser', 'hostname', 'path'), 'event_data'],
  ['properties', year, only('browser', 'city'), 'custom_events'],
  ['properties', year, ofType, 'event_data'],
  ['properties', year, { ...noFilters, excludeBounce: true }, 'custom_events', 'events'],
]

describe('the rules for the choice of a table', () => {
  it.each(rules)('%s over %j with the filters %j', (name, period, filters, ...expected) => {
    const selection = { scope: wholeWebsite(websiteId), period, filters }
    expect(compile(answers[name]!(selection, 'any table')).tables).toEqual(expected)
  })

  it('apply equally to filters of the scope and of the request', () => {
    const selection = { scope: { ...wholeWebsite(websiteId), only: [only('path')] }, period: year, filters: noFilters }
    for (const answer of Object.values(answers)) {
      expect(compile(answer(selection, 'any table')).tables.filter((table) => /^(daily|monthly)_/.test(table))).toEqual(
        [],
      )
    }
  })

  it('can be seen in the header X-Source', async () => {
    const id = await newWebsite()
    const { headers } = await read(id, 'events', month)
    expect(headers.get('x-source')).toBe('daily_shapes, events')
    const at = (await read(id, 'events', days)).headers.get('x-source')
    expect(at).toBe('events')
  })
})

const aDay = { startAt: Date.UTC(2025, 2, 3, 4), endAt: Date.UTC(2025, 2, 4, 3) }
const aPage: PageRequest = { page: 1, pageSize: 20, offset: 0, cursor: undefined, maxResults: undefined }

const pageOf = (what: counts.EventKind, period: typeof month, page: PageRequest) =>
  pagePlan({
    what,
    selection: { scope: wholeWebsite(websiteId), period, filters: noFilters },
    shown: what === 'events' ? sql`event_type < 5` : hasData,
    page,
  })

/** A page that contains only the keys of its rows. */
function pagePlan({ what, selection, shown, page }: Listed) {
  const { scope, ...asked } = selection
  const { reads, plan } = eventPages<object>({ kind: what, condition: () => shown })
  return plan(selectListOf(reads), { ...asked, page, search: undefined }, scope)
}

interface Listed {
  readonly what: counts.EventKind
  readonly selection: Selection
  readonly shown: Fragment
  readonly page: PageRequest
}

describe('a page and its list’s count', () => {
  const cursor = { createdAt: aDay.endAt, eventId: websiteId, before: 20, ties: 0 }

  it.each<[counts.EventKind, typeof month, PageRequest, number]>([
    ['events', aDay, aPage, 1],
    ['events', days, aPage, 2],
    ['custom events', days, aPage, 1],
    ['custom events', month, aPage, 2],
    ['events', aDay, { ...aPage, maxResults: 100 }, 2],
    ['events', aDay, { ...aPage, cursor }, 2],
    ['events', aDay, { ...aPage, page: 2501, offset: 50_000 }, 2],
  ])('of %s over %j: %j requires %d statements', (what, period, page, statements) => {
    expect(Object.keys(pageOf(what, period, page))).toHaveLength(statements)
  })

  it('are the same with one statement as with two', async () => {
    const asked = fc.record({
      selection: selections,
      startAt: fc.integer({ min: first, max: last }),
      length: fc.integer({ min: 0, max: 7 * day }),
      what: fc.constantFrom<counts.EventKind>('events', 'custom events'),
      pageSize: fc.integer({ min: 1, max: 12 }),
      page: fc.integer({ min: 1, max: 4 }),
    })
    let counted = 0
    await fc.assert(
      fc.asyncProperty(asked, async ({ selection, startAt, length, what, pageSize, page }) => {
        const period = { startAt, endAt: startAt + (what === 'events' ? Math.min(length, 2 * day - 1) : length - 1) }
        const listed = { what, selection: { ...selection, period }, shown: sql`event_type < 5` }
        const wanted: PageRequest = { ...aPage, page, pageSize, offset: (page - 1) * pageSize }
        const once = pagePlan({ ...listed, page: wanted })
        const twice = pagePlan({ ...listed, page: { ...wanted, maxResults: 1e9 } })
        expect([Object.keys(once), Object.keys(twice)]).toEqual([['rows'], ['count', 'rows']])
        const [together, count, rows] = await Promise.all([ask(once.rows), ask(twice.count!), ask(twice.rows)])
        expect(together).toMatchObject({ rows: rows.rows, total: count.rows[0]!.count })
        counted += together.total
      }),
      {
        numRuns: runs(5, 150),
        examples: (['events', 'custom events'] as const).map((what) => [
          { selection: sure, startAt: first + 9 * day, length: 7 * day, what, pageSize: 5, page: 2 },
        ]),
        endOnFailure: true,
      },
    )
    expect(counted).toBeGreaterThan(runs(4, 100))
  })
})

describe('a page in a long range', () => {
  const id = randomUUID()
  const to = Date.UTC(2025, 4, 1)
  const period = { startAt: to - 100 * day, endAt: to }
  const recent = 1500
  const rare = 60

  beforeAll(async () => {
    // The last 32nd of the range is slightly longer than three days.
    const moments = [
      ...Array.from({ length: recent }, (_, index) => to - ((index * 7_654_321) % (2 * day))),
      ...Array.from({ length: 200 }, (_, index) => to - 4 * day - ((index * 98_765_432) % (90 * day))),
    ]
    const rows = moments.map((at, index) => ({ ...eventAt(at, index), website_id: id }))
    await ingest(rows.map((row, index) => ({ ...row, tag: index % Math.floor(recent / rare) === 0 ? 'rare' : '' })))
  })

  const pages = fc.record({
    pageSize: fc.constantFrom(1, 7, 20, 100),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: recent + 250 })),
    after: fc.option(fc.integer({ min: 0, max: recent }), { nil: undefined }),
    isRare: fc.boolean(),
  })

  /** Cases in which the last part of the range contains the whole page, only a part of it, or is not tried. */
  const ofEachKind: [{ pageSize: number; offset: number; after: number | undefined; isRare: boolean }][] = [
    [{ pageSize: 20, offset: 0, after: undefined, isRare: false }],
    [{ pageSize: 100, offset: 0, after: undefined, isRare: true }],
    [{ pageSize: 7, offset: recent + 100, after: undefined, isRare: false }],
  ]

  it('has the same rows as if the last part were not tried first', async () => {
    const all = await clickhouse<{ event_id: string; tag: string; at: number }>(`
      SELECT event_id, tag, toUnixTimestamp64Milli(created_at) AS at FROM events
      WHERE website_id = '${id}' ORDER BY created_at DESC, event_id DESC`)
    const used = { short: 0, whole: 0, deep: 0 }
    await fc.assert(
      fc.asyncProperty(pages, async ({ pageSize, offset, after, isRare }) => {
        const last = after === undefined ? undefined : all[after]
        const cursor = last && { createdAt: last.at, eventId: last.event_id, before: 1, ties: 0 }
        const { rows } = pagePlan({
          what: 'events',
          selection: { scope: wholeWebsite(id), period, filters: noFilters },
          shown: isRare ? sql`tag = 'rare'` : sql`true`,
          page: { page: 1, pageSize, offset, cursor, maxResults: undefined },
        })
        const { cheaper } = rows.cheaper![0]!.statements[0]!
        const short = cheaper && cheaper[0]!.result([(await ask(cheaper[0]!.statements[0]!)) as never])
        used[cheaper ? (short ? 'short' : 'whole') : 'deep'] += 1
        const listed = all.slice(after === undefined ? 0 : after + 1).filter(({ tag }) => !isRare || tag === 'rare')
        const begin = cursor ? 0 : offset
        const found = await ask(rows)
        expect(found.rows.map((row) => row[aliasName(eventIdItem.name)])).toEqual(
          listed.slice(begin, begin + pageSize + 1).map(({ event_id }) => event_id),
        )
      }),
      { numRuns: runs(6, 120), examples: ofEachKind, endOnFailure: true },
    )
    expect(Math.min(...Object.values(used))).toBeGreaterThan(0)
  })
})

describe('a period and its preceding one', () => {
  const selected = (period: typeof month, filters = noFilters): Selection => ({
    ...{ scope: wholeWebsite(websiteId), period, filters },
  })
  const justBefore = ({ startAt, endAt }: typeof month) => ({ startAt: 2 * startAt - endAt - 1, endAt: startAt - 1 })

  it('are read together if they are adjacent and no table of counts is faster', () => {
    const sent = ({ rows, names }: ReturnType<typeof counts.visits>) => compile(sql`select ${names} from ${rows}`)
    const both = { startAt: justBefore(month).startAt, endAt: month.endAt }
    expect(sent(counts.visitsOfBoth(selected(month), selected(justBefore(month)))!)).toEqual(
      sent(counts.visits(selected(both), undefined, 'the events')),
    )
    expect(
      counts.visitsOfBoth(selected(month), selected({ ...justBefore(month), endAt: month.startAt - 2 })),
    ).toBeUndefined()
    expect(counts.visitsOfBoth(selected(year), selected(justBefore(year)))).toBeUndefined()
  })

  it('are read together from the events, even if a table of counts could answer both', () => {
    for (const length of [21, 31, 39]) {
      const period = { startAt: Date.UTC(2025, 8, 1) - length * day, endAt: Date.UTC(2025, 8, 1) - 1 }
      const { rows, names } = counts.visitsOfBoth(selected(period), selected(justBefore(period)))!
      expect(compile(sql`select ${names} from ${rows}`).tables).toEqual(['custom_events'])
    }
  })

  it('are read separately if a table of counts answers the preceding period', () => {
    const period = { startAt: Date.UTC(2025, 2, 2), endAt: Date.UTC(2025, 4, 1) - 1 }
    expect(counts.visitsOfBoth(selected(period), selected(justBefore(period)))).toBeUndefined()
  })

  it('are read separately if a visit may be a bounce in only one of them', () => {
    const filters = { ...noFilters, excludeBounce: true }
    expect(counts.visitsOfBoth(selected(month, filters), selected(justBefore(month), filters))).toBeUndefined()
    const scope = { ...wholeWebsite(websiteId), only: [filters] }
    expect(
      counts.visitsOfBoth({ ...selected(month), scope }, { ...selected(justBefore(month)), scope }),
    ).toBeUndefined()
  })
})

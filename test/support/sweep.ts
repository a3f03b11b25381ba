import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as tables from '../../src/query/tables.ts'
import { type Field, passesField, readTextTest } from '../oracle/conditions.ts'
import { eras } from '../oracle/generate-era.ts'
import { filtersOn } from '../oracle/generate-filters.ts'
import { exactly } from '../oracle/generate-ranges.ts'
import { type Asking, anyFilters, requestsTo } from '../oracle/generate-requests.ts'
import type { Spans } from '../oracle/generate-spans.ts'
import { columnInstant } from '../oracle/instants.ts'
import { ENDPOINTS, type Endpoint, type IngestRow, type OracleRequest } from '../oracle/model.ts'
import { agrees } from './against-oracle.ts'
import { forEach, pairs } from './concurrently.ts'
import { type Headers, newShare, operator } from './doors.ts'
import { websiteOf } from './people.ts'
import { reports } from './questions.ts'
import { ingest } from './weir.ts'

/**
 * Questions to every report over ranges of every length, so that each table is read that may answer. Whatever is drawn
 * follows from the seed.
 */

/** A website, and how it is looked at. */
interface View {
  readonly websiteId: string
  /** All of its events, in order of time. */
  readonly rows: readonly IngestRow[]
  readonly instants: readonly number[]
  /** Those that are seen. */
  readonly seen: readonly IngestRow[]
  readonly headers: Headers
  /** Ranges are around this moment, or around any event. */
  readonly around?: number
  readonly isShare?: true
}

const inOrder = (rows: readonly IngestRow[]): IngestRow[] =>
  [...rows].sort((left, right) => columnInstant(left.created_at) - columnInstant(right.created_at))

async function stored(drawn: readonly IngestRow[], columns: Readonly<Record<string, number>> = {}): Promise<View> {
  const websiteId = await websiteOf({}, columns)
  const rows = inOrder(drawn).map((row) => ({ ...row, website_id: websiteId }))
  await ingest(rows)
  const instants = rows.map((row) => columnInstant(row.created_at))
  return { websiteId, rows, instants, seen: rows, headers: operator }
}

/** The same website through a share that shows what passes these filters. */
async function lockedTo(view: View, filters: Readonly<Partial<Record<Field, string>>>): Promise<View> {
  const { headers } = await newShare(view.websiteId, { events: true, filters })
  const conditions = Object.entries(filters).map(([key, value]) => ({
    key,
    field: key as Field,
    ...readTextTest(value),
  }))
  const seen = view.rows.filter((row) => conditions.every((condition) => passesField(condition, row)))
  return { ...view, seen, headers, isShare: true }
}

const DAY = 86_400_000

/** Two websites, one of them once more with a reset, and once through each of some shares. */
async function viewsOf(seed: number): Promise<View[]> {
  const [era] = fc.sample(eras, { seed, numRuns: 1 })
  const { rows, websiteIds, window } = era!
  const [first, second] = websiteIds.map((id) => rows.filter((row) => row.website_id === id))
  const [{ at, shift }] = fc.sample(
    fc.record({
      at: fc.integer({ min: window.start + 400 * DAY, max: window.end - 100 * DAY }),
      shift: fc.constantFrom('none', 'day', 'month'),
    }),
    { seed, numRuns: 1 },
  ) as [{ at: number; shift: string }]
  const date = new Date(at)
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const moment = shift === 'none' ? at : shift === 'day' ? Math.floor(at / DAY) * DAY : month
  const [any, usual, reset] = [await stored(first!), await stored(second!), await stored(second!, { reset_at: moment })]
  return [
    any,
    usual,
    { ...reset, seen: reset.rows.filter((_, index) => reset.instants[index]! >= moment), around: moment },
    await lockedTo(usual, { browser: 'chrome' }),
    await lockedTo(usual, { event: 'neq.signup', country: 'neq.US' }),
    await lockedTo(any, { path: 're.^/p?' }),
  ]
}

type Filters = Asking['filters']

const on =
  (...fields: Field[]): Filters =>
  (endpoint, subject) =>
    filtersOn(endpoint, subject, ...fields)

const oneOf =
  (...some: Filters[]): Filters =>
  (...asked) =>
    fc.oneof(...some.map((filters) => filters(...asked)))

const fixed =
  (...parameters: [string, string][]): Filters =>
  () =>
    fc.constant(parameters)

const both =
  (one: Filters, other: Filters): Filters =>
  (...asked) =>
    fc.tuple(one(...asked), other(...asked)).map((drawn) => drawn.flat())

const matchingAny = (filters: Filters): Filters => both(filters, fixed(['match', 'any']))

const clients = oneOf(on('browser'), on('country'), on('os', 'country'), on('browser', 'device'))
const types = oneOf(fixed(['eventType', '1']), fixed(['eventType', '2']))

/** Filters by what they read: each group is answered by other tables. */
const filterGroups: Readonly<Record<string, Filters>> = {
  none: fixed(),
  names: oneOf(on('event'), types, both(on('event'), types)),
  clients: oneOf(clients, matchingAny(clients), both(clients, types)),
  'names and clients': oneOf(both(on('event'), clients), matchingAny(on('event', 'os'))),
  places: oneOf(on('path'), on('hostname', 'browser'), on('event', 'path')),
  others: oneOf(on('city'), on('referrer'), on('tag', 'browser'), matchingAny(on('title', 'event'))),
  bounces: both(fixed(['excludeBounce', 'true']), oneOf(fixed(), on('browser'))),
  'of every kind': anyFilters,
}

interface Question {
  readonly view: View
  readonly request: OracleRequest
}

/** What is asked over one range, under one group of filters. */
interface Kind {
  readonly endpoint: Endpoint
  readonly spans: Spans
  readonly group: string
  readonly compare: string | undefined
}

function questions(views: readonly View[], { endpoint, spans, group, compare }: Kind): fc.Arbitrary<Question> {
  const usable = views.filter(({ isShare }) => group !== 'of every kind' || !isShare)
  return fc
    .constantFrom(...usable)
    .chain((view) =>
      fc.tuple(
        fc.constant(view),
        view.around === undefined ? fc.constantFrom(...view.instants) : fc.constant(view.around),
      ),
    )
    .chain(([view, around]) => fc.tuple(fc.constant(view), spans(around)))
    .chain(([view, span]) => {
      const [start, end] = span
      const rows = view.rows.filter((_, index) => start <= view.instants[index]! && view.instants[index]! <= end)
      const world = { websiteIds: [view.websiteId], rows, window: { start, end } }
      const asking: Asking = { ranges: () => exactly(span), filters: filterGroups[group]! }
      return requestsTo(world, endpoint, asking).map((request) => ({ view, request: comparing(request, compare) }))
    })
}

const comparing = (request: OracleRequest, compare: string | undefined): OracleRequest =>
  compare === undefined
    ? request
    : { ...request, query: [...request.query.filter(([name]) => name !== 'compare'), ['compare', compare]] }

/** For every kind of range a question under each group of filters, to `events/stats` one for each comparison. */
function questionsTo(endpoint: Endpoint, views: readonly View[], spans: readonly Spans[], seed: number): Question[] {
  const groups = endpoint === 'event-data/:eventId' ? ['none'] : Object.keys(filterGroups)
  const comparisons = endpoint === 'events/stats' ? ['prev', 'yoy'] : [undefined]
  const first = seed + 1_000_000 * ENDPOINTS.indexOf(endpoint)
  return pairs(pairs(spans, groups), comparisons).flatMap(([[spans, group], compare], index) =>
    fc.sample(questions(views, { endpoint, spans, group, compare }), { seed: first + index, numRuns: 1 }),
  )
}

/** So many wrong answers of a report are enough. */
const enough = 3

/** Asks them all. The tables that answered, each with the tables it answered together with. */
async function ask(questions: readonly Question[]): Promise<Set<string>> {
  const sources = new Set<string>()
  const wrong: unknown[] = []
  await forEach(questions, async ({ view, request }) => {
    if (wrong.length >= enough) return
    const reply = await agrees(view.seen, request, view.headers).catch((error: unknown) => void wrong.push(error))
    const source = reply?.headers.get('x-source')
    if (source) sources.add(source.split(', ').sort().join(', '))
  })
  if (wrong.length > 0) throw wrong[0]
  return sources
}

/** What each report is answered from, all of which has to be met. A filter on a visit or a session reads `events` beside it. */
const counted = ['custom_events, shape_days', 'custom_events, shape_months']
const values = ['event_data', 'event_data, value_months', 'custom_events', 'custom_events, events']
const sources: Readonly<Record<Endpoint, readonly string[]>> = {
  events: ['events', 'events, shape_days', 'event_days, events', 'custom_events, events'],
  'events/stats': [
    'custom_events',
    'custom_events, events',
    'custom_events, shape_days, visit_days',
    'custom_events, shape_months, visit_days',
  ],
  'event-data': ['custom_events', 'custom_events, events', ...counted],
  'event-data/:eventId': ['event_data_by_id'],
  'event-data/events': ['custom_events', 'custom_events, events', ...counted],
  'event-data/fields': values,
  'event-data/properties': ['custom_events', 'custom_events, events', ...counted],
  'event-data/values': values,
  'event-data/stats': ['custom_events', 'custom_events, events', ...counted],
  'event-data-pivot': ['custom_events', 'custom_events, events', ...counted],
}

/** Tests that ask every report over these ranges. `SEED=…` repeats a run. */
export function sweep(spans: readonly Spans[]): void {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30))

  describe(`every report over ranges of every kind, with seed ${seed}`, () => {
    let views: View[] = []

    beforeAll(async () => {
      views = await viewsOf(seed)
    })

    it.each(reports.map(({ path }) => path.replace('/api/websites/:websiteId/', '') as Endpoint))(
      '%s',
      async (endpoint) => {
        const met = await ask(questionsTo(endpoint, views, spans, seed))
        expect([...met]).toEqual(expect.arrayContaining([...sources[endpoint]]))
      },
      1_800_000,
    )

    it('meets every table', () => {
      const met = new Set(Object.values(sources).flatMap((some) => some.flatMap((source) => source.split(', '))))
      expect([...met].sort()).toEqual(
        Object.values(tables)
          .map(({ name }) => name)
          .sort(),
      )
    })
  })
}

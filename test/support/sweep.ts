import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import * as catalogue from '../../src/query/tables/tables.ts'
import { factsOf } from '../facts/index.ts'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { type Field, passesField, readTextTest } from '../oracle/conditions.ts'
import { eras } from '../oracle/generate-era.ts'
import { anyGroup, type Filters, filterGroups } from '../oracle/generate-filter-groups.ts'
import { exactly } from '../oracle/generate-ranges.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import type { Spans } from '../oracle/generate-spans.ts'
import type { World } from '../oracle/generate-world.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { Endpoint, IngestRow, OracleRequest } from '../oracle/model.ts'
import { agrees } from './against-oracle.ts'
import { type Headers, newShare, operator } from './callers.ts'
import { forEach, pairs } from './concurrently.ts'
import { websiteOf } from './people.ts'
import { reportOf } from './reports.ts'
import { seed } from './seed.ts'
import { ingest } from './weir.ts'
import { suitsShares } from './worlds.ts'

/**
 * Sends every report questions over ranges of every length, so that every possible table answers. The seed determines
 * all random choices.
 */

/** A website as seen by one reader. */
interface View {
  readonly websiteId: string
  /** All of its events, and their times. */
  readonly rows: readonly IngestRow[]
  readonly instants: readonly number[]
  /** The events that this reader can see. */
  readonly seen: readonly IngestRow[]
  readonly headers: Headers
  /** Ranges are around this moment or, if undefined, around any event. */
  readonly around?: number
  /** Whether the reader uses a share. */
  readonly isShare?: true
}

interface Views {
  readonly whole: readonly View[]
  readonly reset: View
  readonly shares: readonly View[]
}

/** Usually a whole website. Answers to shares do not list their tables, and a reset leaves fewer whole months. */
function inTurn({ whole, reset, shares }: Views, index: number): View {
  const place = index % 7
  if (place === 2) return shares[Math.floor(index / 7) % shares.length]!
  return place === 5 ? reset : whole[place % 2]!
}

async function stored(drawn: readonly IngestRow[], columns: Readonly<Record<string, number>> = {}): Promise<View> {
  const websiteId = await websiteOf({}, columns)
  const rows = drawn.map((row) => ({ ...row, website_id: websiteId }))
  await ingest(rows)
  const instants = rows.map((row) => columnInstant(row.created_at))
  return { websiteId, rows, instants, seen: rows, headers: operator }
}

/** The same website through a share with these locked filters. */
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

const endpoints = namesFor<Endpoint>(eventOracle)

const DAY = 86_400_000

/** The time of a reset: any millisecond, or the start of a day or month. */
const resets = ({ window }: World): fc.Arbitrary<number> =>
  fc.integer({ min: window.start + 400 * DAY, max: window.end - 100 * DAY }).chain((moment) => {
    const date = new Date(moment)
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
    return fc.constantFrom(moment, Math.floor(moment / DAY) * DAY, month)
  })

/** Two whole websites, one of them also after a reset, and shares with locked filters. */
async function viewsOf(seed: number): Promise<Views> {
  const drawn = eras.chain((era) => fc.record({ era: fc.constant(era), moment: resets(era) }))
  const [{ era, moment }] = fc.sample(drawn, { seed, numRuns: 1 }) as [{ era: World; moment: number }]
  const [first, second] = era.websiteIds.map((id) => era.rows.filter((row) => row.website_id === id))
  // Together, they need only one insert, which creates a part for each month and table.
  const all = [stored(first!), stored(second!), stored(second!, { reset_at: moment })] as const
  const [any, usual, reset] = await Promise.all(all)
  return {
    whole: [any, usual],
    reset: { ...reset, seen: reset.rows.filter((_, index) => reset.instants[index]! >= moment), around: moment },
    shares: [
      await lockedTo(usual, { browser: 'chrome' }),
      await lockedTo(usual, { event: 'neq.signup', country: 'neq.US' }),
      await lockedTo(any, { path: 're.^/p?' }),
    ],
  }
}

interface Question {
  readonly view: View
  readonly request: OracleRequest
}

/** A question over a range of this kind. */
function questions(view: View, endpoint: Endpoint, spans: Spans, filters: Filters): fc.Arbitrary<Question> {
  const moments = view.around === undefined ? fc.constantFrom(...view.instants) : fc.constant(view.around)
  return moments.chain(spans).chain((span) => {
    const [start, end] = span
    const rows = view.rows.filter((_, index) => start <= view.instants[index]! && view.instants[index]! <= end)
    const world = { websiteIds: [view.websiteId], rows, window: { start, end } }
    return requestsTo(world, endpoint, { ranges: () => exactly(span), filters })
      .filter((request) => view.headers === operator || suitsShares(request))
      .map((request) => ({ view, request: { ...request, isShare: view.isShare === true } }))
  })
}

/** Sets the comparison. A search never reads a table of counts, so only the group of all filters keeps its search. */
function asked(request: OracleRequest, group: string, compare: string | undefined): OracleRequest {
  const kept = request.query.filter(([name]) => name !== 'search' || group === anyGroup)
  if (compare === undefined) return { ...request, query: kept }
  return { ...request, query: [...kept.filter(([name]) => name !== 'compare'), ['compare', compare]] }
}

/** For each kind of question, one out of this many is sent. */
type OneOf = (endpoint: Endpoint, group: string, spans: Spans) => number

/**
 * One question per kind of range and group of filters; for `events/stats`, also one per comparison. Each question is
 * generated just before it is asked, because the server would close idle connections in the meantime.
 */
function questionsTo(
  endpoint: Endpoint,
  views: Views,
  { spans, oneOf }: { spans: readonly Spans[]; oneOf: OneOf },
  seed: number,
): (() => Question)[] {
  const groups = reportOf({ endpoint }).query.ignored.has('startAt') ? ['none'] : Object.keys(filterGroups)
  const comparisons: readonly (string | undefined)[] = endpoint === 'events/stats' ? ['prev', 'yoy'] : [undefined]
  const turn = endpoints.indexOf(endpoint)
  const [kinds, filters] = [[...spans.entries()], [...groups.entries()]]
  return pairs(pairs(kinds, filters), comparisons).flatMap(([[[kind, spans], [place, group]], compare], index) => {
    if ((kind + place + turn + comparisons.indexOf(compare)) % oneOf(endpoint, group, spans) > 0) return []
    const draw = () => {
      // Not every share allows segments, cohorts and distinct ids.
      const view = group === anyGroup ? views.whole[index % 2]! : inTurn(views, index)
      const drawn = questions(view, endpoint, spans, filterGroups[group]!)
      const [{ request }] = fc.sample(drawn, { seed: seed + 1_000_000 * turn + index, numRuns: 1 }) as [Question]
      return { view, request: asked(request, group, compare) }
    }
    return [draw]
  })
}

/** After this many wrong answers, a report gets no more questions. */
const enough = 3

/** Sends all questions. Returns the combinations of tables that answered. */
async function ask(questions: readonly (() => Question)[]): Promise<Set<string>> {
  const sources = new Set<string>()
  const wrong: unknown[] = []
  await forEach(questions, async (draw) => {
    if (wrong.length >= enough) return
    const { view, request } = draw()
    const reply = await agrees(view.seen, request, view.headers).catch((error: unknown) => void wrong.push(error))
    const source = reply?.headers.get('x-source')
    if (source) sources.add(written(source.split(', ')))
  })
  if (wrong.length > 0) throw wrong[0]
  return sources
}

/** The combinations of tables that answer a report, all of which a sweep must use. */
const tablesOf = (endpoint: Endpoint): readonly (readonly catalogue.Table[])[] =>
  factsOf(reportOf({ endpoint })).tables ?? []

/** The sorted table names as a single text. */
const written = (names: readonly string[]): string => [...names].sort().join(', ')

/** The tables with one row per hour, day or month, or all tables if none of them is one of these. */
function counted(names: readonly string[]): string {
  const some = names.filter((name) => catalogue.tables.some((one) => one.name === name && one.answersFrom))
  return written(some.length > 0 ? some : names)
}

const namesOf = (some: readonly catalogue.Table[]): string[] => some.map(({ name }) => name)

/** Tests every report over these ranges. `SEED=…` repeats a run. */
export function sweep(spans: readonly Spans[], oneOf: OneOf = () => 1): void {
  describe(`every report over ranges of every kind, with seed ${seed}`, () => {
    let views: Views

    beforeAll(async () => {
      views = await viewsOf(seed)
    })

    it.each(endpoints)('%s', { timeout: 1_800_000 }, async (endpoint) => {
      const met = await ask(questionsTo(endpoint, views, { spans, oneOf }, seed))
      const tables = [...met].map((source) => counted(source.split(', ')))
      expect(tables).toEqual(expect.arrayContaining(tablesOf(endpoint).map((some) => counted(namesOf(some)))))
    })

    it('uses every table', () => {
      const met = new Set(endpoints.flatMap((endpoint) => tablesOf(endpoint).flat()))
      // Reports about sessions, sales, speed and recordings read the tables in `others` over every range. Chains answer
      // sealed days.
      const { sessionData, sessionEvents, sales, webVitals, replayChunks, replayVisits, heatmapEvents } = catalogue
      const ofRecordings = [replayChunks, replayVisits, heatmapEvents]
      const others: readonly catalogue.Table[] = [sessionData, sessionEvents, sales, webVitals, ...ofRecordings]
      const read = catalogue.tables.filter((table) => !table.isSealed && !others.includes(table))
      expect(written(namesOf([...met]))).toBe(written(namesOf(read)))
    })
  })
}

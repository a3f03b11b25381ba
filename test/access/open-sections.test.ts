import { describe, expect, it } from 'vitest'
import type { FilterKind } from '../../src/access/filters.ts'
import { type Section, sections } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { pageView, plan, purchase } from '../../src/endpoints/examples.ts'
import { fieldNames } from '../../src/request/fields.ts'
import type { SavedParameters } from '../oracle/saved.ts'
import { batch } from '../support/batch.ts'
import { type Headers, newShare, post } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { isLong } from '../support/long.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { reports, sectionsOpening } from '../support/reports.ts'
import { askOf, pathTo, savedFor } from '../support/requests.ts'
import { saved } from '../support/saved.ts'
import { identify } from '../support/session-data.ts'
import { add } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

/**
 * Combines every report with every kind of filter, every section, and every kind of caller without a right of their
 * own. `npm test` runs only some combinations, but includes each value at least once.
 */

const kindsOfCallers = ['owner', 'share', 'share of a board', 'public website'] as const
type Caller = (typeof kindsOfCallers)[number]

const names: readonly Section[] = ['events', 'compare', 'goals', 'funnels', 'journeys']

/** The sections that open a filter, written by hand. A filter that is not listed here is opened by any section. */
const needed: Partial<Record<FilterKind, readonly Section[]>> = {
  ...{ distinctId: [], event: names, epf: ['events'], spf: ['sessions'] },
}

/** A website, and the ids of its owner's saved objects. */
interface Site {
  readonly websiteId: string
  readonly boardId: string
  readonly segments: Readonly<Record<string, string>>
  readonly ids: ReadonlyMap<AnyReport, Readonly<Record<string, string>>>
}

/** A filter parameter, with the kinds of all filters in it. */
interface Way {
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly kinds: readonly FilterKind[]
}

const segmentsSaved: Readonly<
  Record<string, { type: 'segment' | 'cohort'; parameters: SavedParameters; kinds: FilterKind[] }>
> = {
  path: { type: 'segment', parameters: { filters: [{ name: 'path', operator: 'c', value: 'a' }] }, kinds: ['path'] },
  event: {
    type: 'segment',
    parameters: { match: 'any', filters: [{ name: 'event1', operator: 'c', value: 'a' }] },
    kinds: ['event'],
  },
  'views of a path': {
    type: 'cohort',
    parameters: { action: { type: 'path', value: '/pricing' }, dateRange: 'all' },
    kinds: ['path'],
  },
  'events of a name': {
    type: 'cohort',
    parameters: { action: { type: 'event', value: 'buy' }, dateRange: 'all' },
    kinds: ['event'],
  },
  'filtered by event': {
    type: 'cohort',
    parameters: {
      action: { type: 'path', value: '/pricing' },
      dateRange: 'all',
      filters: [{ name: 'event', operator: 'neq', value: 'a' }],
    },
    kinds: ['path', 'event'],
  },
}

async function siteOf(websiteId: string): Promise<Site> {
  await Promise.all([add(websiteId, pageView as never, purchase as never), identify(websiteId, plan)])
  const board = await post('/api/boards', { name: 'Board', type: 'mixed', parameters: { websiteId } }, owner.headers)
  const segments = Object.entries(segmentsSaved).map(
    async ([name, { type, parameters }]) => [name, await saved(websiteId, type, parameters, { name })] as const,
  )
  const ids = reports.map(
    async (report) => [report, { websiteId, ...report.example.ids, ...(await savedFor(report, websiteId)) }] as const,
  )
  return {
    ...{ websiteId, boardId: board.body.id, segments: Object.fromEntries(await Promise.all(segments)) },
    ids: new Map(await Promise.all(ids)),
  }
}

const owner = await newPerson()
const newSite = async () => siteOf(await websiteOf({ userId: owner.id }))
const [closed, open] = await Promise.all([newSite(), newSite()])

/** A caller of each kind for a website that is opened with these parameters. */
async function callersOf(parameters: object): Promise<Record<Caller, { site: Site; headers: Headers }>> {
  const [site, published] = [closed, open]
  const { headers } = await newShare(site.websiteId, parameters, owner.headers)
  const made = await post(`/api/boards/${site.boardId}/shares`, { name: 'Board', parameters }, owner.headers)
  const { body } = await send(`/api/share/${made.body.slug}`)
  const { status } = await post(`/api/websites/${published.websiteId}`, { public: parameters }, owner.headers)
  expect(status).toBe(200)
  return {
    owner: { site, headers: owner.headers },
    share: { site, headers },
    'share of a board': { site, headers: { 'x-weir-share-token': body.token } },
    'public website': { site: published, headers: {} },
  }
}

const takesFilters = (report: AnyReport): boolean => 'filters' in report.query.parameters
const isPost = ({ method }: AnyReport): boolean => method === 'post'

const value = (kind: FilterKind): string => (kind === 'epf' || kind === 'spf' ? '1.c.plan.a' : 'c.a')

/** Every filter that the report accepts, each in several spellings. */
function waysOf(report: AnyReport, { segments }: Site): Way[] {
  const fields = fieldNames.flatMap((field): Way[] => [
    { pairs: [[field, value(field)]], kinds: [field] },
    {
      pairs: [
        [`filters[${field}2]`, 'neq.a'],
        ['match', 'any'],
        ['compare', 'yoy'],
      ],
      kinds: [field],
    },
  ])
  const properties = (['epf', 'spf'] as const).flatMap((kind): Way[] => [
    { pairs: [[`${kind}0`, value(kind)]], kinds: [kind] },
    {
      pairs: [['filters', JSON.stringify({ path: 'c.a', [`${kind}7`]: value(kind), match: 'any' })]],
      kinds: ['path', kind],
    },
    {
      pairs: [
        [`filters[${kind}]`, '1.re.plan.^a'],
        ['match', 'any'],
        ['compare', 'prev'],
      ],
      kinds: [kind],
    },
  ])
  const shorthand: Way[] =
    'pf_{property}' in report.query.parameters
      ? [{ pairs: [['pf_plan', 'c.a']], kinds: [report.showsSessionProperties ? 'spf' : 'epf'] }]
      : []
  const named = Object.entries(segmentsSaved).map(
    ([name, { type, kinds }]): Way => ({ pairs: [[type, segments[name]!]], kinds }),
  )
  const both: Way[] = [
    {
      pairs: [
        ['segment', segments.path!],
        ['cohort', segments['events of a name']!],
      ],
      kinds: ['event'],
    },
    {
      pairs: [
        ['segment', segments.event!],
        ['spf0', value('spf')],
      ],
      kinds: ['event', 'spf'],
    },
  ]
  const others: Way[] = [
    { pairs: [], kinds: [] },
    {
      pairs: [
        ['eventType', '1'],
        ['excludeBounce', 'true'],
        ['match', 'any'],
      ],
      kinds: [],
    },
  ]
  return [...others, ...properties, ...shorthand, ...named, ...both, ...fields]
}

/** The status and text of a report's answer to a request with these parameters. */
async function answerOf(report: AnyReport, { pairs }: Way, site: Site, headers: Headers) {
  const ids = site.ids.get(report)!
  const init = askOf(report, headers, { websiteId: site.websiteId })
  if (!isPost(report)) return send(pathIn(report, { pairs }, site), init)
  const body = JSON.parse(String(init.body))
  const filters = Object.fromEntries(
    pairs.flatMap(([name, value]) =>
      name === 'compare'
        ? []
        : name === 'filters'
          ? Object.entries(JSON.parse(value))
          : [[name.replace(/^filters\[(.*)\]$/, '$1'), value]],
    ),
  )
  return send(pathTo(report, ids), { ...init, body: JSON.stringify({ ...body, filters }) })
}

const pathIn = (report: AnyReport, { pairs }: Pick<Way, 'pairs'>, site: Site): string =>
  pathTo(report, site.ids.get(report)!, Object.fromEntries(pairs))

/** The open section, with or without session properties. */
interface Opened {
  readonly section: Section
  readonly properties: boolean
}

const isOpenFor =
  ({ section, properties }: Opened) =>
  (kind: FilterKind): boolean =>
    (needed[kind] ?? sections).includes(section) && (kind !== 'spf' || properties)

const sectionsBy = new Map(reports.map((report) => [report, sectionsOpening(report)]))

/** The expected status for the caller. A refused caller without a credential gets a 401. */
function expectedStatus(report: AnyReport, { kinds }: Way, caller: Caller, opened: Opened): number {
  if (caller === 'owner') return 200
  if (!sectionsBy.get(report)!.includes(opened.section)) {
    return caller === 'public website' && !report.sectionsOf ? 401 : 403
  }
  return kinds.every(isOpenFor(opened)) ? 200 : 403
}

interface Question {
  readonly report: AnyReport
  readonly way: Way
  readonly caller: Caller
}

/** How many filters `npm test` tests per report, in addition to one event, epf or spf filter. */
const others = 2

/**
 * The combinations to test: all for each report that the section opens, and a quarter of the filters for other reports.
 * `npm test` runs several, and one for a quarter of the other reports.
 */
function questionsFor(site: Site, { section, properties }: Opened): Question[] {
  const start = sections.indexOf(section) + Number(properties)
  return reports.flatMap((report, place) => {
    const ways = takesFilters(report) ? waysOf(report, site) : [{ pairs: [], kinds: [] }]
    const turn = start + 5 * place
    const whom = (index: number): Caller => kindsOfCallers[(index + turn) % kindsOfCallers.length]!
    if (!sectionsBy.get(report)!.includes(section)) {
      const isAsked = (index: number): boolean =>
        isLong ? (index + turn) % 4 === 0 : index === 0 && (place + start) % 4 === 0
      const some = ways.filter((_, index) => isAsked(index))
      return some.map((way, index) => ({ report, way, caller: whom(index + 1) }))
    }
    if (isLong) return ways.flatMap((way) => kindsOfCallers.map((caller) => ({ report, way, caller })))
    const kinds = (['event', 'epf', 'spf'] as const).filter((_, index) => (index + start + place) % 3 === 0)
    const closing = kinds.flatMap((kind) => {
      const some = ways.filter(({ kinds }) => kinds.includes(kind))
      return some.length > 0 ? [some[turn % some.length]!] : []
    })
    const more = Array.from(
      { length: Math.min(others, ways.length) },
      (_, index) => ways[(turn * others + index) % ways.length]!,
    )
    return [...new Set([...closing, ...more])].map((way, index) => ({ report, way, caller: whom(index) }))
  })
}

const cases = sections.flatMap((section): Opened[] => [
  { section, properties: false },
  ...(isLong || section === 'sessions' || section === 'overview' ? [{ section, properties: true }] : []),
])

const met = { kinds: new Set<string>(), reports: new Set<AnyReport>(), asked: new Set<string>() }

describe('with one section open', () => {
  it.each(cases)(
    'exactly the section’s filters are allowed: $section, session properties: $properties',
    async (opened) => {
      const { section, properties } = opened
      const callers = await callersOf({ [section]: true, ...(properties && { allowSessionProperties: true }) })
      const questions = kindsOfCallers.flatMap((caller) =>
        questionsFor(callers[caller].site, opened).filter((question) => question.caller === caller),
      )
      await forEach(questions, async ({ report, way, caller }) => {
        const { site, headers } = callers[caller]
        const { status, body } = await answerOf(report, way, site, headers)
        const expected = expectedStatus(report, way, caller, opened)
        expect([caller, report.name, way.pairs, status, status === 200 || body.error.message]).toEqual([
          ...[caller, report.name, way.pairs, expected],
          expected === 200 || expect.any(String),
        ])
        const isNamed = way.pairs.some(([name]) => body.error?.message.includes(name.replace(/\[.*/, '')))
        if (expected === 403 && sectionsBy.get(report)!.includes(section))
          expect([way.pairs, isNamed]).toEqual([way.pairs, true])
        met.reports.add(report)
        for (const kind of way.kinds) {
          met.kinds.add(kind)
          met.asked.add(
            `${caller} ${kind === 'event' || kind === 'epf' || kind === 'spf' ? kind : 'another'} ${expected}`,
          )
        }
      })
      const paths = questions.filter(({ report, caller }) => caller === 'share' && !isPost(report))
      const some = isLong ? paths : paths.slice(0, 5)
      for (let first = 0; first < some.length; first += 20) {
        const part = some.slice(first, first + 20)
        const { answers } = await batch(
          part.map(({ report, way }) => pathIn(report, way, closed)),
          callers.share.headers,
        )
        expect(answers.map(({ path, status }) => [path, status])).toEqual(
          part.map(({ report, way }, index) => [answers[index]!.path, expectedStatus(report, way, 'share', opened)]),
        )
      }
    },
  )

  it('live answers follow the same rules', async () => {
    const live = reports.filter(({ isLive }) => isLive)
    expect(live.length).toBeGreaterThan(0)
    for (const report of live) {
      const [section] = sectionsBy.get(report)!
      const callers = await callersOf({ [section!]: true })
      for (const [turn, caller] of (['share', 'share of a board', 'public website'] as const).entries()) {
        const { site, headers } = callers[caller]
        // In `npm test`, each caller tests a sixth of the filters.
        for (const way of waysOf(report, site).filter((_, place) => isLong || place % 6 === 2 * turn)) {
          const path = pathIn(report, way, site)
          const reply = await fetch(running.url + path, { headers: { ...headers, accept: 'text/event-stream' } })
          await reply.body?.cancel()
          const expected = expectedStatus(report, way, caller, { section: section!, properties: false })
          expect([caller, way.pairs, reply.status]).toEqual([caller, way.pairs, expected])
        }
      }
    }
  })

  it('the tests above cover every report, filter and kind of caller', () => {
    expect(reports.filter((report) => !met.reports.has(report)).map(({ name }) => name)).toEqual([])
    expect([...met.kinds].sort()).toEqual([...fieldNames, 'epf', 'spf'].sort())
    const expected = kindsOfCallers.flatMap((caller) =>
      ['event', 'epf', 'spf', 'another'].flatMap((kind) =>
        (caller === 'owner' ? [200] : [200, 403]).map((status) => `${caller} ${kind} ${status}`),
      ),
    )
    expect([...met.asked].filter((one) => expected.includes(one)).sort()).toEqual(expected.sort())
  })
})

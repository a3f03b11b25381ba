import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { type Headers, newShare } from '../support/callers.ts'
import { inTurn, isLong } from '../support/long.ts'
import { withinAMinute } from '../support/minute.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { reports } from '../support/reports.ts'
import { saved } from '../support/saved.ts'
import { seed } from '../support/seed.ts'
import { askExample, comparable, filteredReports, sidesOf, store } from '../support/sides.ts'
import { everySection } from '../support/worlds.ts'

/**
 * Tests that a report that is narrowed to some events answers as if the website had only those. It may be narrowed by a
 * locked filter of a share or public website, a filter in any spelling, a segment, or a cohort. In each run, `npm test`
 * checks the rows for a different seventh of the reports. `filters` and `test/query/rules.test.ts` check the statements
 * of all.
 */

interface Websites {
  readonly whole: string
  /** A website that has only the kept side. */
  readonly kept: string
  /** Two public websites: the whole one with locked filters, and the one with only the kept side. */
  readonly lockedPublic: string
  readonly keptPublic: string
}

const narrowed = inTurn(reports, seed, 7)

const websites = new Map<AnyReport, Websites>()

/** A view in each kept session, which is the cohort's action. It counts on both websites. */
const marker = (row: Readonly<Record<string, unknown>>, place: number) => ({
  ...{ session_id: row.session_id, visit_id: row.visit_id, created_at: row.created_at, event_type: 1 },
  ...{ event_id: `00000000-0000-4000-8000-0000000000${40 + place}`, url_path: '/marker', browser: 'kept' },
})

const locked = { ...everySection, filters: { browser: 'kept' } }

beforeAll(async () => {
  await Promise.all(
    narrowed.map(async (report) => {
      const { kept, others } = sidesOf(report, { changed: { browser: 'kept' }, different: { browser: 'hidden' } })
      const marked = { ...kept, events: [...kept.events, ...kept.events.map(marker)] }
      const open = (parameters: object) => websiteOf({}, { public: JSON.stringify(parameters) })
      const made = {
        ...{ whole: await websiteOf(), kept: await websiteOf() },
        ...{ lockedPublic: await open(locked), keptPublic: await open(everySection) },
      }
      websites.set(report, made)
      await Promise.all([
        ...[made.whole, made.lockedPublic].map((id) => store(id, marked, others)),
        ...[made.kept, made.keptPublic].map((id) => store(id, marked)),
      ])
    }),
  )
})

type Query = Readonly<Record<string, string>>

async function answer(report: AnyReport, websiteId: string, query?: Query, headers?: Headers): Promise<unknown> {
  const more = { ...(query && { query }), ...(headers && { headers }) }
  return comparable(await askExample(report, websiteId, more), websiteId)
}

/** The reports that shares and public websites may open. */
const opened = narrowed.filter(({ access }) => access.sections.length > 0)

const named = (some: readonly AnyReport[]) => some.map((report) => [report.name, report] as const)

/** In `npm test`, only a third of these reports make this request. */
const isAskedInTurn = (report: AnyReport): boolean => !isLong && narrowed.indexOf(report) % 3 !== 0

describe('a locked filter', () => {
  it.each(named(opened))('hides all other events in a share: %s', async (_, report) => {
    const { whole, kept } = websites.get(report)!
    const ask = async (website: string, filters: object) =>
      answer(report, website, {}, (await newShare(website, { ...everySection, filters })).headers)
    await withinAMinute(async () => {
      const some = await ask(kept, {})
      expect(await ask(whole, { browser: 'kept' })).toEqual(some)
      // Otherwise, the test could not detect the hidden side. In a report about a single event, that event is hidden.
      const isNoticed = !isDeepStrictEqual(await ask(whole, {}), some)
      if (isNoticed && isAskedInTurn(report)) return
      const none = await ask(await websiteOf(), {})
      expect(isNoticed || !isDeepStrictEqual(none, some)).toBe(true)
      expect(await ask(whole, { browser: 'nobody' })).toEqual(none)
    })
  })

  it.each(named(opened.filter((report) => !report.saved && !isAskedInTurn(report))))(
    'hides all other events on a public website: %s',
    async (_, report) => {
      const { lockedPublic, keptPublic } = websites.get(report)!
      const { headers } = await newPerson()
      await withinAMinute(async () => {
        const expected = await answer(report, keptPublic, {}, {})
        expect(expected).toMatchObject({ status: 200 })
        for (const one of inTurn<Headers>([{}, headers], narrowed.indexOf(report), 2)) {
          expect(await answer(report, lockedPublic, {}, one)).toEqual(expected)
        }
        if (!filteredReports.includes(report)) return
        const wider = { match: 'any', browser: 'hidden', os: 'x' }
        const none = await answer(report, keptPublic, wider, {})
        expect(none).not.toEqual(expected)
        expect(await answer(report, lockedPublic, wider, {})).toEqual(none)
      })
    },
  )
})

describe('a filter', () => {
  it.each(named(narrowed.filter((report) => filteredReports.includes(report))))(
    'keeps only matching events in every spelling, and a cohort only its sessions: %s',
    async (_, report) => {
      const { whole, kept } = websites.get(report)!
      const ofPath = (value: string) => saved(whole, 'cohort', { dateRange: 'all', action: { type: 'path', value } })
      const [segment, cohort, strangers] = await Promise.all([
        saved(whole, 'segment', { filters: [{ name: 'browser', operator: 'eq', value: 'kept' }] }),
        ofPath('/marker'),
        ofPath('/nowhere'),
      ])
      const spellings: readonly Query[] = [
        ...[{ browser: 'kept' }, { browser: 'neq.hidden' }, { segment }, { cohort, browser: 'kept' }],
        ...(report.method === 'get' ? [{ 'filters[browser]': 'c.kep' }, { filters: '{"browser":"kept"}' }] : []),
      ]
      await withinAMinute(async () => {
        const expected = await answer(report, kept)
        expect(expected).toMatchObject({ status: 200 })
        for (const query of inTurn(spellings, narrowed.indexOf(report), 2))
          expect([query, await answer(report, whole, query)]).toEqual([query, expected])
        const all = await answer(report, whole)
        expect(all).not.toEqual(expected)
        // A cohort keeps all events of its sessions.
        const members = await answer(report, whole, { cohort })
        expect(members).not.toEqual(all)
        expect(members).not.toEqual(await answer(report, whole, { cohort: strangers }))
      })
    },
  )
})

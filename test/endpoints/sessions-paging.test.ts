import { describe, expect, it } from 'vitest'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow, OracleRequest } from '../oracle/model.ts'
import { agrees } from '../support/against-oracle.ts'
import { worldOf } from '../support/agreement.ts'
import { operator } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { rowsOf, withoutCursor } from '../support/exports.ts'
import { isLong } from '../support/long.ts'
import { add, columnTime, websiteWith } from '../support/website.ts'

/**
 * The first pages of a long range are read from the last part of it, and their figures from `session_events`. Every
 * page is compared with the oracle.
 */

const year = { startAt: Date.UTC(2025, 0, 1), endAt: Date.UTC(2025, 11, 31, 23, 59, 59, 999) }

/** Pseudorandom numbers from 0 up to, but not including, `below`. They are the same in every run. */
let state = 1
function drawn(below: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}

const pick = <Value>(...values: readonly Value[]): Value => values[drawn(values.length)]!

/** 120 sessions over a year, most of them with events in several months, and many of them in the last few days. */
const rows: IngestRow[] = Array.from({ length: 900 }, (_, place) => {
  const session = drawn(120)
  const isLate = session % 3 > 0 && drawn(3) === 0
  const span = year.endAt - year.startAt
  const at = isLate ? year.endAt - drawn(8 * 86_400_000) : year.startAt + Math.floor((span * drawn(10_000)) / 10_000)
  return event({
    session_id: id(1000 + session),
    visit_id: id(2000 + 10 * session + drawn(4)),
    event_id: id(5000 + ((place * 7919) % 10_007)),
    // Whole minutes, so that several sessions have the same last time.
    ...{ created_at: columnTime(Math.floor(at / 60_000) * 60_000), event_type: pick(1, 1, 1, 2, 2, 3, 5) },
    ...{ event_name: pick('', 'buy', 'look'), browser: pick('chrome', 'safari', ''), country: pick('DE', 'FR') },
    ...{ city: pick('Berlin', 'Paris', ''), url_path: pick('/', '/a', '/b'), page_title: pick('A', 'B') },
    distinct_id: pick('', '', `person ${session % 9}`),
  })
})

/** `session_events` cannot answer `title` and `excludeBounce`. */
const filters: readonly Readonly<Record<string, string>>[] = [
  ...[{}, { browser: 'chrome' }, { path: 'c.a', country: 'neq.DE' }, { eventType: '2' }, { distinctId: 'person 3' }],
  { city: 'Berlin', distinctId: 'c.person', match: 'any' },
  ...[{ title: 'A' }, { excludeBounce: 'true' }, { browser: 'nobody' }, { search: 'PERSON 4' }],
]

const world = await worldOf(...rows)

type Query = Readonly<Record<string, string | number>>

/** Asserts that a page matches the oracle's. `hidden` describes what the reader may not see. */
async function agreesOn(query: Query, hidden: Partial<OracleRequest<'sessions'>> = {}, headers = operator) {
  const sent = Object.entries({ ...year, ...query }).map(([name, value]): [string, string] => [name, String(value)])
  const request = { endpoint: 'sessions' as const, websiteId: world.websiteId, query: sent, ...hidden }
  const of = world.rows.map((row) => ({ ...row, website_id: request.websiteId }))
  return agrees(of, request, headers)
}

describe('an export that continues another one', () => {
  const minute = 60_000
  const sold = (session: number, at: number) =>
    event({ session_id: id(session), event_id: id(at % 1e9), created_at: columnTime(at), event_name: 'buy' }, [
      ...[number('revenue', '5'), string('currency', 'EUR')],
    ])

  it.each([
    ['sessions', [2, 1]],
    ['sessions', [3, 2, 1]],
    ['revenue/sessions', [2, 1]],
    ['revenue/sessions', [3, 2, 1]],
  ] as const)('has no events that arrived later: %s, with sessions %j', async (list, sessions) => {
    const now = Date.now()
    // The third session's clock is ahead.
    const times = [now - 60 * minute, now - 30 * minute, now + 30 * minute]
    const websiteId = await websiteWith(...sessions.map((session) => sold(session, times[session - 1]!)))
    const range = {
      startAt: now - 90 * minute,
      endAt: now + 90 * minute,
      ...(list !== 'sessions' && { currency: 'EUR' }),
    }
    const path = `/api/websites/${websiteId}/${list}`
    const [first, ...others] = await rowsOf(path, range)
    expect([first, ...others].map((row) => row!.id)).toEqual(sessions.map(id))
    await add(websiteId, sold(1, now + 60 * minute))
    const later = await rowsOf(path, { ...range, cursor: String(first!.cursor) })
    expect(later.map(withoutCursor)).toEqual(others.map(withoutCursor))
  })
})

describe('a page of sessions', () => {
  it.each(filters)('matches the events: %j', async (query) => {
    await forEach(isLong ? [1, 2, 3, 7, 30] : [1, 2, 30], async (page) => {
      const { body } = await agreesOn({ ...query, page, pageSize: page === 30 ? 100 : 13 })
      expect(body.page).toBe(page)
    })
  })

  it('uses session_events if it has the necessary columns', async () => {
    const sourceOf = async (query: Query) => (await agreesOn(query)).headers.get('x-source')
    expect(await sourceOf({})).toContain('session_events')
    expect(await sourceOf({ title: 'A' })).not.toContain('session_events')
  })
})

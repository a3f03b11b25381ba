import { beforeAll, describe, expect, it } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newShare, operator } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { isLong, runs } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { add, columnTime, websiteWith } from '../support/website.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

/**
 * The first pages of a long range come from its last part, and figures of their sessions from the table by session.
 * Here every page is compared with what the events of the sessions add up to.
 */

const year = { startAt: Date.UTC(2025, 0, 1), endAt: Date.UTC(2025, 11, 31, 23, 59, 59, 999) }

/** Always the same numbers from 0 up to `below`. */
let state = 1
function drawn(below: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}

const pick = <Value>(...values: readonly Value[]): Value => values[drawn(values.length)]!

/** 120 sessions over a year, most of them with events in several months; many in the last days of it. */
const rows: IngestRow[] = Array.from({ length: 900 }, (_, place) => {
  const session = drawn(120)
  const isLate = session % 3 > 0 && drawn(3) === 0
  const span = year.endAt - year.startAt
  const at = isLate ? year.endAt - drawn(8 * 86_400_000) : year.startAt + Math.floor((span * drawn(10_000)) / 10_000)
  return event({
    session_id: id(1000 + session),
    visit_id: id(2000 + 10 * session + drawn(4)),
    event_id: id(5000 + ((place * 7919) % 10_007)),
    // Whole seconds, so that sessions share their last moment.
    created_at: columnTime(Math.floor(at / 60_000) * 60_000),
    event_type: pick(1, 1, 1, 2, 2, 3, 5),
    event_name: pick('', 'buy', 'look'),
    browser: pick('chrome', 'safari', ''),
    country: pick('DE', 'FR'),
    city: pick('Berlin', 'Paris', ''),
    url_path: pick('/', '/a', '/b'),
    page_title: pick('A', 'B'),
    distinct_id: pick('', '', `person ${session % 9}`),
  })
})

type Passes = (row: IngestRow) => boolean

const order = (row: IngestRow): [number, string] => [columnInstant(row.created_at), row.event_id]
const before = (one: IngestRow, other: IngestRow): number => {
  const [[at, own], [then, others]] = [order(one), order(other)]
  return at - then || (own < others ? -1 : 1)
}

/** The fields of each session that a page shows, in its order; ids of this file sort as their texts do. */
function expected(some: readonly IngestRow[], passes: Passes): object[] {
  const actions = some.filter((row) => row.event_type !== 5 && passes(row)).sort(before)
  const bySession = new Map<string, IngestRow[]>()
  for (const row of actions) bySession.set(row.session_id, [...(bySession.get(row.session_id) ?? []), row])
  return [...bySession]
    .map(([session, own]) => ({ session, own, last: own.at(-1)! }))
    .sort(
      (one, other) =>
        columnInstant(other.last.created_at) - columnInstant(one.last.created_at) ||
        (one.session < other.session ? 1 : -1),
    )
    .map(({ session, own, last }) => ({
      id: session,
      browser: last.browser,
      city: last.city,
      distinctId: own.findLast(({ distinct_id }) => distinct_id !== '')?.distinct_id ?? null,
      firstAt: isoOf(own[0]!),
      lastAt: isoOf(last),
      visits: new Set(own.map(({ visit_id }) => visit_id)).size,
      views: own.filter(({ event_type }) => event_type !== 2).length,
      events: own.filter(({ event_type }) => event_type === 2).length,
    }))
}

const isoOf = ({ created_at }: IngestRow): string => `${created_at.slice(0, 19).replace(' ', 'T')}Z`

const fields = ['id', 'browser', 'city', 'distinctId', 'firstAt', 'lastAt', 'visits', 'views', 'events']
const shown = ({ body }: Reply): object[] =>
  body.data.map((one: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, one[name]])))

const within = (range: { startAt: number; endAt: number }): Passes => {
  return (row) => columnInstant(row.created_at) >= range.startAt && columnInstant(row.created_at) <= range.endAt
}

const shownRows = (some: readonly IngestRow[], range = year): IngestRow[] => some.filter(within(range))

const isBounce = (visit: string) => {
  const actions = shownRows(rows).filter((row) => row.event_type !== 5 && row.visit_id === visit)
  return actions.length === 1 && actions[0]!.event_type !== 2
}

/** Filters, and the events that pass them. `title` and `excludeBounce` cannot be answered by the table by session. */
const filters: readonly (readonly [Record<string, string>, Passes])[] = [
  [{}, () => true],
  [{ browser: 'chrome' }, ({ browser }) => browser === 'chrome'],
  [{ path: 'c.a', country: 'neq.DE' }, (row) => row.url_path === '/a' && row.country === 'FR'],
  [{ city: 'Berlin', distinctId: 'c.person', match: 'any' }, (row) => row.city === 'Berlin' || row.distinct_id !== ''],
  [{ eventType: '2' }, ({ event_type }) => event_type === 2],
  [{ distinctId: 'person 3' }, ({ distinct_id }) => distinct_id === 'person 3'],
  [{ title: 'A' }, ({ page_title }) => page_title === 'A'],
  [{ excludeBounce: 'true' }, ({ visit_id }) => !isBounce(visit_id)],
  [{ browser: 'nobody' }, () => false],
]

let websiteId: string
beforeAll(async () => {
  websiteId = await websiteWith(...rows)
})

const ask = (of: string, query: object, headers = operator): Promise<Reply> =>
  send(pathOf(`/api/websites/${of}/sessions`, { ...year, ...query }), { headers })

describe('a page of sessions', () => {
  it.each(filters)('is what the events add up to: %j', async (query, passes) => {
    const all = expected(shownRows(rows), passes)
    await forEach(isLong ? [1, 2, 3, 7, 30] : [1, 2, 30], async (page) => {
      const pageSize = page === 30 ? 100 : 13
      const reply = await ask(websiteId, { ...query, page, pageSize })
      expect(shown(reply)).toStrictEqual(all.slice((page - 1) * pageSize, page * pageSize))
      expect(reply.body.count).toBe(all.length)
    })
  })

  it('is followed by its links to the end', async () => {
    const all = expected(shownRows(rows), () => true)
    const pages = [await ask(websiteId, { pageSize: runs(41, 17) })]
    for (let link = pages[0]!.headers.get('link'); link !== null; link = pages.at(-1)!.headers.get('link')) {
      const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
      pages.push(await send(url.slice(running.url.length), { headers: operator }))
    }
    expect(pages.flatMap(shown)).toStrictEqual(all)
    expect(pages.map(({ body }) => body.page)).toStrictEqual(pages.map((_, index) => index + 1))
  })

  it('ends where maxResults does', async () => {
    const all = expected(shownRows(rows), () => true)
    const { body } = await ask(websiteId, { maxResults: 30, pageSize: 20, page: 2 })
    expect(body).toMatchObject({ count: 30, isCapped: true, page: 2, pageSize: 20 })
    expect(body.data.map((one: { id: string }) => one.id)).toStrictEqual(all.slice(20, 30).map((one) => Object(one).id))
  })

  it('holds what a range cuts, a reset leaves and a lock shows', async () => {
    const range = { startAt: Date.UTC(2025, 2, 3, 4, 5), endAt: Date.UTC(2025, 9, 7, 8, 9) }
    const cut = await ask(websiteId, { ...range, pageSize: 15 })
    expect(shown(cut)).toStrictEqual(expected(shownRows(rows, range), () => true).slice(0, 15))

    const since = Date.UTC(2025, 5, 6, 7)
    const reset = await websiteOf({}, { reset_at: since })
    await add(reset, ...rows)
    const left = expected(shownRows(rows, { ...year, startAt: since }), () => true)
    const afterReset = await ask(reset, { pageSize: 15 })
    expect([afterReset.body.count, shown(afterReset)]).toStrictEqual([left.length, left.slice(0, 15)])

    const { headers } = await newShare(websiteId, { sessions: true, filters: { browser: 'safari' } })
    const locked = expected(shownRows(rows), ({ browser }) => browser === 'safari')
    const throughShare = await ask(websiteId, { pageSize: 15 }, headers)
    const nameless = locked.slice(0, 15).map((one) => ({ ...one, distinctId: null }))
    expect([throughShare.body.count, shown(throughShare)]).toStrictEqual([locked.length, nameless])
  })

  it('is found by a search of any of the session’s actions', async () => {
    const found = new Set(
      shownRows(rows).flatMap((row) => (row.event_type !== 5 && row.distinct_id.includes('4') ? [row.session_id] : [])),
    )
    const all = expected(shownRows(rows), ({ session_id }) => found.has(session_id))
    const reply = await ask(websiteId, { search: 'PERSON 4', pageSize: 10 })
    expect([reply.body.count, shown(reply)]).toStrictEqual([all.length, all.slice(0, 10)])
  })

  it('reads the table by session where its columns suffice', async () => {
    expect((await ask(websiteId, {})).headers.get('x-source')).toContain('session_events')
    expect((await ask(websiteId, { title: 'A' })).headers.get('x-source')).not.toContain('session_events')
  })

  it('is exported whole, in its order', async () => {
    const all = expected(shownRows(rows), () => true)
    const response = await fetch(`${running.url}${pathOf(`/api/websites/${websiteId}/sessions`, year)}`, {
      headers: { ...operator, accept: 'application/x-ndjson' },
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(shown({ body: { data: lines } } as Reply)).toStrictEqual(all)
    const rest = await ask(websiteId, { cursor: lines[99].cursor, pageSize: 1000 })
    expect(shown(rest)).toStrictEqual(all.slice(100))
  })
})

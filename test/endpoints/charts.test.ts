import { describe, expect, it } from 'vitest'
import { type Chart, chart } from '../oracle/charts.ts'
import { event, id } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newShare, operator } from '../support/callers.ts'
import { bearer, newPerson, websiteOf } from '../support/people.ts'
import { refused } from '../support/refusals.ts'
import { columnTime, websiteWith } from '../support/website.ts'
import { get, pathOf, send } from '../support/weir.ts'

const charts = '/api/websites/charts'
const hour = 3_600_000

/** The night in which Berlin's clocks go back. */
const autumn = Date.UTC(2025, 9, 25, 12)

const view = (at: number, session: number, change: Partial<IngestRow> = {}): IngestRow =>
  event({
    ...{ event_id: id(at % 100_000_000), session_id: id(session), visit_id: id(session), created_at: columnTime(at) },
    ...{ event_type: 1, event_name: '' },
    ...change,
  })

/** A view or another event every five hours around the clock change. */
const rows = Array.from({ length: 30 }, (_, index) =>
  view(autumn + index * 5 * hour, index % 7, { event_type: [1, 1, 3, 4, 2, 5][index % 6]! }),
)

describe.concurrent('website charts', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana'])(
    'have a value for each half day in %s',
    async (timezone) => {
      const [one, other] = [await websiteWith(...rows), await websiteWith(...rows.slice(10))]
      const empty = await websiteOf()
      for (const [start, end] of [
        [autumn, autumn + 72 * hour],
        [autumn + 11 * hour, autumn + 12 * hour - 1],
        [autumn + 36 * hour, autumn + 36 * hour],
      ] as const) {
        const range = { startAt: start, endAt: end, timezone }
        const { status, body } = await get(charts, { ids: [other, one, empty, one].join(','), ...range })
        const of = (some: IngestRow[]): Chart => chart(some, some[0]!.website_id, { start, end }, timezone)
        const expected = { [other]: of(rows.slice(10)), [one]: of(rows), [empty]: of(emptied(rows)) }
        expect([status, body]).toStrictEqual([200, { data: expected }])
        expect(Object.keys(body.data)).toStrictEqual([other, one, empty])
      }
    },
  )

  it('cover today and the seven days before it by default', async () => {
    const websiteId = await websiteWith(view(Date.now(), 1), view(Date.now() - 7 * 24 * hour, 2))
    const { body } = await get(charts, { ids: websiteId })
    expect(body.data[websiteId].values).toHaveLength(16)
    expect(body.data[websiteId]).toMatchObject({ total: 2 })
  })

  it('accept dates, and have a value where clocks go back across midnight', async () => {
    const websiteId = await websiteWith(...rows)
    const dates = { ids: websiteId, startDate: '2025-10-25', endDate: '2025-10-25' }
    expect((await get(charts, dates)).body.data[websiteId].values).toHaveLength(2)
    const night = Date.UTC(2006, 9, 29, 2, 30)
    const named = { ids: websiteId, startAt: night, endAt: night + hour / 2, timezone: 'America/St_Johns' }
    expect((await get(charts, named)).body.data[websiteId].values.length).toBeGreaterThan(0)
  })

  it('omit websites that the caller may not see, whether or not they exist', async () => {
    const [owner, stranger] = [await newPerson(), await newPerson()]
    const [own, others, open] = [await websiteOf({ userId: owner.id }), await websiteOf(), await websiteOf()]
    const named = { ids: [own, others, open, id(1)].join(','), startAt: autumn, endAt: autumn + hour }
    const seenBy = async (headers: Readonly<Record<string, string>>) => {
      const { status, body } = await send(pathOf(charts, named), { headers })
      expect(status).toBe(200)
      return Object.keys(body.data)
    }
    const share = await newShare(open, { overview: true })
    const closed = await newShare(open, { events: true })
    expect(await seenBy(owner.headers)).toStrictEqual([own])
    expect(await seenBy(stranger.headers)).toStrictEqual([])
    expect(await seenBy(share.headers)).toStrictEqual([open])
    expect(await seenBy(closed.headers)).toStrictEqual([])
    expect(await seenBy(operator)).toStrictEqual([own, others, open])
    for (const headers of [{}, bearer('wrong')]) {
      expect((await send(pathOf(charts, named), { headers })).status).toBe(401)
    }
  })

  it.each([
    ['ids', {}],
    ['ids', { ids: '' }],
    ['ids', { ids: 'x' }],
    ['ids', { ids: `${id(1)},` }],
    ['ids', { ids: Array.from({ length: 21 }, (_, index) => id(index)).join(',') }],
    ['ids', { ids: `${id(1)},`.repeat(90) }],
    ['endAt', { ids: id(1), startAt: 0, endAt: 9_999_999_999_999 }],
  ])('refuse an invalid %s: %o', async (parameter, query) => {
    refused(await get(charts, query), parameter)
  })
})

const emptied = (some: IngestRow[]): IngestRow[] =>
  some.map((row) => ({ ...row, created_at: '2000-01-01 00:00:00.000' }))

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { FIELD_COLUMNS } from '../oracle/conditions.ts'
import { operator } from '../support/callers.ts'
import { inTurn } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { reports, takes } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { askExample, store } from '../support/sides.ts'
import { columnTime } from '../support/website.ts'
import { type Reply, running, send } from '../support/weir.ts'

/** Tests that a list's pages together form the list, without duplicate or missing rows, each with the count. */

type Row = Readonly<Record<string, unknown>>

/** `npm test` checks a different third of the lists in each run. */
const taking = (...names: string[]) =>
  inTurn(
    reports.filter((report) => takes(report, ...names)),
    seed,
    3,
  )

const paged = taking('page', 'pageSize')
const sliced = taking('limit', 'offset')

const websites = new Map<AnyReport, string>()

/** The text columns of events by which reports group. Some examples request one event name or one session. */
const texts = Object.values(FIELD_COLUMNS).filter((name) => name !== 'event_name' && name !== 'distinct_id')

/** A copy of a row in a separate session. From the second copy on, texts and values differ. */
function copy(row: Row, place: number, ids: ReadonlyMap<unknown, string>): Row {
  const at = Date.parse(`${row.created_at}Z`.replace(' ', 'T')) + place * 10
  const isEvent = 'event_id' in row
  const varied = Object.fromEntries(texts.map((name) => [name, `${row[name] ?? 'x'}${place < 2 ? '' : place}`]))
  const values = row['properties.string_value'] as string[] | undefined
  const keys = row['properties.key'] as string[]
  return {
    ...row,
    ...(isEvent && { ...varied, event_id: randomUUID() }),
    ...(values && {
      'properties.string_value': values.map((value, index) => (keys[index] === 'plan' ? `${value}${place}` : value)),
    }),
    ...(row.session_id !== undefined && { session_id: ids.get(row.session_id) ?? row.session_id }),
    ...(row.visit_id !== undefined && { visit_id: ids.get(row.visit_id) ?? row.visit_id }),
    created_at: columnTime(at),
  }
}

beforeAll(async () => {
  await Promise.all(
    [...paged, ...sliced].map(async (report) => {
      const websiteId = await websiteOf()
      websites.set(report, websiteId)
      const events: readonly Row[] = report.example.events
      const calls: readonly Row[] = report.example.calls ?? []
      const all = [...events, ...calls].flatMap(({ session_id, visit_id }) => [session_id, visit_id])
      // Several copies share one session, so that lists of a single session's actions have several rows.
      const isOfOne = report.path.includes(':sessionId')
      const copies = [0, 1, 2, 3, 4].map((place) => {
        const ids = new Map(isOfOne ? [] : [...new Set(all)].map((id) => [id, randomUUID()]))
        const copied = (row: Row) => copy(row, place, ids)
        return { events: events.map(copied), calls: calls.map(copied) }
      })
      await store(websiteId, ...copies)
    }),
  )
})

const ask = (report: AnyReport, query: Readonly<Record<string, string>>): Promise<Reply> =>
  askExample(report, websites.get(report)!, { query })

function next({ headers }: Reply): string | undefined {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  return url?.slice(running.url.length)
}

describe('a list’s pages', () => {
  it.each(paged.map((report) => [report.name, report] as const))(
    'contain all of its rows in order, both by page number and by link: %s',
    async (_, report) => {
      const { body: whole } = await ask(report, { pageSize: '100' })
      expect(whole.data.length).toBeGreaterThan(2)
      expect(whole.count).toBe(whole.data.length)
      const pages = Math.ceil(whole.count / 2)
      const byNumber: unknown[] = []
      for (let page = 1; page <= pages; page++) {
        const { body } = await ask(report, { page: String(page), pageSize: '2' })
        expect(body).toMatchObject({ count: whole.count, page, pageSize: 2 })
        byNumber.push(...body.data)
      }
      expect(byNumber).toEqual(whole.data)
      const byLink: unknown[] = []
      let reply: Reply | undefined = await ask(report, { pageSize: '2' })
      while (reply) {
        expect(reply.body.count).toBe(whole.count)
        byLink.push(...reply.body.data)
        const path = next(reply)
        reply = path === undefined ? undefined : await send(path, { headers: operator })
      }
      expect(byLink).toEqual(whole.data)
      const after = await ask(report, { page: String(pages + 1), pageSize: '2' })
      expect(after.body).toMatchObject({ data: [], count: whole.count })
      expect(next(after)).toBeUndefined()
    },
  )

  it.each(paged.map((report) => [report.name, report] as const))(
    'report whether `maxResults` cuts off rows: %s',
    async (_, report) => {
      const { body: whole } = await ask(report, { pageSize: '100' })
      const cut = await ask(report, { pageSize: '100', maxResults: '2' })
      expect(cut.body).toMatchObject({ data: whole.data.slice(0, 2), count: 2, isCapped: true })
      const uncut = await ask(report, { pageSize: '100', maxResults: String(whole.count) })
      expect(uncut.body).toEqual(whole)
      expect(whole).not.toHaveProperty('isCapped')
    },
  )
})

describe('a list’s slices', () => {
  it.each(sliced.map((report) => [report.name, report] as const))(
    'contain all of its rows in order, and each has the total count: %s',
    async (name, report) => {
      const whole = await ask(report, {})
      expect(whole.body.length, `${name} lists one row: give its \`example\` events that differ.`).toBeGreaterThan(1)
      const total = whole.headers.get('x-total-count')
      if (total !== null) expect(total).toBe(String(whole.body.length))
      const rows: unknown[] = []
      for (const offset of whole.body.keys()) {
        const one = await ask(report, { limit: '1', offset: String(offset) })
        expect([one.body.length, one.headers.get('x-total-count')]).toEqual([1, total])
        rows.push(...one.body)
      }
      expect(rows).toEqual(whole.body)
      expect((await ask(report, { limit: '2', offset: '1' })).body).toEqual(whole.body.slice(1, 3))
      const after = await ask(report, { limit: '1', offset: String(whole.body.length) })
      expect([after.body, after.headers.get('x-total-count')]).toEqual([[], total])
    },
  )
})

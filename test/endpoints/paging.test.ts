import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newestFirst } from '../oracle/paging.ts'
import { pairs } from '../support/concurrently.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { once } from '../support/once.ts'
import { eventName, listReports, pagedReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { add, columnTime, day, websiteWith } from '../support/website.ts'
import { get, type Reply, running, send } from '../support/weir.ts'

/** Tests paging links with filters, and with rows that arrive meanwhile. test/rules/paging.test.ts tests all lists. */

const key = { authorization: `Bearer ${running.adminKey}` }

/** Ids that ClickHouse orders differently from their texts. */
const row = (place: number, milliseconds: number): IngestRow =>
  event(
    {
      event_id: `${((place * 7919) % 65_536).toString(16).padStart(8, '0')}-0000-4000-${place % 2 ? '8' : '7'}000-${String(place).padStart(12, '0')}`,
      event_name: eventName,
      created_at: columnTime(1_760_529_600_000 + milliseconds),
    },
    [string('plan', String(place))],
  )

/** 45 events within three milliseconds. */
const rows = Array.from({ length: 45 }, (_, place) => row(place, place % 3))
const inOrder = newestFirst(rows).map((one) => one.event_id)

const shown = ({ body }: Reply): string[] =>
  (body.data as { id?: string; eventId?: string }[]).map((one) => one.id ?? one.eventId!)

const next = ({ headers }: Reply): string | undefined => {
  const link = headers.get('link')
  if (link === null) return undefined
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  expect(url?.startsWith(`${running.url}/api/websites/`)).toBe(true)
  return url!.slice(running.url.length)
}

const ask = (websiteId: string, report: AnyReport, query: Record<string, string | number> = {}): Promise<Reply> =>
  get(pathTo(report, { websiteId }, query))

/** This page and all later pages, read by following links. Calls `between` before each further page. */
async function follow(first: Reply, between: (step: number) => Promise<void> = async () => {}): Promise<Reply[]> {
  const replies = [first]
  for (let path = next(first); path !== undefined; path = next(replies.at(-1)!)) {
    await between(replies.length)
    replies.push(await send(path, { headers: key }))
    expect(replies.at(-1)).toMatchObject({ status: 200 })
  }
  return replies
}

const envelope = ({ body }: Reply): object => {
  const { data: _, ...rest } = body
  return rest
}

const websiteId = await websiteWith(...rows)

const someReports = inTurn(pagedReports, seed, 3)

describe.each(someReports)('$name', (report) => {
  it('can be followed from any page, even with a different page size', async () => {
    const replies = await follow(await ask(websiteId, report, { page: 2, pageSize: 10 }))
    expect(replies.flatMap(shown)).toStrictEqual(inOrder.slice(10))
    const resized = next(await ask(websiteId, report, { pageSize: 10 }))!.replace('pageSize=10', 'pageSize=35')
    expect(shown(await send(resized, { headers: key }))).toStrictEqual(inOrder.slice(10))
  })
})

it.each(someReports)(
  'links return each row exactly once while events arrive, even in the same millisecond: $name',
  async (report) => {
    const growing = await websiteWith(...rows)
    let place = 100
    const arrive = async (): Promise<void> => {
      const moments = [-1000, -1, 0, 1, 2, 3, 1000]
      await add(growing, ...moments.map((milliseconds) => row(place++, milliseconds)))
    }
    const first = await ask(growing, report, { pageSize: runs(8, 4) })
    const replies = await follow(first, (step) => (step <= runs(2, 12) ? arrive() : Promise.resolve()))
    const seen = replies.flatMap(shown)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((one) => inOrder.includes(one))).toStrictEqual(inOrder)
    expect(seen.length).toBeGreaterThan(inOrder.length)
  },
)

it('each large page over a long range starts where the previous one ended', async () => {
  // Pages of a thousand are first read from the last part of the range, which contains all of these events.
  const many = Array.from({ length: 2500 }, (_, place) => row(place, place))
  const range = { ...day, startAt: day.startAt - 100 * 86_400_000, pageSize: 1000 }
  const first = await get(`/api/websites/${await websiteWith(...many)}/events`, range)
  const replies = await follow(first)
  expect(replies.map((reply) => shown(reply).length)).toStrictEqual([1000, 1000, 500])
  expect(replies.flatMap(shown)).toStrictEqual(newestFirst(many).map((one) => one.event_id))
})

/** Events with the same id and time, which a client sends by mistake. Some of them are identical. */
describe('events that share an id and a time', () => {
  const at = (place: number, id: number): IngestRow =>
    event(
      {
        event_id: rows[id]!.event_id,
        event_name: eventName,
        url_path: `/${place % 7}`,
        created_at: columnTime(1_760_529_600_000),
      },
      [string('plan', String(place % 7))],
    )
  const twins = Array.from({ length: 23 }, (_, place) => at(place, [0, 1, 1, 1, 2][place % 5]!))
  const data = (reply: Reply): string[] => (reply.body.data as object[]).map((one) => JSON.stringify(one))
  let twinsId: string
  beforeAll(async () => {
    twinsId = await websiteWith(...twins)
  })

  it.each(someReports)('are all on one page of $name', async (report) => {
    const all = data(await ask(twinsId, report, { pageSize: 100 }))
    expect(all).toHaveLength(twins.length)
    expect(new Set(all).size).toBeGreaterThan(twins.length / 2)
    expect(new Set(all).size).toBeLessThan(twins.length)
  })

  const sizes = isLong ? [1, 2, 3, 5, 8, 13, 22] : [5]

  it.each(pairs(someReports, sizes).map(([report, size]) => ({ name: report.name, report, size })))(
    'are returned as often as they are stored, with $size per page: $name',
    async ({ size: pageSize, report }) => {
      const all = data(await ask(twinsId, report, { pageSize: 100 }))
      const followed = await follow(await ask(twinsId, report, { pageSize }))
      expect(followed.flatMap(data).sort()).toStrictEqual(all.sort())
      for (const days of [0, 100]) {
        const asked = { pageSize, startAt: day.startAt - days * 86_400_000 }
        const pages = await Promise.all(followed.map((_, index) => ask(twinsId, report, { ...asked, page: index + 1 })))
        expect(pages.flatMap(data)).toStrictEqual(followed.flatMap(data))
        if (days === 0) expect(followed.map(envelope)).toStrictEqual(pages.map(envelope))
      }
    },
  )
})

const wide = Array.from({ length: 600 }, (_, index) => index)

/** One event with 600 properties, which is 600 rows in each list except the one of a property's values. */
const ofKeys = once(() =>
  websiteWith(
    event(
      {},
      wide.map((index) => string(`key ${index}`, 'value')),
    ),
  ),
)
const ofValues = once(() =>
  websiteWith(...wide.map((index) => event({ event_id: id(index) }, [string('plan', `value ${index}`)]))),
)

it.each(listReports)('$name returns 500 rows, and the total in a header', async (report) => {
  const wideId = await (report.path.endsWith('values') ? ofValues() : ofKeys())
  const slice = async (query: Record<string, number>): Promise<[rows: unknown[], total: string | null]> => {
    const { body, headers } = await ask(wideId, report, query)
    return [body, headers.get('x-total-count')]
  }
  const [whole] = await slice({ limit: 10_000 })
  expect(new Set(whole.map((one) => JSON.stringify(one))).size).toBe(600)
  expect(await slice({})).toStrictEqual([whole.slice(0, 500), '600'])
  for (const offset of [600, 1_000_000_000]) expect(await slice({ offset })).toStrictEqual([[], '600'])
  const { body, headers } = await ask(await websiteWith(), report)
  expect([body, headers.get('x-total-count'), headers.get('link')]).toStrictEqual([[], '0', null])
})

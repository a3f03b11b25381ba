import { describe, expect, it } from 'vitest'
import { event, id, number, string, view } from '../oracle/fixtures.ts'
import { newShare, operator } from '../support/callers.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, type Reply, read, send } from '../support/weir.ts'

const by = (session: number, visit: number) => ({ session_id: id(100 + session), visit_id: id(200 + visit) })
const at = (time: string) => ({ created_at: `2025-10-15 ${time}.000` })
const sold = (revenue: string, currency = 'EUR') => [number('revenue', revenue), string('currency', currency)]

/**
 * Ada buys in euros on her first visit, then returns. Bob buys in both currencies. Cy only views. Dan bought the day
 * before. Eve's web vitals are not actions.
 */
const rows = [
  view('10:00:00', { ...by(1, 1), event_id: id(1), city: 'Berlin' }),
  event({ ...by(1, 1), ...at('10:01:00'), event_id: id(2), event_name: 'buy', distinct_id: 'ada' }, sold('5', 'eur')),
  view('12:00:00', { ...by(1, 11), event_id: id(3), browser: 'safari' }),
  event({ ...by(2, 2), ...at('11:00:00'), event_id: id(4), event_name: 'buy', browser: 'chrome' }, sold('0')),
  event({ ...by(2, 2), ...at('11:30:00'), event_id: id(5), event_name: 'refund' }, sold('-1', 'USD')),
  view('13:00:00', { ...by(3, 3), event_id: id(6) }),
  event({ ...by(4, 4), event_id: id(7), event_name: 'buy', created_at: '2025-10-14 10:00:00.000' }, sold('7')),
  view('09:00:00', { ...by(4, 4), event_id: id(8) }),
  event({ ...by(5, 5), event_id: id(9), event_type: 5, event_name: '' }, sold('1')),
]

const websiteId = await websiteWith(...rows)

const ask = (query: object = {}, headers: Readonly<Record<string, string>> = operator): Promise<Reply> =>
  send(pathOf(`/api/websites/${websiteId}/revenue/sessions`, { ...day, currency: 'EUR', ...query }), { headers })

const shown = ({ body }: Reply): [number, string[]] => [body.count, body.data.map((one: { id: string }) => one.id)]
const [ada, bob] = [id(101), id(102)]

describe('sessions with a sale', () => {
  it('are returned as in the list of sessions, with the same order and figures', async () => {
    const all = (await read(websiteId, 'sessions', day)).body
    const { body } = await ask()
    expect([body.count, body.page, body.pageSize]).toStrictEqual([2, 1, 20])
    expect(body.data).toStrictEqual(all.data.filter((one: { id: string }) => [ada, bob].includes(one.id)))
    expect(body.data).toMatchObject([
      { id: ada, distinctId: 'ada', visits: 2, views: 2, events: 1, lastAt: '2025-10-15T12:00:00Z' },
      { id: bob, distinctId: null, visits: 1, views: 0, events: 2, lastAt: '2025-10-15T11:30:00Z' },
    ])
  })

  it('need one within the range and in this currency, given in upper or lower case', async () => {
    expect(shown(await ask({ currency: 'usd' }))).toStrictEqual([1, [bob]])
    expect(shown(await ask({ currency: 'GBP' }))).toStrictEqual([0, []])
    expect(shown(await ask({ startAt: day.startAt - 86_400_000 }))).toStrictEqual([3, [ada, bob, id(104)]])
  })

  it('can be searched by any action, but through a share not by distinct ids', async () => {
    for (const search of ['BERL', 'Ada', 'safari']) expect(shown(await ask({ search }))).toStrictEqual([1, [ada]])
    const { headers } = await newShare(websiteId, { revenue: true })
    expect((await ask({}, headers)).body.data.map((one: { distinctId: null }) => one.distinctId)).toStrictEqual([
      null,
      null,
    ])
    expect(shown(await ask({ search: 'ada' }, headers))).toStrictEqual([0, []])
    expect(shown(await ask({ search: 'berlin' }, headers))).toStrictEqual([1, [ada]])
    expect((await ask({}, (await newShare(websiteId, { sessions: true })).headers)).status).toBe(403)
  })
})

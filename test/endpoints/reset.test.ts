import { describe, expect, it } from 'vitest'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { forbidden, post } from '../support/callers.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { eventName } from '../support/reports.ts'
import { add, columnTime, newId } from '../support/website.ts'
import { newWebsite, pathOf, read as readReport, running, send } from '../support/weir.ts'

const operator = { authorization: `Bearer ${running.adminKey}` }

/** Resets a website; the moment, in milliseconds since 1970. */
async function reset(websiteId: string): Promise<number> {
  const reply = await post(`/api/websites/${websiteId}/reset`, undefined)
  expect([reply.status, reply.body]).toStrictEqual([200, { ok: true }])
  return Date.parse((await send(`/api/websites/${websiteId}`, { headers: operator })).body.resetAt)
}

/** An event at this moment, of a session and a visit of its own, told apart by its property. */
const at = (moment: number, number: number, change: Partial<IngestRow> = {}): IngestRow =>
  event(
    {
      event_id: id(number),
      session_id: id(100 + number),
      visit_id: id(200 + number),
      created_at: columnTime(moment),
      event_name: eventName,
      browser: `browser ${number}`,
      ...change,
    },
    [string('plan', `plan ${number}`), string(`only ${number}`, 'x')],
  )

type Query = Record<string, string | number>

describe.concurrent('a reset', () => {
  it('hides the properties of an event by its id', async () => {
    const websiteId = await newWebsite()
    const moment = await reset(websiteId)
    await add(websiteId, at(moment - 1, 1), at(moment, 2))
    expect((await readReport(websiteId, `event-data/${id(1)}`)).body).toStrictEqual([])
    expect((await readReport(websiteId, `event-data/${id(2)}`)).body).toHaveLength(2)
  })

  it('takes effect at once, for earlier events', async () => {
    const websiteId = await newWebsite()
    const now = Date.now()
    await add(websiteId, at(now - 60_000, 1), at(now + 3_600_000, 2))
    const range = { startAt: now - 86_400_000, endAt: now + 86_400_000 }
    const count = async () => (await readReport(websiteId, 'events', range)).body.count
    expect(await count()).toBe(2)
    await reset(websiteId)
    expect(await count()).toBe(1)
  })

  it('hides events in the compared period', async () => {
    const websiteId = await newWebsite()
    const moment = await reset(websiteId)
    await add(websiteId, at(moment - 1, 1), at(moment, 2), at(moment + 10, 3))
    const compared = async (startAt: number, endAt: number) =>
      (await readReport(websiteId, 'events/stats', { startAt, endAt, compare: 'prev' })).body.data.comparison.events
    // The period before is [moment − 5, moment + 4], and wholly before the reset [moment − 20, moment − 11].
    expect(await compared(moment + 5, moment + 14)).toBe(1)
    expect(await compared(moment - 10, moment - 1)).toBe(0)
  })

  it('hides events from filters that read other events: bounces and properties', async () => {
    const websiteId = await newWebsite()
    const moment = await reset(websiteId)
    const visit = { visit_id: id(900), session_id: id(901), event_type: 1, event_name: '' }
    await add(websiteId, at(moment - 1, 1, visit), at(moment, 2, visit))
    const total = async (query: Query) => {
      const range = { startAt: moment - 1000, endAt: moment + 1000 }
      return (await readReport(websiteId, 'events', { ...range, ...query })).body.count
    }
    expect(await total({})).toBe(1)
    expect(await total({ excludeBounce: 'true' })).toBe(0)
    expect(await total({ epf0: '1.eq.plan.plan 1' })).toBe(0)
    expect(await total({ epf0: '1.eq.plan.plan 2' })).toBe(1)
    await add(websiteId, at(moment + 1, 3, visit))
    expect(await total({ excludeBounce: 'true' })).toBe(2)
  })

  it('hides events from every page, by number and by cursor', async () => {
    const websiteId = await newWebsite()
    const moment = await reset(websiteId)
    await add(websiteId, ...[-2, -1, 0, 1, 2].map((offset) => at(moment + offset, 10 + offset)))
    const range = { startAt: moment - 1000, endAt: moment + 1000, pageSize: 2 }
    const first = await readReport(websiteId, 'events', range)
    expect(first.body).toMatchObject({ count: 3, data: [{ id: id(12) }, { id: id(11) }] })
    const cursor = /[?&]cursor=([\w-]+)>/.exec(first.headers.get('link') ?? '')?.[1]
    for (const place of [{ page: 2 }, { cursor: cursor! }]) {
      const next = await readReport(websiteId, 'events', { ...range, ...place })
      expect(next.body).toMatchObject({ count: 3, data: [{ id: id(10) }] })
      expect(next.headers.get('link')).toBe(null)
    }
  })

  it('hides events from a cohort’s search for sessions', async () => {
    const websiteId = await newWebsite()
    const moment = await reset(websiteId)
    const [before, after] = [{ session_id: id(801) }, { session_id: id(802) }]
    await add(
      websiteId,
      at(moment - 1, 1, { ...before, event_name: 'sign up' }),
      at(moment, 2, { ...after, event_name: 'sign up' }),
      at(moment + 1, 3, before),
      at(moment + 1, 4, after),
    )
    const dateRange = `range:${moment - 60_000}:${moment + 60_000}`
    const made = await post(`/api/websites/${websiteId}/segments`, {
      name: 'Signed up',
      type: 'cohort',
      parameters: { action: { type: 'event', value: 'sign up' }, dateRange },
    })
    expect(made.body).not.toHaveProperty('error')
    const range = { startAt: moment - 1000, endAt: moment + 1000, cohort: made.body.id }
    const { body } = await readReport(websiteId, 'events', range)
    expect(body.data.map((one: { id: string }) => one.id)).toStrictEqual([id(4), id(2)])
  })

  it('is of one website, is never undone, and changes nothing else', async () => {
    const [one, other] = [await newWebsite(), await newWebsite()]
    const before = (await send(`/api/websites/${one}`, { headers: operator })).body
    const first = await reset(one)
    const second = await reset(one)
    expect(second).toBeGreaterThanOrEqual(first)
    const after = (await send(`/api/websites/${one}`, { headers: operator })).body
    const { resetAt, updatedAt } = after
    expect(resetAt).toBe(new Date(second).toISOString())
    expect(after).toStrictEqual({ ...before, resetAt, updatedAt })
    expect((await send(`/api/websites/${other}`, { headers: operator })).body.resetAt).toBe(null)
    const ahead = await websiteOf({}, { reset_at: 9_000_000_000_000 })
    expect(await reset(ahead)).toBe(9_000_000_000_000)
  })

  it('needs the right to change the website', async () => {
    const [owner, outsider] = [await newPerson(), await newPerson()]
    const websiteId = await websiteOf({ userId: owner.id })
    const path = `/api/websites/${websiteId}/reset`
    for (const headers of [outsider.headers, await keyOf(owner, { access: 'read' })]) {
      failed(await post(path, undefined, headers), forbidden)
    }
    failed(await post(`/api/websites/${newId()}/reset`, undefined), forbidden)
    expect((await send(`/api/websites/${websiteId}`, { headers: owner.headers })).body.resetAt).toBe(null)
    expect((await post(path, undefined, await keyOf(owner, { websiteIds: [websiteId] }))).status).toBe(200)
    expect((await send(pathOf(path), { method: 'GET', headers: owner.headers })).status).toBe(405)
  })
})

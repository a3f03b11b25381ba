import { describe, expect, it } from 'vitest'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { post } from '../support/callers.ts'
import { websiteOf } from '../support/people.ts'
import { eventName } from '../support/reports.ts'
import { add, columnTime } from '../support/website.ts'
import { newWebsite, read as readReport, running, send } from '../support/weir.ts'

const operator = { authorization: `Bearer ${running.adminKey}` }

/** Resets a website. Returns the time of the reset, in milliseconds since 1970. */
async function reset(websiteId: string): Promise<number> {
  const reply = await post(`/api/websites/${websiteId}/reset`, undefined)
  expect([reply.status, reply.body]).toStrictEqual([200, { ok: true }])
  return Date.parse((await send(`/api/websites/${websiteId}`, { headers: operator })).body.resetAt)
}

/** An event at this time, with its own session and visit, identifiable by its property. */
const at = (moment: number, number: number, change: Partial<IngestRow> = {}): IngestRow =>
  event(
    {
      ...{ event_id: id(number), session_id: id(100 + number), visit_id: id(200 + number) },
      ...{ created_at: columnTime(moment), event_name: eventName },
      browser: `browser ${number}`,
      ...change,
    },
    [string('plan', `plan ${number}`), string(`only ${number}`, 'x')],
  )

describe.concurrent('a reset', () => {
  it('hides earlier events immediately', async () => {
    const websiteId = await newWebsite()
    const now = Date.now()
    await add(websiteId, at(now - 60_000, 1), at(now + 3_600_000, 2))
    const range = { startAt: now - 86_400_000, endAt: now + 86_400_000 }
    const count = async () => (await readReport(websiteId, 'events', range)).body.count
    expect(await count()).toBe(2)
    await reset(websiteId)
    expect(await count()).toBe(1)
  })

  it('affects only one website, cannot be undone, and changes nothing else', async () => {
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
})

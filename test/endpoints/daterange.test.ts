import { createClient } from '@clickhouse/client-web'
import { describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { compile } from '../../src/query/language/sql.ts'
import { event, id } from '../oracle/fixtures.ts'
import { newShare } from '../support/callers.ts'
import { websiteOf } from '../support/people.ts'
import { planOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running, send } from '../support/weir.ts'

const { timeout: _, ...server } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
const client = createClient(server)

const at = (moment: number, change: object = {}) =>
  event({ event_id: id(moment % 1000), created_at: columnTime(moment), event_type: 1, event_name: '', ...change })

const first = Date.UTC(2024, 1, 29, 23, 59, 59, 999)
const last = Date.UTC(2025, 9, 15, 4, 5, 6, 7)
const iso = (moment: number) => new Date(moment).toISOString()

const path = (websiteId: string) => `/api/websites/${websiteId}/daterange`

describe.concurrent('a website’s range of dates', () => {
  it('extends from its first to its last event of any kind, to the millisecond', async () => {
    const websiteId = await websiteOf()
    await add(websiteId, at(first, { event_type: 5 }), at(first + 1), at(last - 1), at(last, { event_type: 2 }))
    const { status, body } = await get(path(websiteId))
    expect([status, body]).toStrictEqual([200, { startDate: iso(first), endDate: iso(last) }])
  })

  it('is null without events', async () => {
    expect((await get(path(await websiteOf()))).body).toStrictEqual({ startDate: null, endDate: null })
  })

  it('has the same start and end if there is only one event', async () => {
    const websiteId = await websiteOf()
    await add(websiteId, at(last))
    expect((await get(path(websiteId))).body).toStrictEqual({ startDate: iso(last), endDate: iso(last) })
  })

  it('extends to earlier and later events, and is correct after a reset within a day', async () => {
    const websiteId = await websiteOf()
    const ask = async () => (await get(path(websiteId))).body
    const noon = Date.UTC(2025, 5, 10, 12)
    const [hour, day] = [3_600_000, 86_400_000]
    await add(websiteId, at(noon), at(noon + 9 * day))
    expect(await ask()).toStrictEqual({ startDate: iso(noon), endDate: iso(noon + 9 * day) })
    await add(websiteId, at(noon - 1), at(noon + 9 * day + 1))
    expect(await ask()).toStrictEqual({ startDate: iso(noon - 1), endDate: iso(noon + 9 * day + 1) })
    await add(websiteId, at(noon - 5 * day), at(noon + 20 * day))
    expect(await ask()).toStrictEqual({ startDate: iso(noon - 5 * day), endDate: iso(noon + 20 * day) })

    const resetAt = async (moment: number) => {
      const other = await websiteOf({}, { reset_at: moment })
      await add(other, at(noon), at(noon + hour), at(noon + day))
      return (await get(path(other))).body
    }
    const end = iso(noon + day)
    expect(await resetAt(noon + 1)).toStrictEqual({ startDate: iso(noon + hour), endDate: end })
    expect(await resetAt(noon + hour + 1)).toStrictEqual({ startDate: end, endDate: end })
    expect(await resetAt(noon + day)).toStrictEqual({ startDate: end, endDate: end })
    expect(await resetAt(noon + day + 1)).toStrictEqual({ startDate: null, endDate: null })
  })

  it('ignores days whose events have been deleted', async () => {
    const websiteId = await websiteOf()
    await add(websiteId, at(first), at(last))
    const gone = [first - 5 * 86_400_000, last + 5 * 86_400_000].map((moment) => columnTime(moment).slice(0, 10))
    await client.command({
      query: `INSERT INTO daily_shapes SELECT '${websiteId}', toDate32(arrayJoin(['${gone.join("','")}'])), 1, '', '', 0`,
    })
    for (let time = 0; time < 2; time++) {
      expect((await get(path(websiteId))).body).toStrictEqual({ startDate: iso(first), endDate: iso(last) })
    }
  })

  it('covers only the events that a share shows, whichever of its sections is open', async () => {
    const websiteId = await websiteOf()
    await add(websiteId, at(first, { browser: 'safari' }), at(last, { browser: 'chrome' }))
    const filters = { browser: 'chrome' }
    for (const section of ['events', 'retention']) {
      const { headers } = await newShare(websiteId, { [section]: true, filters })
      const { body, headers: answered } = await send(path(websiteId), { headers })
      expect(body).toStrictEqual({ startDate: iso(last), endDate: iso(last) })
      // The tables' names would reveal the locked filters.
      expect(answered.get('x-source')).toBe(null)
    }
    const closed = await newShare(websiteId, {})
    expect((await send(path(websiteId), { headers: closed.headers })).status).toBe(403)
  })

  it('is read in key order, stopping at the first and at the last event', async () => {
    const report = reports.find((one) => one.name === 'getWebsiteDateRange')!
    const { query, query_params } = compile(planOf({ report, websiteId: id(0), query: [] }).ends!.body)
    const result = await client.query({
      query: `EXPLAIN actions = 1 ${query}`,
      query_params,
      format: 'TabSeparatedRaw',
    })
    const types = [...(await result.text()).matchAll(/Read type: (\w+)/g)].map(([, type]) => type)
    expect(types.sort()).toEqual(['InOrder', 'InReverseOrder'])
  })
})

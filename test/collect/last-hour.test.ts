import { describe, expect, it } from 'vitest'
import { api } from '../../src/app.ts'
import { LastHour } from '../../src/collect/last-hour.ts'
import { metadata } from '../support/metadata.ts'
import { newWebsite, running } from '../support/weir.ts'

/** Tests `GET /api/websites/:websiteId/collection`: the counts of a website's events in the last hour, by result. */

const minute = 60_000

it('the endpoint is a 404 on a server that does not collect events', async () => {
  const website = await newWebsite()
  const env = { METADATA: metadata, CLICKHOUSE_URL: running.clickhouse }
  const headers = { authorization: `Bearer ${running.adminKey}` }
  expect((await api().request(`http://weir/api/websites/${website}/collection`, { headers }, env)).status).toBe(404)
})

describe('the counts', () => {
  const start = Date.UTC(2026, 4, 10, 12, 0)

  it('cover the last 60 minutes, and include the start of that period', () => {
    const hour = new LastHour(start + 500)
    hour.add('a', 'stored', start + 1000)
    hour.add('a', 'stored', start + 30 * minute)
    hour.add('a', 'refused.url', start + 30 * minute)
    expect(hour.of('a', start + 59 * minute)).toEqual({
      since: start + 500,
      counts: [
        ['stored', 2],
        ['refused.url', 1],
      ],
    })
    expect(hour.of('a', start + 60 * minute)).toEqual({
      since: start + minute,
      counts: [
        ['stored', 1],
        ['refused.url', 1],
      ],
    })
    expect(hour.of('a', start + 90 * minute)).toEqual({ since: start + 31 * minute, counts: [] })
  })

  it('cover at most a thousand websites: those with the newest events', () => {
    const hour = new LastHour(start)
    for (let website = 0; website < 1000; website++) hour.add(String(website), 'stored', start)
    hour.add('0', 'stored', start)
    hour.add('new', 'stored', start)
    expect(['0', '1', '2', 'new'].map((one) => hour.of(one, start).counts.length)).toEqual([1, 0, 1, 1])
  })
})

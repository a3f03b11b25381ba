import { describe, expect, it } from 'vitest'
import { event, id, string } from '../oracle/fixtures.ts'
import { forbidden, newShare } from '../support/callers.ts'
import { failed, refused } from '../support/refusals.ts'
import { columnTime, day, websiteWith } from '../support/website.ts'
import { get, pathOf, send } from '../support/weir.ts'

const minute = 60_000
const start = day.startAt

const named = (number: number, name: string, at: number) =>
  event({ event_id: id(number), event_name: name, distinct_id: `person ${number}`, created_at: columnTime(at) }, [
    string('plan', name),
  ])

const websiteId = await websiteWith(named(1, 'buy', start), named(2, 'play', start + minute), named(3, 'view', start))

const ask = (report: string, minutes: number, more: object = {}) =>
  get(`/api/websites/${websiteId}/${report}`, {
    ...{ startAt: start, endAt: start + minutes * minute - 1, unit: 'minute', ...more },
  } as Record<string, string | number>)

describe('a series', () => {
  it('has at most 50,000 buckets', async () => {
    expect((await ask('pageviews', 50_000)).status).toBe(200)
    refused(await ask('pageviews', 50_001), 'unit')
    refused(await ask('events/series', 50_001), 'unit')
  })

  it('can be searched by event name, ignoring case, and limited to the first few names', async () => {
    const namesOf = async (more: object) => (await ask('events/series', 60, more)).body.map(({ x }: { x: string }) => x)
    expect(await namesOf({})).toEqual(['buy', 'view', 'play'])
    expect(await namesOf({ search: 'Y' })).toEqual(['buy', 'play'])
    expect(await namesOf({ search: 'w' })).toEqual(['view'])
    expect(await namesOf({ search: 'y', limit: 1 })).toEqual(['buy'])
    expect(await namesOf({ search: "'" })).toEqual([])
  })

  it('has at most 50,000 rows, including filled ones', async () => {
    const filled = { fill: 'true' }
    expect((await ask('events/series', 16_000, filled)).body).toHaveLength(48_000)
    refused(await ask('events/series', 17_000, filled), 'unit')
    const property = { eventName: 'buy', propertyName: 'plan', ...filled }
    expect((await ask('event-data-pivot/property-series', 50_000, property)).body).toHaveLength(50_000)
  })

  it.each(['europe/berlin', 'PST', 'utc', 'Asia/Kolkata', 'US/Pacific'])('accepts the zone %s', async (timezone) => {
    for (const unit of ['hour', 'day']) {
      expect((await ask('pageviews', 60, { timezone, unit })).status).toBe(200)
      expect((await ask('events/series', 60, { timezone, unit })).status).toBe(200)
    }
    expect((await ask('chart', 60, { timezone })).status).toBe(200)
  })

  it('has days that begin at midnight, even in a summer time of one week', async () => {
    const [startAt, endAt] = [Date.parse('2000-10-05T04:00:00Z'), Date.parse('2000-10-18T03:59:59.999Z')]
    const query = { startAt, endAt, unit: 'day', timezone: 'America/Boa_Vista', fill: 'true' }
    const { pageviews } = (await get(`/api/websites/${websiteId}/pageviews`, query)).body
    // Clocks skip midnight on 8 October, and are set back at the end of 14 October.
    const hours = [4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 4, 4, 4]
    const starts = hours.map((hours, place) => new Date(Date.UTC(2000, 9, 5 + place, hours)).toISOString())
    expect(pageviews.map(({ x }: { x: string }) => new Date(x).toISOString())).toEqual(starts)
  })

  it('rejects a time zone that only the runtime supports', async () => {
    for (const report of ['pageviews', 'events/series', 'chart']) {
      refused(await ask(report, 60, { timezone: 'SystemV/PST8' }), 'timezone')
    }
  })
})

describe('distinct ids', () => {
  it.each(['values', 'metrics', 'metrics/expanded'])('do not appear in %s through a share', async (report) => {
    const { headers } = await newShare(websiteId, { overview: true, compare: true, sessions: true, utm: true })
    const path = (type: string) => pathOf(`/api/websites/${websiteId}/${report}`, { ...day, type })
    failed(await send(path('distinctId'), { headers }), forbidden)
    expect((await send(path('browser'), { headers })).status).toBe(200)
  })
})

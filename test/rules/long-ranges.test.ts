import { describe, expect, it } from 'vitest'
import { sweepByHour } from '../support/by-hour.ts'
import { runs } from '../support/long.ts'
import { newWebsite, read } from '../support/weir.ts'

sweepByHour(Number(process.env.QUESTIONS ?? runs(1, 400)))

const hour = 3_600_000
const startAt = Date.UTC(2025, 2, 3, 4)
const long = { startAt, endAt: startAt + 30 * 24 * hour - 1 }

describe('the table that answers', () => {
  it.each([
    ['metrics', { ...long, type: 'referrer' }, 'hourly_visits'],
    ['metrics', { ...long, type: 'channel' }, 'hourly_visits'],
    ['metrics', { ...long, type: 'path' }, 'events'],
    ['metrics', { ...long, type: 'channel', path: '/a' }, 'events'],
    ['stats', long, 'hourly_visits'],
    ['metrics', { ...long, endAt: startAt + 11 * hour - 1, type: 'channel' }, 'events'],
    ['metrics', { ...long, endAt: startAt + 12 * hour - 1, type: 'channel' }, 'hourly_visits'],
    // The same statement also reads the preceding range.
    ['stats', { ...long, endAt: startAt + 5 * hour - 1 }, 'events'],
    ['stats', { ...long, endAt: startAt + 6 * hour - 1 }, 'hourly_visits'],
    ['stats', { ...long, endAt: startAt + 6.5 * hour - 1 }, 'events'],
    // A range with partial hours must have at least 28 days, or 7 for sessions.
    ['stats', { ...long, endAt: startAt + 27 * 24 * hour }, 'events'],
    ['stats', { ...long, endAt: long.endAt + 1 }, 'hourly_visits, events'],
    ['sessions/stats', { ...long, endAt: long.endAt + 1 }, 'hourly_visits, events'],
    ['pageviews', { ...long, unit: 'day', timezone: 'Europe/Berlin' }, 'hourly_visits'],
    ['pageviews', { ...long, unit: 'hour', timezone: 'Europe/Berlin' }, 'hourly_visits'],
    ['pageviews', { ...long, unit: 'minute' }, 'events'],
    ['pageviews', { ...long, unit: 'day', timezone: 'Asia/Kathmandu' }, 'events'],
    ['sessions/weekly', { ...long, timezone: 'America/New_York' }, 'hourly_visits'],
    ['sessions/weekly', { ...long, timezone: 'Asia/Kathmandu' }, 'events'],
    ['retention', { ...long, timezone: 'America/New_York' }, 'hourly_visits'],
    ['retention', { ...long, timezone: 'Asia/Kathmandu' }, 'events'],
  ])('%s with %j', async (report, query, expected) => {
    const { headers } = await read(await newWebsite(), report, query)
    expect(headers.get('x-source')).toBe(expected)
  })
})

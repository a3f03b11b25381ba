import { expect, it } from 'vitest'
import { readAddress } from '../../src/pages/dashboard/address/address.ts'
import { periodOf } from '../../src/pages/dashboard/address/period.ts'
import { around, notesIn } from '../../src/pages/dashboard/chart/notes.ts'

const note = (date: string, allDay: boolean) => ({
  ...{ id: date, websiteId: 'w', userId: null, date, allDay, note: 'n', createdAt: date, updatedAt: date },
})

it('notes on whole days appear on their UTC date in every time zone, and others at their time', () => {
  const all = [
    note('2026-11-02T00:00:00.000Z', true),
    note('2026-11-02T09:00:00.000Z', false),
    note('2026-11-03T09:00:00.000Z', false),
    note('2026-11-04T00:00:00.000Z', true),
  ]
  const placed = (zone: string) => {
    const address = readAddress(`?period=custom&from=2026-11-02&to=2026-11-03&zone=${zone}`)
    const period = periodOf(address, undefined, Date.parse('2026-11-20T00:00:00Z'))
    expect(around(period)).toEqual({ startDate: '2026-11-01', endDate: '2026-11-04', timezone: 'UTC' })
    return notesIn(period, all).map(({ day, at }) => `${day} ${new Date(at).toISOString().slice(0, 13)}`)
  }
  expect(placed('Pacific/Honolulu')).toEqual(['2026-11-02 2026-11-02T10', '2026-11-02 2026-11-03T09'])
  expect(placed('Asia/Tokyo')).toEqual([
    ...['2026-11-02 2026-11-01T15', '2026-11-02 2026-11-02T09', '2026-11-03 2026-11-03T09'],
  ])
})

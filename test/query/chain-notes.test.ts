import { describe, expect, it } from 'vitest'
import { compile, type Statement } from '../../src/query/language/sql.ts'
import { notedDays, notesWithin } from '../../src/query/tables/chain-notes.ts'
import { inputOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { newId } from '../support/website.ts'

const [hour, day] = [3_600_000, 86_400_000]
const [one, two] = [`1${' 0'.repeat(22)} 4`, `${'0 '.repeat(23)}2`]

/** Notes of the days 10, 11 (without actions) and 12. */
const all = {
  ...{ days: [10, 11, 12], seals: [7, 8, 9], began: [100, 100, 300], done: [200, 200, 400], changed: [1, 0, 4] },
  ...{ shards: [1, 1, 1], views: [5, 0, 2], customs: [2, 0, 0] },
  ...{ viewsByHour: `${one};;${two}`, customsByHour: `${two};;${'0 '.repeat(23)}0` },
  ...{ isHere: 1, hasOtherHours: 0, hasOtherValues: 0 },
}
const [startAt, endAt] = [10 * day, 13 * day - 1]

describe('notes', () => {
  it('of a range are those of its days, and of its hours', () => {
    expect(notesWithin(all, { startAt, endAt })).toEqual({
      ...{ isHere: 1, hasOtherHours: 0, hasOtherValues: 0, holds: true, changed: 5, seals: [7, 9] },
      ...{ weighed: `${7 * 100 + 2 * 144}`, views: 7, customs: 2, dayViews: 7, dayCustoms: 2 },
      ...{ sealSum: '16', sealSumOfViews: '16' },
    })
    const cut = { startAt: startAt + hour, endAt: endAt - hour }
    expect(notesWithin(all, cut)).toMatchObject({ views: 4, customs: 2, dayViews: 7, dayCustoms: 2 })
    const withoutViews = { ...all, views: [0, 0, 2] }
    expect(notesWithin(withoutViews, { startAt, endAt })).toMatchObject({ sealSum: '16', sealSumOfViews: '9' })
    const last = { startAt: 12 * day, endAt }
    expect(notesWithin(all, last)).toMatchObject({ seals: [9], changed: 4, views: 2, weighed: `${2 * 144}` })
  })

  it('hold if each day was sealed after the days before it, and all of them by one shard', () => {
    const holds = (changed: Partial<typeof all>) => notesWithin({ ...all, ...changed }, { startAt, endAt }).holds
    expect(holds({ done: [200, 999, 400] })).toBe(true)
    expect(holds({ done: [301, 200, 400] })).toBe(false)
    expect(holds({ began: [300, 100, 300], done: [400, 200, 400] })).toBe(true)
    expect(holds({ shards: [1, 2, 1] })).toBe(true)
    expect(holds({ shards: [1, 1, 2] })).toBe(false)
  })

  it('of many ranges are read at once', () => {
    const scope = { ...wholeWebsite('website'), closedBefore: 1000 * day }
    const daysFrom = (startAt: number) => (1000 * day - notedDays({ startAt, endAt: 0 }, scope).startAt) / day
    expect([1000, 990, 936, 935, 872, 871, 0].map((start) => daysFrom(start * day))).toEqual([
      ...[64, 64, 64, 128, 128, 256, 1000],
    ])
  })
})

describe('a filtered question about visits', () => {
  const [closedBefore, websiteId, report] = [20_000 * day, newId(), reportOf({ endpoint: 'stats' })]
  const yesterday = { ...all, days: [19_998, 19_999], seals: [7, 8], began: [1, 1], done: [2, 2], shards: [1, 1] }
  const noted = { ...yesterday, changed: [127, 127], views: [149_998, 1], customs: [0, 0] }
  const [filter, ended] = [{ browser: 'chrome' }, { end: closedBefore }]
  const small = { notes: noted, ...ended, days: 90, ...filter, isSmall: true }

  it.each([
    small,
    { ...small, browser: 'neq.chrome' },
    { ...small, days: 89, isSmall: false },
    { ...small, browser: '', isSmall: false },
    { ...small, notes: { ...noted, views: [149_999, 1] }, isSmall: false },
    // The latest day is not sealed, or not any more, or one was sealed before the days before it.
    { ...small, notes: { ...noted, days: [19_997, 19_998] }, isSmall: false },
    { ...small, notes: { ...noted, views: [1, 0] }, isSmall: false },
    { ...small, notes: { ...noted, began: [1, 0] }, isSmall: false },
  ])(
    'groups all visits of small websites over $days days, $browser, $notes.views',
    ({ notes, days, end, browser, isSmall }) => {
      const query = Object.entries({ startAt: `${end - days * day}`, endAt: `${end - 1}`, ...(browser && { browser }) })
      const scope = { ...wholeWebsite(websiteId), closedBefore }
      const plan = report.plan(inputOf({ report, websiteId, query }) as never, scope)
      const { cheaper } = plan.current as Statement<unknown>
      const made = cheaper!.given!.cheaper({ rows: [notes as never], total: 1 })
      const isGrouped =
        made && !made.triedAs && !compile(made.statement.body).query.includes('reinterpretAsUInt32(visit_id)')
      expect(isGrouped ?? false).toBe(isSmall)
    },
  )
})

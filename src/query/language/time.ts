import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'

/** Formats milliseconds since 1970 as ISO 8601 in UTC, to the second, such as `2025-10-15T16:26:28Z`. */
export const isoSecond = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -5)}Z`

/** The UTC month in the format of ClickHouse's `toYYYYMM`, such as 202501 for January 2025. */
export function yearAndMonth(milliseconds: number): number {
  const date = new Date(milliseconds)
  return 100 * date.getUTCFullYear() + date.getUTCMonth() + 1
}

const wholeSteps =
  (step: number) =>
  ({ startAt, endAt }: Period): Period => ({
    startAt: Math.ceil(startAt / step) * step,
    endAt: Math.floor((endAt + 1) / step) * step - 1,
  })

/** The whole UTC hours of a period. If it contains none, the result ends before it starts. */
export const wholeHours = wholeSteps(hourLength)

/** The whole UTC days of a period. If it contains none, the result ends before it starts. */
export const wholeDays = wholeSteps(dayLength)

/** The whole UTC months of a period. If it contains none, the result ends before it starts. */
export function wholeMonths({ startAt, endAt }: Period): Period {
  const isWhole = startAt === startOfMonth(startAt, 0)
  return { startAt: startOfMonth(startAt, isWhole ? 0 : 1), endAt: startOfMonth(endAt + 1, 0) - 1 }
}

function startOfMonth(milliseconds: number, later: number): number {
  const date = new Date(milliseconds)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
}

export const millisecondsIn = ({ startAt, endAt }: Period): number => endAt + 1 - startAt

/** Whether ClickHouse usually plans a statement over the period for longer than it reads. */
export const isShort = (period: Period): boolean => millisecondsIn(period) <= 31 * dayLength

/** The number of months in a period of whole months. */
export const monthsIn = ({ startAt, endAt }: Period): number => monthNumber(endAt + 1) - monthNumber(startAt)

function monthNumber(milliseconds: number): number {
  const date = new Date(milliseconds)
  return 12 * date.getUTCFullYear() + date.getUTCMonth()
}

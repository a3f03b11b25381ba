import type { SourceRow } from '../source.ts'
import { columnTime, instantOf } from '../texts.ts'

/** The text of a column; `null` becomes an empty text. */
export const textIn = (row: SourceRow, name: string): string => (row[name] ?? '').toWellFormed()

/** Milliseconds since 1970; null unless the time is in the years 0 to 9999. */
export function timeIn(row: SourceRow, name: string): number | null {
  const time = columnTime(row[name])
  const instant = time === undefined ? Number.NaN : instantOf(time)
  return Number.isNaN(instant) ? null : instant
}

/** The times when the row was created and changed. */
export function stamps(row: SourceRow, now: number): { readonly created_at: number; readonly updated_at: number } {
  const created_at = timeIn(row, 'created_at') ?? now
  return { created_at, updated_at: timeIn(row, 'updated_at') ?? created_at }
}

/** The object in a JSON column, which is text before version 2.19. Undefined for anything else. */
export function objectIn(row: SourceRow, name: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(row[name] ?? '{}')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object's fields with these names. */
export const picked = (from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (from[name] == null ? [] : [[name, from[name]]])))

/** Whether the object has fields other than these. */
export const hasOthers = (from: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  Object.keys(from).some((name) => !names.includes(name) && from[name] !== null)

/** Whether a PostgreSQL boolean is true. */
export const isTrue = (row: SourceRow, name: string): boolean => row[name] === 't'

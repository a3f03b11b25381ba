import { type Field, type FieldCondition, isField, type TextOperator } from './conditions.ts'
import { firstMillisecond, lastMillisecond, localDay, mondayOf, movedDay } from './instants.ts'
import { type IngestRow, isAction } from './model.ts'
import type { Range } from './selection.ts'

/**
 * A filter in a segment or cohort. With `eq` and `neq`, a string is a comma-separated list, as in the API. An array
 * contains literal texts.
 */
export type SavedFilter = { name: string; operator: TextOperator; value: string | string[] }

/** A website's saved segments and cohorts. */
export type Saved = { id: string; type: 'segment' | 'cohort'; parameters: SavedParameters }

export type SavedParameters = {
  filters?: SavedFilter[]
  match?: 'all' | 'any'
  dateRange?: string
  action?: { type: 'path' | 'event'; value: string }
}

/** The conditions in saved filters. The second `browser` gets the key `browser1`, and the third one `browser2`. */
export function savedConditions({ filters = [] }: SavedParameters): FieldCondition[] {
  const seen = new Map<string, number>()
  return filters.map(({ name, operator, value }) => {
    const earlier = seen.get(name) ?? 0
    seen.set(name, earlier + 1)
    return { key: earlier === 0 ? name : name + earlier, field: savedField(name), operator, operand: value }
  })
}

function savedField(name: string): Field {
  const field = name.replace(/\d+$/, '')
  if (!isField(field)) throw new Error(`Oracle: no such field: ${name}`)
  return field
}

/** Whether the event, a view or a custom event, is exactly the cohort's action. */
export function isActionOf({ action }: SavedParameters, row: IngestRow): boolean {
  if (action === undefined) throw new Error('Oracle: the cohort has no action')
  return isAction(row) && action.value === (action.type === 'path' ? row.url_path : row.event_name)
}

/**
 * The range for a cohort's action: `range:<start>:<end>`, `all`, or `<n><unit>`. The last form is the whole current
 * calendar unit in the time zone, and the n units before it. Weeks begin on Monday.
 */
export function savedRange({ dateRange = '' }: SavedParameters, now: number, timezone: string): Range {
  if (dateRange === 'all') return { start: -Infinity, end: Infinity }
  const range = /^range:(\d+):(\d+)$/.exec(dateRange)
  if (range !== null) return { start: Number(range[1]), end: Number(range[2]) }
  const units = /^(\d+)(day|week|month|year)$/.exec(dateRange)
  if (units === null) throw new Error(`Oracle: not a range of dates: ${dateRange}`)
  const [first, last] = daysOf(units[2]!, Number(units[1]), localDay(now, timezone))
  return { start: firstMillisecond(first, timezone), end: lastMillisecond(last, timezone) }
}

/** The first and last day, as `YYYY-MM-DD`. */
function daysOf(unit: string, count: number, today: string): [string, string] {
  const [year = '', month = ''] = today.split('-')
  if (unit === 'day') return [movedDay(today, -count), today]
  if (unit === 'week') {
    const monday = mondayOf(today)
    return [movedDay(monday, -7 * count), movedDay(monday, 6)]
  }
  if (unit === 'year') return [`${Number(year) - count}-01-01`, `${year}-12-31`]
  const months = Number(year) * 12 + Number(month) - 1
  return [firstOfMonth(months - count), movedDay(firstOfMonth(months + 1), -1)]
}

function firstOfMonth(months: number): string {
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

import type { Field } from '../../request/fields.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, union } from '../language/sql.ts'
import { chooseTable } from './choose.ts'
import { fewRows, isAction, isCustomEvent, isView, outside, rows } from './rows.ts'
import { type CountKind, customEvents, events } from './tables.ts'

/**
 * A range in two parts: rows of `hourly_visits` for its whole hours, and events for its ends, if it has any. A visit
 * may have rows in both, so readers group the rows by visit.
 */
export interface VisitParts {
  /** `from … where …` for rows of `hourly_visits`. */
  readonly hours: Rows
  /** `from … where …` for rows of events. */
  readonly ends: Rows | undefined
}

/** Creates SQL for a part. The selection may have fewer filters than the one for which the parts were created. */
type Rows = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]) => Fragment

/** A visit's rows by hour. `events` is the number of views (or 0), and `customs` the number of custom events. */
const visitRow = sql`kind = 1`

/**
 * The rows of both parts. `only` is a condition whose column is not read before the others, because that would take
 * longer here.
 */
const kinds = {
  views: { inHours: visitRow, only: sql`events > 0`, plain: events, inEvents: isView },
  visits: { inHours: visitRow, only: undefined, plain: events, inEvents: isAction },
  'custom events': { inHours: sql`kind = 2`, only: undefined, plain: customEvents, inEvents: isCustomEvent },
  actions: { inHours: sql`kind in (1, 2)`, only: undefined, plain: events, inEvents: isAction },
} as const

/**
 * Splits the range; undefined if the events must be read for all of it. `read` lists fields whose columns the reader
 * needs.
 */
export function visitParts(
  kind: keyof typeof kinds,
  selection: Selection,
  counted: Extract<CountKind, 'sessions' | 'visits' | 'visits of custom events'>,
  read: readonly Field[] = [],
): VisitParts | undefined {
  const choice = chooseTable(counted, selection, read)
  if (!choice) return undefined
  const { inHours, only, plain, inEvents } = kinds[kind]
  const { table, whole, hasEnds } = choice
  return {
    hours(of, ...conditions) {
      const selection = { ...of, period: whole }
      return only
        ? fewRows(table, selection, inHours, [only, ...conditions])
        : rows(table, selection, [inHours, ...conditions])
    },
    ends: hasEnds ? (of, ...conditions) => rows(plain, of, [inEvents, outside(whole), ...conditions]) : undefined,
  }
}

/** A subquery of both parts, with a `select` for each. `hours` and `ends` are lists of equal columns. */
export const ofParts = (
  parts: VisitParts,
  columns: Readonly<Record<'hours' | 'ends', Fragment>>,
  selection: Selection,
  ...conditions: readonly (Fragment | undefined)[]
): Fragment =>
  union([
    sql`select ${columns.hours} ${parts.hours(selection, ...conditions)}`,
    ...(parts.ends ? [sql`select ${columns.ends} ${parts.ends(selection, ...conditions)}`] : []),
  ])

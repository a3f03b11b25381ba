import type { Field } from '../../request/fields.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, union } from '../language/sql.ts'
import { chooseTable } from './choose.ts'
import { isAction, isCustomEvent, isView, outside, rows } from './rows.ts'
import { type CountKind, customEvents, events } from './tables.ts'

/**
 * A range in two parts: rows of `hourly_visits` for its whole hours, and events for its ends, if it has any. A visit
 * may have rows in both, so readers group the rows by visit.
 */
export interface VisitParts {
  /** `from … where …`: rows of `hourly_visits`. */
  readonly hours: Rows
  /** `from … where …`: rows of events. */
  readonly ends: Rows | undefined
}

/** The selection may have fewer filters than the one that the parts were chosen for. */
type Rows = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]) => Fragment

const kinds = {
  views: { inHours: sql`kind = 1`, plain: events, inEvents: isView },
  'custom events': { inHours: sql`kind = 2`, plain: customEvents, inEvents: isCustomEvent },
  actions: { inHours: sql`kind in (1, 2)`, plain: events, inEvents: isAction },
} as const

/**
 * Splits the range; undefined if the events have to answer all of it. `read` names fields whose columns the reader
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
  const { inHours, plain, inEvents } = kinds[kind]
  const { table, whole, hasEnds } = choice
  return {
    hours: (of, ...conditions) => rows(table, { ...of, period: whole }, [inHours, ...conditions]),
    ends: hasEnds ? (of, ...conditions) => rows(plain, of, [inEvents, outside(whole), ...conditions]) : undefined,
  }
}

/** A subquery of both parts, from a `select` of each: `hours` and `ends` are lists of equal columns. */
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

import type { Field } from '../request/fields.ts'
import { chooseTable } from './choose.ts'
import { isAction, isCustomEvent, isView, outside, rows } from './rows.ts'
import type { Selection } from './scope.ts'
import { type Fragment, sql } from './sql.ts'
import { type CountKind, customEvents, events } from './tables.ts'

/**
 * A range in two parts: rows of `daily_visits` for its whole days, and events for its ends. A visit may have rows in
 * both, so readers group the rows by visit.
 */
export interface VisitParts {
  /** `from … where …`: rows of `daily_visits`. */
  readonly days: Rows
  /** `from … where …`: rows of events. */
  readonly ends: Rows
}

/** The selection may have fewer filters than the one that the parts were chosen for. */
type Rows = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]) => Fragment

const kinds = {
  views: { inDays: sql`kind = 1`, plain: events, inEvents: isView },
  'custom events': { inDays: sql`kind = 2`, plain: customEvents, inEvents: isCustomEvent },
  actions: { inDays: sql`kind in (1, 2)`, plain: events, inEvents: isAction },
} as const

/**
 * Splits the range; undefined if the events have to answer all of it. `read` names fields whose columns the reader
 * needs.
 */
export function visitParts(
  kind: keyof typeof kinds,
  selection: Selection,
  counted: Extract<CountKind, 'sessions' | 'visits'>,
  read: readonly Field[] = [],
): VisitParts | undefined {
  const choice = chooseTable(counted, selection, read)
  if (!choice) return undefined
  const { inDays, plain, inEvents } = kinds[kind]
  const { table, whole } = choice
  return {
    days: (of, ...conditions) => rows(table, { ...of, period: whole }, [inDays, ...conditions]),
    ends: (of, ...conditions) => rows(plain, of, [inEvents, outside(whole), ...conditions]),
  }
}

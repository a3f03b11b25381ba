import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, text } from '../language/sql.ts'
import { isCustomEvent, isView } from '../tables/rows.ts'
import { selectedCustomEvents, selectedViews } from '../tables/views.ts'

/** A part of a report: views of a path, or custom events with a name. */
export interface Step {
  readonly type: 'path' | 'event'
  readonly value: string
}

const wildcard = '*'

/** A `*` at the start or end of the value matches any text. Every other character matches itself. */
function literalIn(value: string) {
  const isOpenBefore = value.startsWith(wildcard)
  const isOpenAfter = value.endsWith(wildcard)
  const literal = value.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  // Made well-formed, as it is when it is sent, so that strings compare here as they do in ClickHouse.
  return { isOpenBefore, isOpenAfter, literal: literal.toWellFormed() }
}

/** Whether a text matches the value. */
export function matches(column: Fragment, value: string): Fragment {
  const { isOpenBefore, isOpenAfter, literal } = literalIn(value)
  if (!isOpenBefore && !isOpenAfter) return sql`${column} = ${text(literal)}`
  if (literal === '') return sql`true`
  if (!isOpenAfter) return sql`endsWith(${column}, ${text(literal)})`
  return isOpenBefore ? sql`position(${column}, ${text(literal)}) > 0` : sql`startsWith(${column}, ${text(literal)})`
}

/** Whether every event that matches the step `inner` is certain to match the step `outer`. */
export function isWithin(inner: Step, outer: Step): boolean {
  if (inner.type !== outer.type) return false
  const [one, other] = [literalIn(inner.value), literalIn(outer.value)]
  if (other.isOpenBefore) return other.isOpenAfter && other.literal === ''
  if (one.isOpenBefore) return false
  return other.isOpenAfter ? one.literal.startsWith(other.literal) : !one.isOpenAfter && one.literal === other.literal
}

/** Whether it is certain that no event matches both steps. */
export function areApart(one: Step, other: Step): boolean {
  if (one.type !== other.type) return true
  const isOpenBefore = [one, other].some(({ value }) => literalIn(value).isOpenBefore)
  return !isOpenBefore && !isWithin(one, other) && !isWithin(other, one)
}

/** Whether an event of the step's kind has the step's path or name. */
export const valueMatch = ({ type, value }: Step): Fragment =>
  matches(type === 'path' ? sql`url_path` : sql`event_name`, value)

/** Whether an event is of the step's kind and has the step's path or name. */
export const stepMatch = (step: Step): Fragment => all(step.type === 'path' ? isView : isCustomEvent, valueMatch(step))

/** `from … where …` for the selected events of the step's kind that have its path or name. */
export const eventsOfStep = (selection: Selection, step: Step): Fragment =>
  (step.type === 'path' ? selectedViews : selectedCustomEvents)(selection, valueMatch(step))

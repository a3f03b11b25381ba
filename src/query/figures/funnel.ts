import type { FunnelStep, StepFilter } from '../../request/funnel.ts'
import type { Selection } from '../language/scope.ts'
import { alias, all, type Fragment, milliseconds, sql, text, uint8 } from '../language/sql.ts'
import { contains } from '../language/text.ts'
import { isCustomEvent, rows } from '../tables/rows.ts'
import { customEvents } from '../tables/tables.ts'
import { selectedActions, unfiltered } from '../tables/views.ts'
import { areApart, isWithin, stepMatch, valueMatch } from './wildcards.ts'

/**
 * A subquery with `reached`, the number of steps that a session reaches, for each session that reaches any. Each
 * matching event is encoded as a number, its `moment`: the time, followed by the matched steps in the last eight bits.
 * Events are sorted by these numbers. For each step, there is an array with one entry per event: its time if a chain
 * that reaches this step can end with it, otherwise 0. An event other than the end itself continues a chain in two
 * cases: the last end before it is close enough in time, or the next end after it has the same millisecond.
 */
export function reachedSteps(selection: Selection, steps: readonly FunnelStep[], window: number): Fragment {
  const moments = sql`(
    select if(bitTest(met, 1), arraySort(moments), []) as moments
    from (
      select groupBitOr(moment) as met, groupArray(moment) as moments
      from (select session_id, ${momentOf(selection, steps)} as moment ${selectedActions(selection)})
      where bitAnd(moment, 255) != 0
      group by session_id
      having bitTest(met, 0)
    )
  )`
  const [first, ...further] = steps.map((_, index) => endsOf(index))
  const mayTurn = !areInOrder(steps)
  const chains = further.reduce(
    (before, ends, index) => sql`(
      select moments, ${nextEnds(endsOf(index), index + 1, window, mayTurn)} as ${ends}, ${reachedBefore(index)} as ${reachedOf(index + 1)}
      from ${before}
    )`,
    sql`(
      select moments, arrayMap(moment -> ${timeIf(sql`bitTest(moment, 0)`)}, moments) as ${first!}, 1 as ${reachedOf(0)}
      from ${moments}
    )`,
  )
  return sql`(select ${reachedBefore(further.length)} as reached from ${chains})`
}

/**
 * Whether sorting by number also sorts events of the same millisecond in the order in which they continue chains. This
 * is the case if an event that matches two steps matches consecutive ones, and so does every event of the later step.
 * No end then comes after an event that it precedes, and events with equal numbers are ends together.
 */
const areInOrder = (steps: readonly FunnelStep[]): boolean =>
  steps.every(({ filters = [], ...one }, index) => {
    const [next, ...later] = steps.slice(index + 1)
    const isInOrder = !next || areApart(one, next) || (filters.length === 0 && isWithin(next, one))
    return isInOrder && later.every((other) => areApart(one, other))
  })

const endsOf = (index: number): Fragment => alias(`ends${index}`)
const reachedOf = (index: number): Fragment => alias(`reached${index}`)

/**
 * The number of steps reached so far, plus one if any chain reaches one more step. Every session here reaches the first
 * step.
 */
const reachedBefore = (index: number): Fragment =>
  index === 0 ? reachedOf(0) : sql`${reachedOf(index)} + arrayExists(ends -> ends != 0, ${endsOf(index)})`

const timeIf = (condition: Fragment): Fragment => sql`if(${condition}, bitShiftRight(moment, 8), 0)`

/**
 * The events with which chains with one more step can end. `mayTurn`: an end may come after the event that it precedes.
 */
function nextEnds(ends: Fragment, step: number, window: number, mayTurn: boolean): Fragment {
  const isNear = sql`before != 0 and bitShiftRight(moment, 8) - before <= ${milliseconds(window)}`
  const isEnd = (follows: Fragment) => timeIf(sql`bitTest(moment, ${uint8(step)}) and (${follows})`)
  const before = sql`arrayFill(time -> time != 0, arrayShiftRight(${ends}, 1))`
  if (!mayTurn) return sql`arrayMap((moment, before) -> ${isEnd(isNear)}, moments, ${before})`
  return sql`arrayMap(
    (moment, before, after) -> ${isEnd(sql`${isNear} or after = bitShiftRight(moment, 8)`)},
    moments,
    ${before},
    arrayReverseFill(time -> time != 0, arrayShiftLeft(${ends}, 1)))`
}

/** Times are counted from 1 at the start of the range, because 0 means that there is no time. */
function momentOf(selection: Selection, steps: readonly FunnelStep[]): Fragment {
  const time = sql`toUInt64(toUnixTimestamp64Milli(created_at) - ${milliseconds(selection.period.startAt)} + 1)`
  const bitsOf = (type: FunnelStep['type']) =>
    steps.reduce(
      (sum, step, index) =>
        step.type === type ? sql`${sum} + if(${isOfStep(selection, step)}, ${uint8(2 ** index)}, 0)` : sum,
      sql`0`,
    )
  // An action is a custom event or a view.
  return sql`bitShiftLeft(${time}, 8) + if(${isCustomEvent}, ${bitsOf('event')}, ${bitsOf('path')})`
}

/** Whether an action of the step's kind matches the step. */
function isOfStep(selection: Selection, step: FunnelStep): Fragment {
  const { filters = [] } = step
  const match = valueMatch(step)
  if (filters.length === 0) return match
  const holding = rows(customEvents, unfiltered(selection), [stepMatch(step), ...filters.map(someProperty)])
  return all(match, sql`event_id global in (select event_id ${holding})`)
}

/** Whether at least one of the event's properties with this name passes. Others with the same name need not pass. */
function someProperty({ property, operator, value }: StepFilter): Fragment {
  const passes = {
    eq: sql`value = ${text(value)}`,
    neq: sql`value != ${text(value)}`,
    c: contains(sql`value`, value),
    dnc: sql`not ${contains(sql`value`, value)}`,
  }[operator]
  return sql`arrayExists((key, value) -> key = ${text(property)} and ${passes}, properties.key, properties.value)`
}

import type { FunnelStep, StepFilter } from '../request/funnel.ts'
import { rows } from './rows.ts'
import type { Selection } from './scope.ts'
import { alias, all, any, type Fragment, milliseconds, sql, text, uint8 } from './sql.ts'
import { customEvents } from './tables.ts'
import { contains } from './text.ts'
import { selectedActions, unfiltered } from './views.ts'
import { stepMatch } from './wildcards.ts'

/**
 * How many steps each session reaches, as a subquery of `reached`; sessions that reach none are left out. Each of the
 * session's matching events is a number, its `moment`: the time, and in the last eight bits the steps that it matches.
 *
 * The events of a session stand in order of time, those of one millisecond in any order. Step by step we know the
 * events that a chain can end with, as their times, and 0 for all other events. An event that matches the next step
 * follows one of these in two cases. The last one before it in the order is close enough; an earlier one would not be
 * closer. Or the next one after it is of the same millisecond. Neither is the event itself.
 */
export function reachedSteps(selection: Selection, steps: readonly FunnelStep[], window: number): Fragment {
  const moments = sql`(
    select if(bitTest(met, 1), arraySort(moments), []) as moments
    from (
      select groupBitOr(moment) as met, groupArrayIf(moment, bitAnd(moment, 255) != 0) as moments
      from (select session_id, ${momentOf(selection, steps)} as moment ${eventsOfNames(selection, steps)})
      group by session_id
      having bitTest(met, 0)
    )
  )`
  const [first, ...further] = steps.map((_, index) => endsOf(index))
  const chains = further.reduce(
    (before, ends, index) => sql`(
      select moments, ${nextEnds(endsOf(index), index + 1, window)} as ${ends}, ${reachedBefore(index)} as ${reachedOf(index + 1)}
      from ${before}
    )`,
    sql`(
      select moments, arrayMap(moment -> ${timeIf(sql`bitTest(moment, 0)`)}, moments) as ${first!}, 1 as ${reachedOf(0)}
      from ${moments}
    )`,
  )
  return sql`(select ${reachedBefore(further.length)} as reached from ${chains})`
}

const endsOf = (index: number): Fragment => alias(`ends${index}`)
const reachedOf = (index: number): Fragment => alias(`reached${index}`)

/** The steps reached, with this one: a chain of one step more ends somewhere. The first step is reached by all. */
const reachedBefore = (index: number): Fragment =>
  index === 0 ? reachedOf(0) : sql`${reachedOf(index)} + arrayExists(ends -> ends != 0, ${endsOf(index)})`

const timeIf = (condition: Fragment): Fragment => sql`if(${condition}, bitShiftRight(moment, 8), 0)`

/** The events that chains with one step more can end with. */
function nextEnds(ends: Fragment, step: number, window: number): Fragment {
  const follows = sql`(before != 0 and bitShiftRight(moment, 8) - before <= ${milliseconds(window)}
    or after = bitShiftRight(moment, 8))`
  return sql`arrayMap(
    (moment, before, after) -> ${timeIf(sql`bitTest(moment, ${uint8(step)}) and ${follows}`)},
    moments,
    arrayFill(time -> time != 0, arrayShiftRight(${ends}, 1)),
    arrayReverseFill(time -> time != 0, arrayShiftLeft(${ends}, 1)))`
}

/** Times count from 1 at the start of the range, so that none is 0. */
function momentOf(selection: Selection, steps: readonly FunnelStep[]): Fragment {
  const time = sql`toUInt64(toUnixTimestamp64Milli(created_at) - ${milliseconds(selection.period.startAt)} + 1)`
  const bits = steps.map((step, index) => sql`if(${isOfStep(selection, step)}, ${uint8(2 ** index)}, 0)`)
  return sql`bitShiftLeft(${time}, 8) + ${bits.reduce((sum, bit) => sql`${sum} + ${bit}`)}`
}

/**
 * `from …`: the events that match a step, whatever its filters. ClickHouse fails where one condition with an empty
 * subquery stands both in the columns and in `where`, so only the columns ask for the filters.
 */
const eventsOfNames = (selection: Selection, steps: readonly FunnelStep[]): Fragment =>
  selectedActions(selection, any(...steps.map(stepMatch)))

function isOfStep(selection: Selection, step: FunnelStep): Fragment {
  const { filters = [] } = step
  const match = stepMatch(step)
  if (filters.length === 0) return match
  const holding = rows(customEvents, unfiltered(selection), [match, ...filters.map(someProperty)])
  return all(match, sql`event_id global in (select event_id ${holding})`)
}

/** Whether some property of this name passes; it may have another value beside. */
function someProperty({ property, operator, value }: StepFilter): Fragment {
  const passes = {
    eq: sql`value = ${text(value)}`,
    neq: sql`value != ${text(value)}`,
    c: contains(sql`value`, value),
    dnc: sql`not ${contains(sql`value`, value)}`,
  }[operator]
  return sql`arrayExists((key, value) -> key = ${text(property)} and ${passes}, properties.key, properties.value)`
}

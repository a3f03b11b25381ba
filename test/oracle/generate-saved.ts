import * as fc from 'fast-check'
import { FIELDS, type Field, fieldText } from './conditions.ts'
import { textTests, unknownText } from './generate-operands.ts'
import { eventsOf, type Subject } from './generate-subject.ts'
import { once } from './generate-text.ts'
import type { World } from './generate-world.ts'
import { columnInstant } from './instants.ts'
import type { Saved, SavedFilter } from './saved.ts'
import { splitList } from './text.ts'

const SEGMENT_ID = '5e6a0000-0000-4000-8000-000000000001'
const COHORT_ID = 'c0807000-0000-4000-8000-000000000001'

/** The segments and cohorts for one request. There is at most one of each, and usually none. */
export function savedFor(world: World, subject: Subject): fc.Arbitrary<Saved[]> {
  return fc.tuple(rarely(segments(subject)), rarely(cohorts(world, subject))).map((groups) => groups.flat())
}

function rarely(saved: fc.Arbitrary<Saved>): fc.Arbitrary<Saved[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Saved[]>([]) },
    { weight: 1, arbitrary: saved.map((one) => [one]) },
  )
}

function segments(subject: Subject): fc.Arbitrary<Saved> {
  return fc
    .record({ filters: filters(subject, 3), match: matches }, { requiredKeys: [] })
    .map((parameters) => ({ id: SEGMENT_ID, type: 'segment', parameters: defined(parameters) }))
}

function cohorts(world: World, subject: Subject): fc.Arbitrary<Saved> {
  return fc
    .record(
      { filters: filters(subject, 2), match: matches, dateRange: dateRanges(world, subject), action: actions(subject) },
      { requiredKeys: ['dateRange', 'action'] },
    )
    .map((parameters) => ({ id: COHORT_ID, type: 'cohort', parameters: defined(parameters) }))
}

const matches = fc.constantFrom('all' as const, 'any' as const, 'any' as const)

function defined<Parameters extends object>(parameters: Parameters): Parameters {
  return JSON.parse(JSON.stringify(parameters))
}

function filters(subject: Subject, maxLength: number): fc.Arbitrary<SavedFilter[]> {
  return fc.array(filter(subject), { minLength: 0, maxLength, size: 'max' })
}

/** Few different fields, so that a segment and its request often have one in common. */
const fields = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Field>('browser', 'path', 'event', 'hostname', 'country') },
  { weight: 1, arbitrary: fc.constantFrom(...FIELDS) },
)

function filter(subject: Subject): fc.Arbitrary<SavedFilter> {
  return fc.tuple(fields, eventsOf(subject), once(6), fc.boolean()).chain(([field, row, isNumbered, isList]) =>
    textTests(row === undefined ? '' : fieldText(row, field)).map(({ operator, operand }): SavedFilter => {
      const isListed = isList && (operator === 'eq' || operator === 'neq')
      return { name: isNumbered ? `${field}1` : field, operator, value: isListed ? splitList(operand) : operand }
    }),
  )
}

function actions(subject: Subject): fc.Arbitrary<{ type: 'path' | 'event'; value: string }> {
  const types = fc.constantFrom('path' as const, 'event' as const)
  return fc
    .tuple(types, eventsOf(subject), unknownText)
    .map(([type, row, other]) => ({ type, value: (type === 'path' ? row?.url_path : row?.event_name) || other || '/' }))
}

/** Ranges that match the window, end at an event, or start long enough ago to be before, within or after the window. */
function dateRanges({ window }: World, { rows, anchor }: Subject): fc.Arbitrary<string> {
  const instants = rows.map((row) => columnInstant(row.created_at))
  const own = anchor === undefined ? window.start : columnInstant(anchor.created_at)
  const between = fc
    .tuple(fc.constantFrom(window.start, window.end, ...instants), fc.constantFrom(0, 0, -1, 1))
    .map(([edge, shift]) => `range:${Math.min(edge + shift, own)}:${Math.max(edge + shift, own)}`)
  const inUnits = fc.constantFrom('9999day', '400day', '60week', '12month', '20month', '1year', '2year', '0day')
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(`range:${window.start}:${window.end}`) },
    { weight: 3, arbitrary: between },
    { weight: 1, arbitrary: fc.constant('all') },
    { weight: 2, arbitrary: inUnits },
  )
}

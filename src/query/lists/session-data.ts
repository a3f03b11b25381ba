import { dayLength } from '../../request/time-zone.ts'
import { sessionsOfActions } from '../figures/actions.ts'
import type { Scope, SelectedEvents } from '../language/scope.ts'
import { type Fragment, sql, uint8s, union } from '../language/sql.ts'
import { matchesSearch } from '../language/text.ts'
import { millisecondsIn } from '../language/time.ts'
import {
  currentType,
  currentValue,
  distinctIdOf,
  latestDistinctId,
  numberOfText,
  saidProperties,
  textOfCurrent,
  typeOfCurrent,
} from '../tables/properties.ts'
import { isCustomEvent, says, shownCalls } from '../tables/rows.ts'
import { selectedActions } from '../tables/views.ts'
import { ofParts, visitParts } from '../tables/visit-parts.ts'

/** Session properties: the current value for each key in the identify calls. */

/** The part of a request that selects sessions. */
export interface SessionsInput extends SelectedEvents {
  /** Selects only sessions that have this property. */
  readonly propertyName?: string | undefined
}

/** A `SessionsInput` with a search, which must find an action of the session. */
export interface SearchedSessionsInput extends SessionsInput {
  readonly search: string | undefined
}

type Keys = readonly string[] | undefined

const keysOf = ({ propertyName }: SessionsInput): Keys => (propertyName === undefined ? undefined : [propertyName])

/** Returns the condition that a session has a selected action. */
const isSelected = ({ period, filters }: SessionsInput, scope: Scope): Fragment =>
  sql`session_id global in (select session_id ${sessionsOfActions({ scope, period, filters })})`

/** Returns the condition that a session has the named property; undefined if no name is given. */
function hasProperty(input: SessionsInput, scope: Scope): Fragment | undefined {
  const keys = keysOf(input)
  return keys && sql`session_id global in (select session_id ${shownCalls(scope, [says(keys)])})`
}

/** `from … where …` for the selected actions that the search finds, in sessions with the property. */
function foundActions(input: SearchedSessionsInput, scope: Scope): Fragment {
  const { period, filters, search } = input
  return selectedActions({ scope, period, filters }, hasProperty(input, scope), matchesSearch(search))
}

/** Returns conditions that a session has the property, and an action that the search finds. */
const isFound = (input: SearchedSessionsInput, scope: Scope): (Fragment | undefined)[] =>
  input.search === undefined
    ? [hasProperty(input, scope), isSelected(input, scope)]
    : [sql`session_id global in (select session_id ${foundActions(input, scope)})`]

/**
 * `from … where …` for the properties in these sessions' calls, one row per property, for these keys or for all keys.
 */
const saidBy = (scope: Scope, keys: Keys, condition: Fragment | undefined): Fragment =>
  shownCalls(scope, [keys && says(keys), condition], saidProperties(keys))

/**
 * A subquery of the current values for these keys or for all keys, with `session_id`, `data_key`, `said_at` (the time
 * of the call), `data_type` and `value`. The condition is on the session.
 */
const current = (scope: Scope, keys: Keys, condition?: Fragment): Fragment => sql`(
  select session_id, data_key, said_at, ${typeOfCurrent(sql`latest`)} as data_type, ${textOfCurrent(sql`latest`)} as value
  from (
    select session_id, said.1 as data_key, max(created_at) as said_at, ${currentValue} as latest
    ${saidBy(scope, keys, condition)}
    group by session_id, data_key
  )
)`

/** A subquery of all current properties of the selected sessions, with `data_key` and `current_type`. */
export const propertiesOfSessions = (input: SessionsInput, scope: Scope): Fragment => sql`(
  select session_id, data_key, ${currentType} as current_type
  ${shownCalls(scope, [hasProperty(input, scope), isSelected(input, scope)], sql`properties.key as data_key, properties.data_type as data_type`)}
  group by session_id, data_key
)`

/**
 * A subquery of the values of the named property or of all properties, with `session_id`, `said_at`, `data_type` and
 * `value`.
 */
export const propertyOfSessions = (input: SessionsInput, scope: Scope): Fragment =>
  current(scope, keysOf(input), isSelected(input, scope))

/** `from … where …` for those rows of `propertyOfSessions` that have these types. */
export const typedProperty = (input: SessionsInput, types: readonly number[], scope: Scope): Fragment =>
  sql`from ${propertyOfSessions(input, scope)} where data_type in ${uint8s(types)}`

/** The value of a property of type 2, as a number. */
export const numberOfProperty = sql`assumeNotNull(${numberOfText(sql`value`)})`

/** `from … where …` for the calls of the sessions that the search finds. */
export const foundCalls = (input: SearchedSessionsInput, scope: Scope): Fragment =>
  shownCalls(scope, [sql`notEmpty(properties.key)`, ...isFound(input, scope)])

/**
 * A subquery with one row for each property of some sessions, with `session_id`, `data_key`, `value`, `said_at` and
 * `said_by`, from which `latestId` takes the distinct id. Some readers must not see that id.
 */
export const saidBySessions = (sessions: Fragment, scope: Scope): Fragment => sql`(
  select session_id, data_key, said_at, said_by, ${textOfCurrent(sql`latest`)} as value
  from (
    select session_id, said.1 as data_key, max(created_at) as said_at, ${currentValue} as latest,
      ${scope.hidesDistinctIds ? sql`''` : latestDistinctId} as said_by
    ${saidBy(scope, undefined, sql`session_id global in (${sessions})`)}
    group by session_id, data_key
  )
)`

/** An aggregate over all properties of a session. It returns the greatest distinct id in the session's latest calls. */
export const latestId = distinctIdOf(sql`max(said_by)`)

/**
 * For ranges of at least this length, in milliseconds, the calls of all sessions are read, not only those with an
 * action.
 */
const lookedUpBelow = 90 * dayLength

/**
 * A subquery of the found sessions that have a value, which is in `text`, with each session's `actions`, `visits`,
 * `views` and `events`.
 */
export function activityByText(input: SearchedSessionsInput, scope: Scope): Fragment {
  // Over a long range, most sessions with a property have an action, so looking these up first would save nothing.
  const isAsked = millisecondsIn(input.period) < lookedUpBelow ? isSelected(input, scope) : undefined
  const rows = union([
    sql`
      select session_id, value as text, session_id as visit, 0 as kind, 0 as times
      from ${current(scope, keysOf(input), isAsked)}
      where data_type = 1`,
    activity(input, scope),
  ])
  return sql`(
    select session_id, max(text) as text, sum(times) as actions, uniqExactIf(visit, kind != 0) as visits,
      sumIf(times, kind = 1) as views, sumIf(times, kind = 2) as events
    from ${rows}
    group by session_id
    having text != '' and actions > 0
  )`
}

/**
 * `select …` for the actions of the sessions found, from rows of visits by hour if these can be used, otherwise from
 * events.
 */
function activity(input: SearchedSessionsInput, scope: Scope): Fragment {
  const { period, filters, search } = input
  const selection = { scope, period, filters }
  const ends = sql`session_id, '' as text, visit_id as visit, if(${isCustomEvent}, 2, 1) as kind, 1 as times`
  const parts = search === undefined ? visitParts('actions', selection, 'visits') : undefined
  if (!parts) return sql`select ${ends} ${foundActions(input, scope)}`
  const hours = sql`session_id, '' as text, visit_id as visit, kind, events as times`
  return sql`select * from ${ofParts(parts, { hours, ends }, selection, hasProperty(input, scope))}`
}

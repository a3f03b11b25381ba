import { type Cohort, type FieldFilter, type FieldFilters, type Filters, noFilters } from '../request/filters.ts'
import { always, type Period } from '../request/period.ts'
import { columns } from './columns.ts'
import { holdsProperty } from './properties.ts'
import { all, any, type Fragment, instant, smalls, sql, text, uuid } from './sql.ts'
import { customEvents, eventDataById, events } from './tables.ts'
import { patternCheck, textCondition } from './text.ts'

/** The one website whose events a statement may read. Every statement is composed from one. */
export interface Scope {
  readonly websiteId: string
  /** The website was reset at this moment, in milliseconds since 1970: nothing before it is read. */
  readonly since: number | undefined
  /** What a share or a public website is limited to: all of these have to pass beside the filters of the request. */
  readonly only: readonly Filters[]
}

/** What a statement over a range of events reads: whose, when, and which. */
export interface Selection {
  readonly scope: Scope
  readonly period: Period
  readonly filters: Filters
}

/** The website and both ends of the range, as every read of a table of events states them. */
export const within = ({ websiteId, since }: Scope, { startAt, endAt }: Period): Fragment =>
  sql`website_id = ${uuid(websiteId)} and created_at >= ${instant(begin({ since }, { startAt }))} and created_at <= ${instant(endAt)}`

/** The first moment of a period that the scope shows. */
export const begin = ({ since }: Pick<Scope, 'since'>, { startAt }: Pick<Period, 'startAt'>): number =>
  Math.max(startAt, since ?? startAt)

/** Selected rows of `events`, which holds no properties: those are looked up in `custom_events`. */
export const eventsWhere = (selection: Selection): Fragment =>
  all(within(selection.scope, selection.period), filtered(selection), propertiesElsewhere(selection))

/** Selected rows of `custom_events`, which has everything beside the event. */
export const customEventsWhere = (selection: Selection): Fragment =>
  all(within(selection.scope, selection.period), filtered(selection), ...propertiesOf(selection).map(holdsProperty))

/** Selected rows of `event_data`; only for filters on columns that it has. */
export const eventDataWhere = (selection: Selection): Fragment =>
  all(within(selection.scope, selection.period), filtered(selection))

/** Whether a filter reads the event's visit, session or properties, which no row of counts or of `event_data` carries. */
export const needsEvent = (selection: Selection): boolean =>
  every(selection).some((one) => one.excludeBounce || one.properties.length > 0 || one.cohorts.length > 0)

/** The filters of the request, and those that have to pass beside them. */
export const every = ({ filters, scope }: Selection): readonly Filters[] => [filters, ...scope.only]

const propertiesOf = (selection: Selection) => every(selection).flatMap(({ properties }) => properties)

/** The filters on columns that `events` and `custom_events` have, and on the visit and the session. */
export const filtered = (selection: Selection): Fragment | undefined =>
  optional(
    ...every(selection).flatMap((filters) => [
      ...joined(filters),
      ...filters.eventTypes.map(({ operator, values }) =>
        operator === 'eq' ? sql`event_type in ${smalls(values)}` : sql`event_type not in ${smalls(values)}`,
      ),
      filters.excludeBounce ? unbounced(selection, filters) : undefined,
      ...filters.cohorts.map((cohort) => ofCohort(selection.scope, cohort)),
    ]),
  )

/** Conditions on columns that have to hold together. */
const joined = ({ match, fields }: FieldFilters): (Fragment | undefined)[] => {
  const conditions = fields.map(fieldCondition)
  return [...(match === 'any' ? [any(...conditions)] : conditions), ...fields.map(patternCheck)]
}

const optional = (...conditions: readonly (Fragment | undefined)[]): Fragment | undefined =>
  conditions.some((condition) => condition !== undefined) ? all(...conditions) : undefined

/** `referrer` means a foreign one: the rows of the event's own hostname never pass, whatever the operator. */
function fieldCondition(filter: FieldFilter): Fragment {
  const condition = textCondition(columns[filter.field], filter)
  return filter.field === 'referrer' ? sql`(${condition} and referrer_domain != hostname)` : condition
}

/**
 * Visits with more than one page view in the period: of those that the scope shows where the request asks, of all where
 * the scope itself does. Distinct ids, so that a retried insert adds none.
 */
function unbounced({ scope, period, filters }: Selection, asking: Filters): Fragment {
  const seen = asking === filters ? scope : { ...scope, only: [] }
  return sql`visit_id global in (
    select visit_id from ${events}
    where ${eventsWhere({ scope: seen, period, filters: noFilters })} and event_type = 1
    group by visit_id having min(event_id) != max(event_id)
  )`
}

/**
 * Events of the cohort's sessions: those with an event in its period that is the action and passes its filters. What
 * the scope hides makes nobody a member.
 */
function ofCohort(scope: Scope, { period, action, match, fields }: Cohort): Fragment {
  const selection = { scope, period, filters: { ...noFilters, match, fields } }
  return sql`session_id global in (
    select session_id from ${events}
    where ${eventsWhere(selection)} and ${columns[action.field]} = ${text(action.value)}
  )`
}

const propertiesElsewhere = (selection: Selection): Fragment | undefined => {
  const properties = propertiesOf(selection)
  return properties.length === 0
    ? undefined
    : sql`event_id global in (
        select event_id from ${customEvents}
        where ${all(within(selection.scope, selection.period), ...properties.map(holdsProperty))}
      )`
}

/** The rows of one event in `event_data_by_id`, if nothing hides it from this scope. */
export const eventWhere = (scope: Scope, eventId: string): Fragment => {
  const one = sql`website_id = ${uuid(scope.websiteId)} and event_id = ${uuid(eventId)}`
  return all(
    one,
    scope.since === undefined ? undefined : sql`created_at >= ${instant(scope.since)}`,
    scope.only.length === 0
      ? undefined
      : sql`event_id global in (
          select event_id from ${customEvents}
          where ${customEventsWhere({ scope, period: always, filters: noFilters })}
            and created_at global in (select created_at from ${eventDataById} where ${one}) and event_id = ${uuid(eventId)}
        )`,
  )
}

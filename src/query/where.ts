import type { FieldFilter, Filters } from '../request/filters.ts'
import type { Period } from '../request/period.ts'
import { columns } from './columns.ts'
import { holdsProperty } from './properties.ts'
import { all, any, type Fragment, instant, smalls, sql, uuid } from './sql.ts'
import { patternCheck, textCondition } from './text.ts'

/** The one website whose events a statement may read. Every statement is composed from one. */
export interface Scope {
  readonly websiteId: string
}

/** What a statement over a range of events reads: whose, when, and which. */
export interface Selection {
  readonly scope: Scope
  readonly period: Period
  readonly filters: Filters
}

/** The website and both ends of the range, as every read of a table of events states them. */
export const within = ({ websiteId }: Scope, { startAt, endAt }: Period): Fragment =>
  sql`website_id = ${uuid(websiteId)} and created_at >= ${instant(startAt)} and created_at <= ${instant(endAt)}`

/** Selected rows of `events`, which holds no properties: those are looked up in `custom_events`. */
export const eventsWhere = (selection: Selection): Fragment =>
  all(within(selection.scope, selection.period), filtered(selection), propertiesElsewhere(selection))

/** Selected rows of `custom_events`, which has everything beside the event. */
export const customEventsWhere = (selection: Selection): Fragment =>
  all(
    within(selection.scope, selection.period),
    filtered(selection),
    ...selection.filters.properties.map(holdsProperty),
  )

/** Selected rows of `event_data`; only for filters that `needsEvent` says no of. */
export const eventDataWhere = (selection: Selection): Fragment =>
  all(within(selection.scope, selection.period), filtered(selection))

/** Whether a filter reads the event's visit or its other properties, which rows of `event_data` do not carry. */
export const needsEvent = ({ filters }: Selection): boolean => filters.excludeBounce || filters.properties.length > 0

/** The filters on columns that all three tables have, and on the visit. */
const filtered = (selection: Selection): Fragment | undefined => {
  const { fields, match, eventTypes, excludeBounce } = selection.filters
  const conditions = fields.map(fieldCondition)
  const checks = fields.map(patternCheck)
  return optional(
    match === 'any' ? any(...conditions) : undefined,
    ...(match === 'all' ? conditions : []),
    ...checks,
    ...eventTypes.map(({ operator, values }) =>
      operator === 'eq' ? sql`event_type in ${smalls(values)}` : sql`event_type not in ${smalls(values)}`,
    ),
    excludeBounce ? unbounced(selection) : undefined,
  )
}

const optional = (...conditions: readonly (Fragment | undefined)[]): Fragment | undefined =>
  conditions.some((condition) => condition !== undefined) ? all(...conditions) : undefined

/** `referrer` means a foreign one: the rows of the event's own hostname never pass, whatever the operator. */
function fieldCondition(filter: FieldFilter): Fragment {
  const condition = textCondition(columns[filter.field], filter)
  return filter.field === 'referrer' ? sql`(${condition} and referrer_domain != hostname)` : condition
}

/** Visits with more than one page view in the period. Distinct ids, so that a retried insert adds none. */
const unbounced = ({ scope, period }: Selection): Fragment =>
  sql`visit_id global in (
    select visit_id from events
    where ${within(scope, period)} and event_type = 1
    group by visit_id having min(event_id) != max(event_id)
  )`

const propertiesElsewhere = ({ scope, period, filters }: Selection): Fragment | undefined =>
  filters.properties.length === 0
    ? undefined
    : sql`event_id global in (
        select event_id from custom_events
        where ${all(within(scope, period), ...filters.properties.map(holdsProperty))}
      )`

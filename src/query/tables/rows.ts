import { type Cohort, type Filters, noFilters } from '../../request/filters.ts'
import { always, type Period } from '../../request/period.ts'
import { allFilters, needsEvent, type Scope, type Selection, visiblePeriod, visibleStart } from '../language/scope.ts'
import {
  all,
  type Bound,
  compile,
  type Fragment,
  from,
  instant,
  newRead,
  type Read,
  sql,
  text,
  texts,
  uint32,
  union,
  uuid,
  uuids,
} from '../language/sql.ts'
import { isShort, wholeDays, wholeHours, wholeMonths, yearAndMonth } from '../language/time.ts'
import { fieldColumns } from './columns.ts'
import { currentPasses, currentValue, holdsProperty, propertyPatternCheck, saidProperties } from './properties.ts'
import { customEvents, events, seals, sessionData, type Table, tables } from './tables.ts'
import { fieldConditions, typeConditions } from './where.ts'

/**
 * The only ways to read a table. docs/request-path.md lists the conditions that each adds, those that it leaves out,
 * and why that is safe.
 */

/** `from … where …` for the selected rows of a table that meet the conditions. `arrayJoin` unfolds array columns. */
export function rows(
  table: Table,
  selection: Selection,
  conditions: readonly (Fragment | undefined)[] = [],
  arrayJoin?: Fragment,
): Read {
  return read(table, selection, conditions, { arrayJoin })
}

/** Like `rows`, but with a selective condition `first`. Other columns are read only in rows that meet it. */
export const fewRows = (
  table: Table,
  selection: Selection,
  first: Fragment,
  conditions: readonly (Fragment | undefined)[],
): Read => read(table, selection, conditions, { first })

function read(
  table: Table,
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
  { arrayJoin, first }: { readonly arrayJoin?: Fragment | undefined; readonly first?: Fragment },
): Read {
  const { scope } = selection
  const wanted = [websiteAndRange(table, selection), ...filterConditions(table, selection), notDeleted(scope)]
  const every = [...wanted, ...conditions]
  const unfolded = arrayJoin ? sql` array join ${arrayJoin}` : sql``
  const where = (some: typeof every) => sql`${from(table.name)}${unfolded} where ${all(...some)}`
  // In long ranges, ClickHouse chooses the order in which columns are read. In short ranges, that would cost more than
  // it saves.
  const isPlanned = isShort(visiblePeriod(selection)) && !arrayJoin
  const early = isPlanned ? [first, ...every.filter(isAlone)] : [first]
  const late = isPlanned ? every.filter((one) => one && !isAlone(one)) : every
  const rest = late.length > 0 ? sql` where ${all(...late)}` : sql``
  const whole = first || isPlanned ? sql`${from(table.name)} prewhere ${all(...early)}${rest}` : where(every)
  return newRead(table.name, whole, () => where([first, ...every].filter(isAlone)))
}

/**
 * `from … where …` for a chain's rows for whole UTC days. Uses only expressions that the chain's projection of counts
 * contains.
 */
export function sealedRows(
  table: Table,
  { scope, period }: Selection,
  conditions: readonly (Fragment | undefined)[],
): Read {
  refusePartial(period, wholeDays(period))
  const isOfDays = sql`toDate32(hour) >= toDate32(${instant(period.startAt)}) and toDate32(hour) < toDate32(${instant(period.endAt + 1)})`
  const where = sql`${from(table.name)} where ${all(ofWebsite(scope), isOfDays, ...conditions)}`
  return newRead(table.name, where, () => where)
}

/**
 * `from … where …` for all rows in the range, and perhaps other rows of the website from the same granules. Their times
 * are not read.
 */
export function rowsAround({ name, grain }: Table, { scope, period }: Selection, condition: Fragment): Read {
  const where = sql`${from(name)} where ${all(ofWebsite(scope), sql`indexHint(${rangeConditions[grain](period)})`, condition)}`
  return newRead(name, where, () => where)
}

/** Whether a condition contains no subquery. */
const isAlone = (condition: Fragment | undefined): boolean =>
  condition !== undefined && compile(condition).tables.length === 0

/** `from … where …` for those rows with this key that the scope shows. */
export function one<LookUp extends Readonly<Record<string, Fragment>>>(
  table: Table & { readonly lookUp: LookUp; readonly session: Fragment },
  scope: Scope,
  key: { readonly [Name in keyof LookUp]: Bound },
): Fragment {
  const ofKey = Object.entries(table.lookUp).map(([name, column]) => sql`${column} = ${key[name]!}`)
  const where = sql`${from(table.name)} where ${all(ofWebsite(scope), ...ofKey, notDeleted(scope, table.session))}`
  const keyRows = newRead(table.name, where, () => where)
  const isSince = scope.since === undefined ? [] : [sql`created_at >= ${instant(scope.since)}`]
  const isUnlocked = scope.only.length === 0 ? [] : [sql`event_id global in (${passingLocked(scope, keyRows, ofKey)})`]
  return [...isSince, ...isUnlocked].reduce((all, condition) => sql`${all} and ${condition}`, keyRows as Fragment)
}

/** Events with this key that pass the locked filters, for tables whose columns are insufficient for these filters. */
function passingLocked(scope: Scope, keyRows: Fragment, ofKey: readonly Fragment[]): Fragment {
  const selection = { scope, period: always, filters: noFilters }
  const isAtItsTime = sql`created_at global in (select created_at ${keyRows})`
  return sql`select event_id ${rows(customEvents, selection, [isAtItsTime, ...ofKey])}`
}

/** `from … limit 0`, which reads nothing but fails if the table is missing or the user may not read it. */
export const noRows = ({ name }: Pick<Table, 'name'>): Fragment => sql`${from(name)} limit 0`

const heartbeats = 'heartbeats'

/** The newest heartbeat from each source, as `newest`. */
export const newestHeartbeats = sql`(select max(at) as newest ${from(heartbeats)} group by source)`

/** `from … where …` for rows of all websites for those days of the last week that ended more than an hour ago. */
export const rowsOfLastWeek = ({ name }: Pick<Table, 'name'>, day: Fragment): Fragment =>
  sql`${from(name)} where ${day} >= toDate32(now('UTC')) - 7 and ${day} < toDate32(now('UTC') - interval 1 hour)`

/** The names of all tables that statements read. */
export const namesRead: readonly string[] = [...tables.map(({ name }) => name), seals.name, heartbeats]

/** Reads nothing, but fails if any of these tables is missing or the user may not read it. */
export const noRowsOfAny: Fragment = union(namesRead.map((name) => sql`select 1 ${noRows({ name })}`))

/** The condition that events are views of pages, links or pixels. */
export const isView = sql`event_type in (1, 3, 4)`

export const isCustomEvent = sql`event_type = 2`

/** The condition that events are actions, which are views and custom events, but not web vitals. */
export const isAction = sql`event_type < 5`

/** The condition that actions are views. It is cheaper than `isView`. */
export const isViewOfActions = sql`event_type != 2`

/** The condition that rows of `session_events` are events rather than identify calls. */
export const isEvent = sql`event_type != 0`

/** Returns the condition that rows belong to no deleted session. Undefined if none is waiting for a purge. */
const notDeleted = ({ deletedSessions = [] }: Scope, session: Fragment = sql`session_id`): Fragment | undefined =>
  deletedSessions.length === 0 ? undefined : sql`${session} not in ${uuids(deletedSessions)}`

const ofWebsite = ({ websiteId }: Scope): Fragment => sql`website_id = ${uuid(websiteId)}`

/** Returns the condition on the website and on both ends of the range, using the table's time column. */
function websiteAndRange({ grain, isOfDays }: Table, { scope, period }: Selection): Fragment {
  const visible = { ...period, startAt: visibleStart(scope, period) }
  if (isOfDays) refusePartial(visible, wholeDays(visible))
  return sql`${ofWebsite(scope)} and ${rangeConditions[grain](visible)}`
}

const rangeConditions: Readonly<Record<Table['grain'], (period: Period) => Fragment>> = {
  moment: ({ startAt, endAt }) => sql`created_at >= ${instant(startAt)} and created_at <= ${instant(endAt)}`,
  hour(period) {
    refusePartial(period, wholeHours(period))
    return sql`hour >= ${instant(period.startAt)} and hour < ${instant(period.endAt + 1)}`
  },
  day(period) {
    refusePartial(period, wholeDays(period))
    return sql`day >= toDate32(${instant(period.startAt)}) and day < toDate32(${instant(period.endAt + 1)})`
  },
  month(period) {
    refusePartial(period, wholeMonths(period))
    return sql`month >= ${uint32(yearAndMonth(period.startAt))} and month < ${uint32(yearAndMonth(period.endAt + 1))}`
  },
}

/** Returns the condition that events are not in the period. */
export const outside = ({ startAt, endAt }: Period): Fragment =>
  sql`(created_at < ${instant(startAt)} or created_at > ${instant(endAt)})`

/** Throws for a partial hour, day or month, because each row counts a whole one. */
function refusePartial(period: Period, whole: Period): void {
  if (period.startAt !== whole.startAt || period.endAt !== whole.endAt) {
    throw new TypeError('A table of counts cannot be read for a partial hour, day or month.')
  }
}

/** Whether the table's columns are sufficient for all filters and to leave out deleted sessions. */
export const canAnswer = (table: Table, selection: Selection): boolean =>
  (table.hasIds || !needsEvent(selection)) &&
  (table.hasSessions || notDeleted(selection.scope) === undefined) &&
  allFilters(selection).every(
    ({ fields, eventTypes }) =>
      (table.hasTypes || eventTypes.length === 0) && fields.every(({ field }) => table.fields.has(field)),
  )

/** The conditions for the request's filters and the locked ones. */
function filterConditions(table: Table, selection: Selection): (Fragment | undefined)[] {
  if (!canAnswer(table, selection)) throw new TypeError(`${table.name} cannot answer these filters.`)
  const given = allFilters(selection)
  const properties = given.flatMap((filters) => filters.properties)
  const sessionProperties = given.flatMap((filters) => filters.sessionProperties)
  return [
    ...given.flatMap((filters) => withoutProperties(selection, filters)),
    ...propertyConditions(table, selection, properties),
    ofSessions(selection.scope, sessionProperties),
  ]
}

/** Returns conditions that an event passes these filters. They restrict neither the website nor the range. */
export const passing = (table: Table, selection: Selection, filters: Filters): (Fragment | undefined)[] => [
  ...withoutProperties(selection, filters),
  ...propertyConditions(table, selection, filters.properties),
  ofSessions(selection.scope, filters.sessionProperties),
]

const withoutProperties = (selection: Selection, filters: Filters): (Fragment | undefined)[] => [
  ...fieldConditions(filters),
  ...typeConditions(filters),
  filters.excludeBounce ? unbounced(selection, filters) : undefined,
  ...filters.cohorts.map((cohort) => ofCohort(selection.scope, cohort)),
]

const propertyConditions = (table: Table, selection: Selection, properties: Filters['properties']): Fragment[] =>
  table.hasProperties ? properties.map(holdsProperty) : propertiesElsewhere(selection, properties)

/**
 * Restricts rows to visits that are not bounces. A bounce has one view in the period and no custom event. For a filter
 * of the request, only actions that the scope shows are counted; for a locked filter, all actions are counted.
 */
function unbounced({ scope, period, filters }: Selection, of: Filters): Fragment {
  const seen = of === filters ? scope : { ...scope, only: [] }
  return sql`visit_id global not in (
    select visit_id
    ${rows(events, { scope: seen, period, filters: noFilters }, [isAction])}
    group by visit_id having count() = 1 and any(${isView})
  )`
}

/**
 * Restricts rows to the cohort's sessions: those that have an event in the cohort's period that matches its action and
 * passes its filters. Hidden events are not counted.
 */
function ofCohort(scope: Scope, { period, action, match, fields }: Cohort): Fragment {
  // A locked cohort would restrict the look-up of its own members, recursively.
  if (scope.only.some(({ cohorts }) => cohorts.length > 0)) throw new TypeError('A cohort cannot be locked.')
  const selection = { scope, period, filters: { ...noFilters, match, fields } }
  const isTheAction = sql`${fieldColumns[action.field]} = ${text(action.value)}`
  return sql`session_id global in (select session_id ${rows(events, selection, [isTheAction, isAction])})`
}

/** Properties are looked up in `custom_events`. */
function propertiesElsewhere({ scope, period }: Selection, properties: Filters['properties']): Fragment[] {
  if (properties.length === 0) return []
  const selection = { scope: { ...scope, only: [] }, period, filters: noFilters }
  return [sql`event_id global in (select event_id ${rows(customEvents, selection, properties.map(holdsProperty))})`]
}

/** `from … where …` for all identify calls since the reset. `arrayJoin` unfolds array columns. */
const callRows = (scope: Scope, conditions: readonly (Fragment | undefined)[], arrayJoin?: Fragment): Fragment =>
  rows(sessionData, { scope: { ...scope, only: [] }, period: always, filters: noFilters }, conditions, arrayJoin)

/** Identify calls for answers that contain properties; none if the scope hides them. */
export const shownCalls = (
  scope: Scope,
  conditions: readonly (Fragment | undefined)[],
  arrayJoin?: Fragment,
): Fragment => callRows(scope, scope.hidesSessionProperties ? [sql`false`] : conditions, arrayJoin)

/** Returns the condition that a call has one of these properties. */
export const says = (keys: readonly string[]): Fragment => sql`hasAny(properties.key, ${texts(keys)})`

/**
 * Restricts rows to sessions whose current properties pass all filters. The calls are read once, no matter how many
 * filters there are.
 */
export function ofSessions(scope: Scope, filters: Filters['sessionProperties']): Fragment | undefined {
  if (filters.length === 0) return undefined
  const value = sql`value`
  const keys = [...new Set(filters.map(({ property }) => property))]
  const passes = filters.map(
    (filter) => sql`countIf(data_key = ${text(filter.property)} and ${currentPasses(value, filter)}) > 0`,
  )
  return sql`session_id global in (
    select session_id
    from (
      select session_id, said.1 as data_key, ${currentValue} as ${value}
      ${callRows(scope, [says(keys)], saidProperties(keys))}
      group by session_id, data_key
    )
    group by session_id
    having ${all(...passes, ...filters.map(propertyPatternCheck))}
  )`
}

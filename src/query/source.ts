import type { Field } from '../request/fields.ts'
import { all, count, type Fragment, instant, number, sql, type Table, uuid } from './sql.ts'
import * as tables from './tables.ts'
import { yearAndMonth } from './time.ts'
import {
  begin,
  customEventsWhere,
  eventDataWhere,
  eventsWhere,
  every,
  filtered,
  needsEvent,
  type Selection,
} from './where.ts'

/**
 * Which table answers. Counts over a range read its whole months and days from the tables that hold them counted, and
 * only what is left at its two ends event by event: each event is in exactly one of the parts, so that the sum is the
 * plain count whatever the range and the filters. A table of counts is taken where it has every column that the filters
 * name and saves enough; everything else is counted plainly.
 */

/** Columns that filters may name where a table of counts is to answer. */
const ofNames: ReadonlySet<Field> = new Set<Field>(['event'])
const ofClients: ReadonlySet<Field> = new Set<Field>(['browser', 'os', 'device', 'country'])
const ofShapes: ReadonlySet<Field> = new Set<Field>([...ofNames, ...ofClients])

/** Columns that the rows of properties have of their event. */
const ofProperties: ReadonlySet<Field> = new Set<Field>([...ofShapes, 'hostname', 'path'])

/**
 * Fewer whole days or months than these are read as fast plainly: another table costs a fixed time. A month of custom events
 * is, up to some 300,000 of them.
 */
const fewestDays = { events: 7, 'custom events': 32 }
const fewestMonths = 2

/** Which tables of counts may answer. Tests take them away to compare. */
export type Rollups = 'rollups' | 'plain'

/** Whether filters, of the request and of its scope, read nothing but these columns; an event's type where `types` says so. */
const readsOnly = (selection: Selection, columns: ReadonlySet<Field>, types: 'with types' | 'without types'): boolean =>
  !needsEvent(selection) &&
  every(selection).every(
    ({ fields, eventTypes }) =>
      fields.every(({ field }) => columns.has(field)) && (types === 'with types' || eventTypes.length === 0),
  )

const day = 86_400_000

/** From the first moment on, to before the second, in milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

/** What is whole of a range, in days and in months of UTC. */
const wholeDays = ({ from, to }: Span): Span => ({ from: Math.ceil(from / day) * day, to: Math.floor(to / day) * day })

function wholeMonths({ from, to }: Span): Span {
  const [first, last] = [new Date(from), new Date(to)]
  const isWhole = from === Date.UTC(first.getUTCFullYear(), first.getUTCMonth())
  return {
    from: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + (isWhole ? 0 : 1)),
    to: Date.UTC(last.getUTCFullYear(), last.getUTCMonth()),
  }
}

const spanOf = ({ scope, period }: Selection): Span => ({ from: begin(scope, period), to: period.endAt + 1 })

const daysIn = ({ from, to }: Span): number => (to - from) / day

const monthOf = (moment: number): number => {
  const date = new Date(moment)
  return 12 * date.getUTCFullYear() + date.getUTCMonth()
}

const monthsIn = ({ from, to }: Span): number => monthOf(to) - monthOf(from)

const ofSite = ({ scope }: Selection): Fragment => sql`website_id = ${uuid(scope.websiteId)}`

const inDays = ({ from, to }: Span): Fragment =>
  sql`day >= toDate32(${instant(from)}) and day < toDate32(${instant(to)})`

const inMonths = ({ from, to }: Span): Fragment =>
  sql`month >= ${number(yearAndMonth(from))} and month < ${number(yearAndMonth(to))}`

const outside = ({ from, to }: Span): Fragment => sql`(created_at < ${instant(from)} or created_at >= ${instant(to)})`

/** One part of a range: `from … where …` of rows, and what a row counts for. */
interface Part {
  readonly each: Fragment
  readonly rows: Fragment
}

const one = sql`toInt64(1)`
const counted = sql`events`

/** Rows of a table between two moments; conditions left undefined are left out. */
const part = (each: Fragment, table: Table, ...conditions: readonly (Fragment | undefined)[]): Part => ({
  each,
  rows: sql`from ${table} where ${all(...conditions)}`,
})

/**
 * What is counted: of all events, with a condition on their type; or of custom events and events with properties, with a
 * condition on their type, name and shape.
 */
export type Counted = 'events' | 'custom events'

/** Where events are read one by one. */
export const plain = {
  events: { table: tables.events, where: eventsWhere },
  'custom events': { table: tables.customEvents, where: customEventsWhere },
} as const

/** Ranges up to here are read faster once than twice, in milliseconds. */
const readOnce = { events: 2 * day, 'custom events': 7 * day }

/** Whether a page of a list and the count of the list are best read together: all of the range, in one statement. */
export const countsWithPage = (selection: Selection, what: Counted): boolean => {
  const { from, to } = spanOf(selection)
  return to - from <= readOnce[what]
}

/** The parts that make up the selected events which pass `condition`. */
function eventParts(selection: Selection, what: Counted, condition: Fragment, rollups: Rollups): Part[] {
  const { table, where } = plain[what]
  const plainly = (whole?: Span) => part(one, table, where(selection), condition, whole && outside(whole))
  const span = spanOf(selection)
  const [days, months] = [wholeDays(span), wholeMonths(span)]
  const split = (rollup: Table, whole: Span, within: Fragment): Part[] => [
    part(counted, rollup, ofSite(selection), within, filtered(selection), condition),
    plainly(whole),
  ]
  if (rollups === 'plain' || daysIn(days) < fewestDays[what]) return [plainly()]
  if (readsOnly(selection, ofNames, 'with types')) return split(tables.dailyShapes, days, inDays(days))
  if (what === 'events') {
    return readsOnly(selection, ofClients, 'with types') ? split(tables.dailyEvents, days, inDays(days)) : [plainly()]
  }
  return monthsIn(months) >= fewestMonths && readsOnly(selection, ofShapes, 'with types')
    ? split(tables.monthlyShapes, months, inMonths(months))
    : [plainly()]
}

/**
 * How many of the selected events pass `condition`: a subquery of numbers `events` to be added up. Where they are
 * counted plainly, no further than `atMost`.
 */
export const eventCount = (
  selection: Selection,
  what: Counted,
  condition: Fragment,
  atMost?: number,
  rollups: Rollups = 'rollups',
): Fragment => {
  const parts = eventParts(selection, what, condition, rollups)
  if (parts.length === 1 && atMost !== undefined) {
    return sql`(select count() as events from (select 1 ${parts[0]!.rows} limit ${count(atMost)}))`
  }
  return joined(parts.map(({ each, rows }) => sql`select ${summed(each)} as events ${rows}`))
}

const summed = (each: Fragment): Fragment => (each === one ? sql`toInt64(count())` : sql`sum(${each})`)

/** The selected events which pass `condition` by `column`, as a subquery of the column and `events`, how many there are. */
export const eventsBy = (
  column: Fragment,
  selection: Selection,
  what: Counted,
  condition: Fragment,
  rollups: Rollups = 'rollups',
): Fragment => sql`(${grouped(column, selection, what, condition, rollups, column)})`

/** The same as a `select`, with `shown`, which is made of the column, in its place. */
function grouped(
  column: Fragment,
  selection: Selection,
  what: Counted,
  condition: Fragment,
  rollups: Rollups,
  shown: Fragment,
): Fragment {
  const parts = eventParts(selection, what, condition, rollups)
  if (parts.length === 1) {
    return sql`select ${shown}, ${summed(parts[0]!.each)} as events ${parts[0]!.rows} group by ${column}`
  }
  const rows = joined(parts.map(({ each, rows }) => sql`select ${column}, ${each} as events ${rows}`))
  return sql`select ${shown}, sum(events) as events from ${rows} group by ${column} having events > 0`
}

/** Selects that together are all rows, as a subquery. */
const joined = (selects: readonly Fragment[]): Fragment =>
  sql`(${selects.reduce((left, right) => sql`${left} union all ${right}`)})`

/**
 * The selected events that have properties, counted by what they look like: a `select` of `events`, how many look like that,
 * and of `shown`, which is made of `shape`, the JSON of the event's name, and of the names and the data types of its properties.
 */
export const shapes = (
  selection: Selection,
  shown: Fragment,
  rollups: Rollups = 'rollups',
  ...conditions: readonly (Fragment | undefined)[]
): Fragment => grouped(sql`shape`, selection, 'custom events', all(sql`shape != ''`, ...conditions), rollups, shown)

/** Whether visits of the selected custom events are read from the table that counts them. */
const isByVisit = (selection: Selection, rollups: Rollups, condition: Fragment | undefined): boolean =>
  rollups === 'rollups' &&
  condition === undefined &&
  monthsIn(wholeMonths(spanOf(selection))) >= fewestMonths &&
  readsOnly(selection, ofClients, 'without types')

const isCustom = sql`event_type = 2`

/**
 * The selected custom events: rows with `session_id`, `visit_id` and `events`, how many events a row is; and how many names
 * they have, as an expression over these rows.
 */
export interface Visits {
  readonly rows: Fragment
  readonly names: Fragment
}

/** Of the selected custom events those that pass `condition`, which may read any column of the event. */
export const visits = (selection: Selection, rollups: Rollups = 'rollups', condition?: Fragment): Visits =>
  isByVisit(selection, rollups, condition) ? visitsCounted(selection) : visitsPlainly(selection, condition)

/** Each event is a row, which has `created_at` as well. */
const visitsPlainly = (selection: Selection, condition: Fragment | undefined): Visits => ({
  rows: sql`(
    select created_at, session_id, visit_id, event_name, 1 as events
    from ${tables.customEvents} where ${all(customEventsWhere(selection), isCustom, condition)}
  )`,
  // Of texts uniqExact keeps the SipHash-128 (AggregateFunctionUniq.h): taken here, it is made once for each text of a dictionary.
  names: sql`uniqExact(reinterpretAsUInt128(sipHash128(event_name)))`,
})

function visitsCounted(selection: Selection): Visits {
  const days = wholeDays(spanOf(selection))
  const whole = all(ofSite(selection), inDays(days), filtered(selection), sql`events > 0`)
  const rest = all(customEventsWhere(selection), isCustom, outside(days))
  return {
    rows: joined([
      sql`select session_id, visit_id, events from ${tables.dailyVisits} where ${whole}`,
      sql`select session_id, visit_id, 1 as events from ${tables.customEvents} where ${rest}`,
    ]),
    names: sql`(select uniqExact(event_name) from ${eventsBy(sql`event_name`, selection, 'custom events', isCustom)})`,
  }
}

/**
 * A range and the one just before it, read once from the events: rows have their `created_at`. Undefined where a table of
 * counts answers one of them, or where what is selected depends on the range: they are read apart.
 */
export function together(current: Selection, before: Selection, condition?: Fragment): Visits | undefined {
  const areNeighbours = before.period.endAt + 1 === current.period.startAt
  const dependsOnRange = every(current).some(({ excludeBounce }) => excludeBounce)
  if (!areNeighbours || dependsOnRange) return undefined
  if ([current, before].some((one) => isByVisit(one, 'rollups', condition))) return undefined
  // How both are read was decided above: their months, put together, may well be enough for the table of counts.
  const period = { startAt: before.period.startAt, endAt: current.period.endAt }
  return visitsPlainly({ ...current, period }, condition)
}

/**
 * Property rows (`event_name`, `data_key`, `data_type`, `value`) of the selected events that pass the conditions on these
 * columns, as a subquery; `properties` is how many properties a row is. A filter on what these rows do not have of their
 * event unfolds `custom_events`, which gives the same rows.
 */
export function properties(
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
  rollups: Rollups = 'rollups',
): Fragment {
  const columns = sql`event_name, data_key, data_type, value`
  if (!readsOnly(selection, ofProperties, 'with types')) {
    return sql`(
      select ${columns}, 1 as properties from ${tables.customEvents}
      array join properties.key as data_key, properties.data_type as data_type, properties.value as value
      where ${all(customEventsWhere(selection), ...conditions)}
    )`
  }
  const ofTable = (table: Table, each: Fragment, ...where: readonly (Fragment | undefined)[]) =>
    sql`select ${columns}, ${each} as properties from ${table} where ${all(...where, ...conditions)}`
  const plainly = (whole?: Span) => ofTable(tables.eventData, one, eventDataWhere(selection), whole && outside(whole))
  const months = wholeMonths(spanOf(selection))
  if (rollups === 'plain' || monthsIn(months) < fewestMonths || !readsOnly(selection, ofNames, 'without types')) {
    return joined([plainly()])
  }
  const whole = [ofSite(selection), inMonths(months), filtered(selection)]
  return joined([ofTable(tables.monthlyValues, sql`properties`, ...whole), plainly(months)])
}

import { type FieldFilter, type Filters, noFilters } from '../../request/filters.ts'
import type { ListOperator, TextOperator } from '../../request/operators.ts'
import type { Selection } from '../language/scope.ts'
import { all, any, type Fragment, sql } from '../language/sql.ts'
import { holdsProperty } from './properties.ts'
import { isAction, isCustomEvent, isView, ofSessions, passing, rows } from './rows.ts'
import { customEvents, events } from './tables.ts'
import { fieldConditions } from './where.ts'

/** A selection without the request's filters: everything that its scope shows. */
export const unfiltered = (selection: Selection): Selection => ({ ...selection, filters: noFilters })

/** `from … where …` for the views that the scope shows in the period, regardless of the request's filters. */
export const shownViews = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment =>
  rows(events, unfiltered(selection), [isView, ...conditions])

/** `from … where …` for the views and custom events that the scope shows, regardless of the request's filters. */
export const shownActions = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment =>
  rows(events, unfiltered(selection), [isAction, ...conditions])

/** `from … where …` for the shown views that pass the request's filters. */
export const selectedViews = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment =>
  shownViews(selection, ...viewConditions(selection), ...conditions)

/** `from … where …` for the shown custom events that pass the request's filters. */
export const selectedCustomEvents = (
  selection: Selection,
  ...conditions: readonly (Fragment | undefined)[]
): Fragment => rows(customEvents, selection, [isCustomEvent, ...conditions])

/** `from … where …` for the shown views and custom events that pass the request's filters. */
export function selectedActions(selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment {
  const { scope, filters } = selection
  if (!asksOfVisits(filters)) return rows(events, selection, [isAction, ...conditions])
  // A filter on the session selects views and custom events alike.
  const rest = { ...selection, filters: { ...filters, sessionProperties: [] } }
  const views = all(isView, ...viewConditions(rest))
  const customs = all(isCustomEvent, ...passing(events, rest, rest.filters))
  const isOfSession = ofSessions(scope, filters.sessionProperties)
  return rows(events, unfiltered(selection), [any(sql`(${views})`, sql`(${customs})`), isOfSession, ...conditions])
}

/**
 * Returns conditions that a shown view passes the request's filters. A view has no event name, so conditions on `event`
 * and on properties apply to the shown actions of its visit.
 */
export function viewConditions(selection: Selection): (Fragment | undefined)[] {
  const { filters } = selection
  if (!asksOfVisits(filters)) return passing(events, selection, filters)
  const named = filters.fields.filter(({ field }) => field === 'event')
  const others = filters.fields.filter(({ field }) => field !== 'event')
  const ofVisits = { ...filters, fields: [], properties: [] }
  const rest = passing(events, { ...selection, filters: ofVisits }, ofVisits)
  const byVisit = filters.match === 'any' ? anyOfVisit(selection, others, named) : allOfVisit(selection, others, named)
  return [...rest, ...byVisit]
}

/** Whether a filter applies to the actions of a view's visit rather than to the view itself. */
export const asksOfVisits = ({ fields, properties }: Filters): boolean =>
  properties.length > 0 || fields.some(({ field }) => field === 'event')

/** One action of the visit meets all positive conditions, and no custom event of the visit meets a negated one. */
function allOfVisit(selection: Selection, others: readonly FieldFilter[], named: readonly FieldFilter[]) {
  const { properties } = selection.filters
  const wanted = named.filter(isWanted)
  return [
    ...fieldConditions({ match: 'all', fields: others }),
    wanted.length + properties.length > 0 ? visitHas(selection, wanted, properties) : undefined,
    ...named.filter((one) => !isWanted(one)).map((one) => visitHasNone(selection, one)),
  ]
}

/**
 * One action of the visit meets all conditions on properties, and one condition on a field holds for the view or for an
 * action of its visit.
 */
function anyOfVisit(selection: Selection, others: readonly FieldFilter[], named: readonly FieldFilter[]) {
  const { properties } = selection.filters
  const ofView = others.length > 0 ? all(...fieldConditions({ match: 'any', fields: others })) : undefined
  const ofVisit = named.map((one) => (isWanted(one) ? visitHas(selection, [one], []) : visitHasNone(selection, one)))
  return [
    properties.length > 0 ? visitHas(selection, [], properties) : undefined,
    any(ofView && sql`(${ofView})`, ...ofVisit),
  ]
}

const opposites: Readonly<Partial<Record<ListOperator | TextOperator, ListOperator | TextOperator>>> = {
  neq: 'eq',
  dnc: 'c',
  nre: 're',
}

const isWanted = ({ operator }: FieldFilter): boolean => !(operator in opposites)

/**
 * Whether a single shown action of the visit meets all of these conditions. `names` are conditions on the names of
 * custom events.
 */
function visitHas(selection: Selection, names: readonly FieldFilter[], properties: Filters['properties']): Fragment {
  const isAsked = names.length > 0 ? isCustomEvent : isAction
  const passes = [isAsked, ...fieldConditions({ match: 'all', fields: names }), ...properties.map(holdsProperty)]
  return sql`visit_id global in (select visit_id ${rows(customEvents, unfiltered(selection), passes)})`
}

function visitHasNone(selection: Selection, filter: FieldFilter): Fragment {
  const opposite = { ...filter, operator: opposites[filter.operator]! } as FieldFilter
  const passes = [isCustomEvent, ...fieldConditions({ match: 'all', fields: [opposite] })]
  return sql`visit_id global not in (select visit_id ${rows(customEvents, unfiltered(selection), passes)})`
}

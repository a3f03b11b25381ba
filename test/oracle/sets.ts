import { type FieldCondition, passesField, type TextOperator } from './conditions.ts'
import { CUSTOM_EVENT, type IngestRow, isAction, isView, PERFORMANCE } from './model.ts'
import type { Reading } from './reading.ts'
import { beforeConditions, passesConditions, passesProperties, type Range, shownEvents } from './selection.ts'
import { grouped, type Visit, visitsOf } from './visits.ts'

/** The sets behind all figures of the statistics: V, C and M of the request, and all visits with a shown view. */
export type Sets = { views: IngestRow[]; customEvents: IngestRow[]; vitals: IngestRow[]; visits: Map<string, Visit> }

export function selectSets(rows: IngestRow[], websiteId: string, range: Range, reading: Reading): Sets {
  const shown = shownEvents(rows, websiteId, range)
  const candidates = beforeConditions(rows, websiteId, range, reading)
  const actions = grouped(shown.filter(isAction), (row) => row.visit_id)
  const ofVisits = candidates.filter((row) => passesByVisit(reading, row, actions.get(row.visit_id) ?? []))
  return {
    views: ofVisits.filter(isView),
    customEvents: candidates.filter((row) => row.event_type === CUSTOM_EVENT && passesConditions(reading, row)),
    vitals: ofVisits.filter((row) => row.event_type === PERFORMANCE),
    visits: visitsOf(shown),
  }
}

/** The shown actions of any kind that individually meet all conditions. */
export function actionsOneByOne(rows: IngestRow[], websiteId: string, range: Range, reading: Reading): IngestRow[] {
  const candidates = beforeConditions(rows, websiteId, range, reading)
  return candidates.filter((row) => isAction(row) && passesConditions(reading, row))
}

/** Conditions on events apply to the visit's actions, and all others to the view or web vital itself. */
function passesByVisit(reading: Reading, row: IngestRow, actions: IngestRow[]): boolean {
  return reading.settings.get('match') === 'any' ? anyHolds(reading, row, actions) : allHold(reading, row, actions)
}

function allHold(reading: Reading, row: IngestRow, actions: IngestRow[]): boolean {
  const { others, positive, negative } = kindsOf(reading.conditions)
  const hasPositive = positive.length > 0
  const oneOfAll = actions.some(
    (action) =>
      (!hasPositive || action.event_type === CUSTOM_EVENT) &&
      positive.every((condition) => passesField(condition, action)) &&
      passesProperties(reading, action),
  )
  return (
    others.every((condition) => passesField(condition, row)) &&
    (oneOfAll || (!hasPositive && reading.propertyFilters.length === 0)) &&
    negative.every((condition) => nonePassesOpposite(condition, actions))
  )
}

function anyHolds(reading: Reading, row: IngestRow, actions: IngestRow[]): boolean {
  const { others, positive, negative } = kindsOf(reading.conditions)
  const propertiesHold =
    reading.propertyFilters.length === 0 || actions.some((action) => passesProperties(reading, action))
  const oneHolds =
    others.some((condition) => passesField(condition, row)) ||
    positive.some((condition) => customEvents(actions).some((event) => passesField(condition, event))) ||
    negative.some((condition) => nonePassesOpposite(condition, actions))
  return propertiesHold && (oneHolds || reading.conditions.length === 0)
}

const OPPOSITES: { [operator in TextOperator]?: TextOperator } = { neq: 'eq', dnc: 'c', nre: 're' }

function kindsOf(conditions: FieldCondition[]) {
  const onEvents = conditions.filter(({ field }) => field === 'event')
  return {
    others: conditions.filter(({ field }) => field !== 'event'),
    positive: onEvents.filter(({ operator }) => OPPOSITES[operator] === undefined),
    negative: onEvents.filter(({ operator }) => OPPOSITES[operator] !== undefined),
  }
}

function nonePassesOpposite(condition: FieldCondition, actions: IngestRow[]): boolean {
  const opposite = { ...condition, operator: OPPOSITES[condition.operator]! }
  return customEvents(actions).every((event) => !passesField(opposite, event))
}

function customEvents(actions: IngestRow[]): IngestRow[] {
  return actions.filter(({ event_type }) => event_type === CUSTOM_EVENT)
}

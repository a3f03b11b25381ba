import { type Shape, shapesOf } from '../../query/figures/shapes.ts'
import type { Scope } from '../../query/language/scope.ts'
import { type Fragment, sql } from '../../query/language/sql.ts'
import type { CountedRows, Item } from '../../query/lists/counted-list.ts'
import type { Filters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { freeText, group } from '../../request/query-string.ts'

/** The parameter `eventName`. */
export const eventNameGroup = group({ eventName: freeText('Only events of exactly this name.') }, ({ eventName }) => ({
  eventName,
}))

/** The part of a request that selects its events. */
export interface EventsInput {
  readonly period: Period
  readonly filters: Filters
  readonly eventName?: string | undefined
}

/**
 * The properties of the selected events, by shape; `unfolded` names what it takes out of `parsed`, for an array join.
 */
export function propertyRows(
  { period, filters, eventName }: EventsInput,
  scope: Scope,
  unfolded: Fragment,
): CountedRows {
  const { rows, cheaper } = shapesOf({ scope, period, filters }, { eventName })
  return {
    from: sql`from ${rows} array join ${unfolded}`,
    cheaper: (toResult) => cheaper((shapes) => toResult(propertiesOfShapes(shapes))),
  }
}

/** The properties of these shapes; `total` counts the events with each property. */
const propertiesOfShapes = (shapes: readonly Shape[]): Item[] =>
  shapes.flatMap(({ eventName, keys, types, events }) =>
    keys.map((propertyName, place) => ({ eventName, propertyName, dataType: types[place]!, total: events })),
  )

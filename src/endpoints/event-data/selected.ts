import { type Shape, shapesOf } from '../../query/figures/shapes.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { sql, text } from '../../query/language/sql.ts'
import type { CountedRows, Item } from '../../query/lists/counted-list.ts'
import { freeText, group } from '../../request/query-string.ts'

/** The parameter `eventName`. */
export const eventNameGroup = group({ eventName: freeText('Only events of exactly this name.') })

/** The part of a request that selects its events. */
export interface EventsInput extends SelectedEvents {
  readonly eventName?: string | undefined
}

/**
 * The properties of the selected events, from their shapes: columns `property` and `type`; `parsed.1` is the event's
 * name.
 */
export function propertyRows(
  { period, filters, eventName, propertyName }: EventsInput & { readonly propertyName?: string | undefined },
  scope: Scope,
): CountedRows {
  const { rows, cheaper } = shapesOf({ scope, period, filters }, { eventName })
  const isNamed = propertyName === undefined ? sql`` : sql` where property = ${text(propertyName)}`
  const isOfName = (item: Item) => propertyName === undefined || item.propertyName === propertyName
  return {
    from: sql`from ${rows} array join parsed.2 as property, parsed.3 as type${isNamed}`,
    cheaper: (toResult) => cheaper((shapes) => toResult(propertiesOfShapes(shapes).filter(isOfName))),
  }
}

/** The properties in these shapes; `total` is the number of events with each property. */
const propertiesOfShapes = (shapes: readonly Shape[]): Item[] =>
  shapes.flatMap(({ eventName, keys, types, events }) =>
    keys.map((propertyName, place) => ({ eventName, propertyName, dataType: types[place]!, total: events })),
  )

import type { Item } from '../../query/counted-list.ts'
import type { Scope } from '../../query/scope.ts'
import { type Shape, type Shapes, shapesOf } from '../../query/shapes.ts'
import { type Fragment, sql, text } from '../../query/sql.ts'
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

/** The shapes of the selected events. */
export const selectedShapes = ({ period, filters, eventName }: EventsInput, scope: Scope): Shapes =>
  shapesOf({ scope, period, filters }, { eventName })

/** The properties of these shapes; `total` counts the events with each property. */
export const propertiesOfShapes = (shapes: readonly Shape[]): Item[] =>
  shapes.flatMap(({ eventName, keys, types, events }) =>
    keys.map((propertyName, place) => ({ eventName, propertyName, dataType: types[place]!, total: events })),
  )

/** Restricts events to this name, if a name is given. */
export const hasEventName = (eventName: string | undefined): Fragment | undefined =>
  eventName === undefined ? undefined : sql`event_name = ${text(eventName)}`

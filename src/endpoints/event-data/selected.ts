import type { Item } from '../../query/counted-list.ts'
import type { Scope } from '../../query/scope.ts'
import { type Shape, type Shapes, shapesOf } from '../../query/shapes.ts'
import { type Fragment, sql, text } from '../../query/sql.ts'
import type { Filters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { freeText, group } from '../../request/query-string.ts'

/** The events of one name, where a request names one. */
export const eventNameGroup = group({ eventName: freeText('Only events of exactly this name.') }, ({ eventName }) => ({
  eventName,
}))

/** What a request says of the events that it is about. */
export interface EventsInput {
  readonly period: Period
  readonly filters: Filters
  readonly eventName?: string | undefined
}

/** The shapes of the events that a request selects. */
export const selectedShapes = ({ period, filters, eventName }: EventsInput, scope: Scope): Shapes =>
  shapesOf({ scope, period, filters }, { eventName })

/** The properties of the events that look alike; `total` is how many there are of each. */
export const propertiesOfShapes = (shapes: readonly Shape[]): Item[] =>
  shapes.flatMap(({ eventName, keys, types, events }) =>
    keys.map((propertyName, place) => ({ eventName, propertyName, dataType: types[place]!, total: events })),
  )

/** Only events of this name, where one is named. */
export const hasEventName = (eventName: string | undefined): Fragment | undefined =>
  eventName === undefined ? undefined : sql`event_name = ${text(eventName)}`

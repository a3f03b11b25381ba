import type { OperationId, OperationInput, OperationOutput } from '@umami/api-client'
import type * as z from 'zod'
import type * as eventData from '../src/endpoints/event-data.ts'
import type * as counts from '../src/endpoints/event-data-counts.ts'
import type * as pivot from '../src/endpoints/event-data-pivot.ts'
import type * as events from '../src/endpoints/events.ts'
import type * as websites from '../src/endpoints/websites.ts'

/**
 * Checked by `tsc -p test`, never run: our answers fit the types of the official client, where those and the contract
 * agree. Not checked, because its generated types are wrong (wire.md §17) and the contract wins:
 *
 * - `getWebsiteEventStats`: `comparison` is typed as an array with a `length` beside it; it is one object.
 * - `getEventDataStats`: typed as a bare object; it is an array of one.
 * - `getEventDataById`: `numberValue` is typed as the inside of a Decimal ({ d, e, s }), and the fields of a table that is
 *   not answered (`id`, `websiteEventId`) stand in place of `sessionId`, `eventId`, `urlPath` and `eventName`.
 * - `getEventDataProperties`: has a `dataType`; there is one row for an event's and a property's name, whatever its types.
 * - `getEventData`: checked but for `numberValue` and `dateValue`, which are null where a property is no number or date.
 * - `getEventDataFields`: checked, but its type lacks `value`.
 */
type Answer<Declared extends { readonly answer: z.ZodType }> = Sent<z.infer<Declared['answer']>>

/** As it is in JSON: what may be left out is never there as `undefined`. */
type Sent<Type> = Type extends readonly (infer Item)[]
  ? Sent<Item>[]
  : Type extends object
    ? { [Name in keyof Type]: Sent<Exclude<Type[Name], undefined>> }
    : Type

/** Its type where a number or a date may be missing. */
type WithNulls<Type> = Type extends readonly (infer Item)[]
  ? WithNulls<Item>[]
  : Type extends object
    ? { [Name in keyof Type]: Name extends 'numberValue' | 'dateValue' ? Type[Name] | null : WithNulls<Type[Name]> }
    : Type

/** Holds where every answer of ours is one of theirs. */
type Fits<Ours, Theirs> = [Ours] extends [Theirs] ? true : { ours: Ours; theirs: Theirs }

const holds = <_Check extends true>(): void => {}

export function answersFit(): void {
  holds<Fits<Answer<typeof events.events>, OperationOutput<'getWebsiteEvents'>>>()
  holds<Fits<Answer<typeof eventData.eventData>, WithNulls<OperationOutput<'getEventData'>>>>()
  holds<Fits<Answer<typeof counts.eventDataEvents>, OperationOutput<'getEventDataEvents'>>>()
  holds<Fits<Answer<typeof counts.eventDataFields>, OperationOutput<'getEventDataFields'>>>()
  holds<Fits<Answer<typeof counts.eventDataValues>, OperationOutput<'getEventDataValues'>>>()
  holds<Fits<Answer<typeof pivot.eventDataPivot>, OperationOutput<'getEventDataPivot'>>>()
  holds<Fits<Answer<typeof websites.listWebsites>, OperationOutput<'listWebsites'>>>()
  holds<Fits<Answer<typeof websites.createWebsite>, OperationOutput<'createWebsite'>>>()
  holds<Fits<Answer<typeof websites.getWebsite>, OperationOutput<'getWebsite'>>>()
  holds<Fits<Answer<typeof websites.deleteWebsite>, OperationOutput<'deleteWebsite'>>>()
}

/** The names of the input that an operation declares, without those that its index signature lets through. */
type Declared<Id extends OperationId> = keyof {
  [Name in keyof OperationInput<Id> as string extends Name ? never : Name]: true
}

type Ranged = 'websiteId' | 'startAt' | 'endAt' | 'browser' | 'match' | 'eventType' | 'excludeBounce' | 'segment'

/** The parameters that the tests use through the client's own types are declared there. */
export function parametersAreDeclared(): void {
  holds<
    Ranged | 'page' | 'pageSize' | 'maxResults' | 'search' | 'startDate' extends Declared<'getWebsiteEvents'>
      ? true
      : false
  >()
  holds<Ranged | 'compare' | 'unit' extends Declared<'getWebsiteEventStats'> ? true : false>()
  holds<Ranged | 'page' | 'pageSize' | 'maxResults' extends Declared<'getEventData'> ? true : false>()
  holds<Ranged | 'propertyName' | 'eventName' | 'dataType' extends Declared<'getEventDataValues'> ? true : false>()
  holds<Ranged | 'eventName' | 'page' | 'timezone' | 'unit' extends Declared<'getEventDataPivot'> ? true : false>()
}

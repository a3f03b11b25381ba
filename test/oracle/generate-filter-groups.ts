import * as fc from 'fast-check'
import type { Field } from './conditions.ts'
import { filtersOn } from './generate-filters.ts'
import { propertyFilterParameters } from './generate-property-filters.ts'
import { type Asking, anyFilters } from './generate-requests.ts'

/** Random filters that suit a request's subject. */
export type Filters = Asking['filters']

const on =
  (...fields: Field[]): Filters =>
  (endpoint, subject) =>
    filtersOn(endpoint, subject, ...fields)

const oneOf =
  (...some: Filters[]): Filters =>
  (...asked) =>
    fc.oneof(...some.map((filters) => filters(...asked)))

const fixed =
  (...parameters: [string, string][]): Filters =>
  () =>
    fc.constant(parameters)

const both =
  (one: Filters, other: Filters): Filters =>
  (...asked) =>
    fc.tuple(one(...asked), other(...asked)).map((drawn) => drawn.flat())

const matchingAny = (filters: Filters): Filters => both(filters, fixed(['match', 'any']))

const clients = oneOf(on('browser'), on('country'), on('os', 'country'), on('browser', 'device'))
const types = oneOf(fixed(['eventType', '1']), fixed(['eventType', '2']))

/** Filters of any kind, including segments and cohorts. */
export const anyGroup = 'of every kind'

/** Filters grouped by the columns that they read. Each group is answered from different tables. */
export const filterGroups: Readonly<Record<string, Filters>> = {
  none: fixed(),
  names: oneOf(on('event'), types, both(on('event'), types)),
  clients: oneOf(clients, matchingAny(clients)),
  'names and clients': oneOf(both(on('event'), clients), matchingAny(on('event', 'os')), both(clients, types)),
  places: oneOf(on('path'), on('hostname', 'browser'), on('event', 'path')),
  // Of all tables of counts, only the one of visits by day has cities.
  cities: on('city'),
  others: oneOf(on('referrer'), on('tag', 'browser'), matchingAny(on('title', 'event'))),
  bounces: both(fixed(['excludeBounce', 'true']), oneOf(fixed(), on('browser'))),
  properties: (endpoint, subject, _, timezone) =>
    propertyFilterParameters(subject, timezone, endpoint === 'event-data-pivot').filter((some) => some.length > 0),
  [anyGroup]: anyFilters,
}

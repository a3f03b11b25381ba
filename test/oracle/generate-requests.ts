import * as fc from 'fast-check'
import { filterParameters } from './generate-filters.ts'
import { parts, unknownText } from './generate-operands.ts'
import {
  always,
  comparisons,
  inAnyOrder,
  maybe,
  meaninglessOrder,
  meaninglessPages,
  nothing,
  slicing,
  together,
  units,
} from './generate-parameters.ts'
import { propertyFilterParameters } from './generate-property-filters.ts'
import { rangeParameters, timezones } from './generate-ranges.ts'
import { savedFor } from './generate-saved.ts'
import { eventsOf, oneOf, type Parameters, type Subject, subjects } from './generate-subject.ts'
import { once } from './generate-text.ts'
import type { World } from './generate-world.ts'
import { type Endpoint, type IngestRow, type OracleRequest, type Report, storedProperties } from './model.ts'
import type { Saved } from './saved.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead'

/** The sources for a request's range and filters. */
export type Asking = {
  ranges: (world: World, subject: Subject, timezone: string) => fc.Arbitrary<Parameters>
  filters: (endpoint: Report, subject: Subject, saved: Saved[], timezone: string) => fc.Arbitrary<Parameters>
}

/** Filters of any kind. */
export function anyFilters(
  endpoint: Report,
  subject: Subject,
  saved: Saved[],
  timezone: string,
): fc.Arbitrary<Parameters> {
  return together(
    filterParameters(endpoint, subject, saved),
    propertyFilterParameters(subject, timezone, endpoint.startsWith('event-data-pivot')),
  )
}

const anything: Asking = { ranges: rangeParameters, filters: anyFilters }

/** Valid requests for the websites in this world. */
export function requestsTo(world: World, endpoint: Endpoint, asking = anything): fc.Arbitrary<OracleRequest> {
  return websitesOf(world).chain(({ websiteId, rows }): fc.Arbitrary<OracleRequest> => {
    if (endpoint === 'event-data/:eventId') {
      return fc
        .tuple(eventIds(world.rows, rows), subjects(rows))
        .chain(([eventId, subject]) =>
          queries(world, endpoint, subject, [], asking).map((query) => ({ endpoint, websiteId, eventId, query })),
        )
    }
    return subjects(rows)
      .chain((subject) => fc.tuple(fc.constant(subject), savedFor(world, subject)))
      .chain(([subject, saved]) => queries(world, endpoint, subject, saved, asking).map((query) => ({ query, saved })))
      .map(({ query, saved }) => ({ endpoint, websiteId, query, saved: namedIn(query, saved) }))
  })
}

/** One of the world's websites, with its id in either case, and its events. */
export function websitesOf(world: World): fc.Arbitrary<{ websiteId: string; rows: IngestRow[] }> {
  return fc.tuple(fc.constantFrom(...world.websiteIds), once(6)).map(([id, isUpperCase]) => ({
    websiteId: isUpperCase ? id.toUpperCase() : id,
    rows: world.rows.filter((row) => row.website_id === id),
  }))
}

/** Ids of the website's own events, of other websites' events, and of no event. */
function eventIds(all: IngestRow[], own: IngestRow[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.oneof({ weight: 8, arbitrary: oneOf(own) }, { weight: 1, arbitrary: oneOf(all) }), once(6))
    .map(([row, isUpperCase]) => {
      const id = row?.event_id ?? UNKNOWN_ID
      return isUpperCase ? id.toUpperCase() : id
    })
}

/** The saved filters whose id is in the query. */
export function namedIn(query: Parameters, saved: Saved[]): Saved[] {
  return saved.filter(({ id }) => query.some(([, value]) => value.includes(id)))
}

function queries(
  world: World,
  endpoint: Endpoint,
  subject: Subject,
  saved: Saved[],
  { ranges, filters }: Asking,
): fc.Arbitrary<Parameters> {
  return fc
    .oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: timezones })
    .chain((timezone) =>
      fc.tuple(
        fc.constant<Parameters>(timezone === undefined ? [] : [['timezone', timezone]]),
        ranges(world, subject, timezone ?? 'UTC'),
        endpoint === 'daterange' || endpoint === 'event-data/:eventId'
          ? nothing
          : filters(endpoint, subject, saved, timezone ?? 'UTC'),
        ownParameters(endpoint, subject),
        once(8).chain((isGiven) => (isGiven ? meaningless(endpoint) : nothing)),
      ),
    )
    .chain((groups) => inAnyOrder(groups.flat()))
}

export const paging = together(
  maybe('page', fc.constantFrom('1', '1', '2', '2', '3', '50')),
  maybe('pageSize', fc.constantFrom('1', '2', '5', '1000', '1000')),
  maybe('maxResults', fc.constantFrom('1', '3', '10', '10000')),
)
/** Parameters that have no effect, although clients send them with every request. */
function meaningless(endpoint: Endpoint): fc.Arbitrary<Parameters> {
  const isPaged = ['events', 'event-data', 'event-data-pivot'].includes(endpoint)
  return together(
    units,
    meaninglessOrder,
    endpoint === 'events/stats' ? nothing : comparisons,
    isPaged ? nothing : meaninglessPages,
  )
}

/** An endpoint's parameters other than range and filters. */
function ownParameters(endpoint: Endpoint, subject: Subject): fc.Arbitrary<Parameters> {
  const names = maybe('eventName', eventNames(subject))
  const search = (ofEvents: 'events' | 'properties') => maybe('search', searches(subject, ofEvents))
  switch (endpoint) {
    case 'events':
      return together(paging, search('events'), names, maybe('include', fc.constant('distinctId')))
    case 'event-data':
      return together(paging, search('events'))
    case 'events/stats':
      return together(comparisons, search('events'))
    case 'event-data-pivot':
      return together(paging, search('events'), always('eventName', eventNames(subject)))
    case 'event-data/fields':
    case 'event-data/events':
      return together(slicing, search('properties'), names)
    case 'event-data/values':
      return together(slicing, valueParameters(subject))
    case 'event-data/properties':
      return together(slicing, search('properties'), names, maybe('propertyName', propertyNames(subject)))
    case 'event-data/stats':
      return together(search('events'), names)
    case 'event-data/:eventId':
      return search('properties')
    case 'daterange':
      return nothing
  }
}

/**
 * One property, usually of the requested event. The event is given under either parameter name, under both, or not at
 * all.
 */
function valueParameters(subject: Subject): fc.Arbitrary<Parameters> {
  return eventsOf(subject).chain((row) => {
    const named = row === undefined ? [] : storedProperties(row).filter((property) => property.key !== '')
    const event = row === undefined ? unknownText : fc.constant(row.event_name)
    return fc
      .tuple(eventByName(event), oneOf(named), fc.nat({ max: 7 }))
      .chain(([event, property, drawn]) =>
        fc.tuple(fc.constant({ event, property, drawn }), maybe('search', parts(property?.stringValue ?? 'pro'))),
      )
      .map(([{ event, property, drawn }, search]): Parameters => {
        const type = drawn === 0 ? '5' : drawn < 4 ? String(property?.dataType ?? 1) : undefined
        const dataType: Parameters = type === undefined ? [] : [['dataType', type]]
        return [...event, ['propertyName', property?.key ?? 'plan'], ...dataType, ...search]
      })
  })
}

function eventByName(eventNames: fc.Arbitrary<string>): fc.Arbitrary<Parameters> {
  const spellings = fc.constantFrom([], ['event'], ['event'], ['eventName'], ['event', 'eventName'])
  return fc
    .tuple(eventNames, spellings)
    .map(([eventName, names]) => names.map((name): [string, string] => [name, eventName]))
}

function propertyNames(subject: Subject): fc.Arbitrary<string> {
  const known = eventsOf(subject).chain((row) => oneOf(row === undefined ? [] : storedProperties(row)))
  return known.chain((property) => (property === undefined ? unknownText : fc.constant(property.key)))
}

function eventNames(subject: Subject): fc.Arbitrary<string> {
  const known = eventsOf(subject).chain((row) => (row === undefined ? unknownText : fc.constant(row.event_name)))
  return fc.oneof({ weight: 15, arbitrary: known }, { weight: 1, arbitrary: unknownText })
}

/** Usually part of the requested event's name, path or other texts. */
function searches(subject: Subject, ofEvents: 'events' | 'properties'): fc.Arbitrary<string> {
  const known = fc.tuple(eventsOf(subject), fc.nat()).chain(([row, drawn]) => {
    const properties = row === undefined || ofEvents === 'events' ? [] : storedProperties(row)
    const texts = [row?.event_name, row?.url_path, ...properties.flatMap(({ key, stringValue }) => [key, stringValue])]
    return parts(texts[drawn % texts.length] ?? 'sign')
  })
  return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: unknownText })
}

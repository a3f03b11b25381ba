import * as fc from 'fast-check'
import { METRIC_TYPES } from './breakdowns.ts'
import { FIELDS, fieldText, isField } from './conditions.ts'
import { bucketParameters } from './generate-buckets.ts'
import { filtersOn } from './generate-filters.ts'
import { parts, unknownText } from './generate-operands.ts'
import {
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
import { type Asking, anyFilters, namedIn, websitesOf } from './generate-requests.ts'
import { savedFor } from './generate-saved.ts'
import { eventsOf, oneOf, type Parameters, type Subject, subjects } from './generate-subject.ts'
import { once } from './generate-text.ts'
import type { World } from './generate-world.ts'
import { columnInstant } from './instants.ts'
import {
  ARRAY,
  BOOLEAN,
  CUSTOM_EVENT,
  DATE,
  type IngestRow,
  isAction,
  NUMBER,
  type OracleRequest,
  type Property,
  type Report,
  STRING,
  type Statistic,
  storedProperties,
} from './model.ts'
import type { Saved } from './saved.ts'

/** The statistics about one property, and the types that it may have. */
const PROPERTY_TYPES: { [statistic in Statistic]?: number[] } = {
  'event-data-pivot/property-series': [STRING, BOOLEAN],
  'event-data-pivot/array-series': [ARRAY],
  'event-data-pivot/date-series': [DATE],
  'event-data-pivot/numeric-series': [NUMBER],
  'event-data-pivot/numeric-stats': [NUMBER],
}

const WITH_UNITS: Statistic[] = [
  'pageviews',
  'events/series',
  'event-data-pivot/property-series',
  'event-data-pivot/array-series',
  'event-data-pivot/numeric-series',
]

/** Filters of every kind, often conditions on events, which views meet through their visit. */
export const filters: Asking['filters'] = (...asked) =>
  fc.oneof({ weight: 3, arbitrary: anyFilters(...asked) }, { weight: 1, arbitrary: visitFilters(...asked) })

const anything: Asking = { ranges: rangeParameters, filters }

/** Valid requests for a statistic about the websites in this world. */
export function statisticRequests(
  world: World,
  statistic: Statistic,
  asking = anything,
): fc.Arbitrary<OracleRequest<Statistic>> {
  return websitesOf(world).chain(({ websiteId, rows }) =>
    subjectsOf(statistic, rows).chain((subject): fc.Arbitrary<OracleRequest<Statistic>> => {
      if (statistic === 'active') return momentsAround(world, subject).map((drawn) => ({ websiteId, ...drawn }))
      return savedFor(world, subject).chain((saved) =>
        queries(world, statistic, subject, saved, asking).map((query) => ({
          endpoint: statistic,
          websiteId,
          query,
          saved: namedIn(query, saved),
        })),
      )
    }),
  )
}

/** Usually an event that has a property of the type that the statistic reads. */
function subjectsOf(statistic: Statistic, rows: IngestRow[]): fc.Arbitrary<Subject> {
  const types = PROPERTY_TYPES[statistic]
  const any = subjects(rows)
  if (types === undefined) return any
  const fitting = rows.filter((row) => isAction(row) && propertiesOfTypes(row, types).length > 0)
  const some = oneOf(fitting.length === 0 ? rows : fitting).map((anchor) => ({ rows, anchor }))
  return fc.oneof({ weight: 9, arbitrary: some }, { weight: 1, arbitrary: any })
}

function propertiesOfTypes(row: IngestRow, types: number[]): Property[] {
  return storedProperties(row).filter(({ key, dataType }) => key !== '' && types.includes(dataType))
}

/** The moment five minutes after an event, and moments shortly before and after it. */
function momentsAround(world: World, { anchor }: Subject) {
  const happened = anchor === undefined ? world.window.start : columnInstant(anchor.created_at)
  const ago = fc.oneof(fc.constantFrom(-1, 0, 1, 299_999, 300_000, 300_001), fc.nat({ max: 400_000 }))
  return fc
    .tuple(ago, maybe('timezone', timezones))
    .map(([ago, query]) => ({ endpoint: 'active' as const, query, now: happened + ago }))
}

function queries(
  world: World,
  statistic: Statistic,
  subject: Subject,
  saved: Saved[],
  { ranges, filters }: Asking,
): fc.Arbitrary<Parameters> {
  return fc
    .oneof(fc.constant(undefined), timezones)
    .chain((timezone) =>
      together(
        fc.constant<Parameters>(timezone === undefined ? [] : [['timezone', timezone]]),
        ranges(world, subject, timezone ?? 'UTC'),
        ownParameters(statistic, subject),
      ).chain((asked) =>
        together(
          fc.constant(asked),
          filters(statistic, subject, saved, timezone ?? 'UTC'),
          WITH_UNITS.includes(statistic) ? bucketParameters(statistic, subject.rows, asked) : nothing,
          once(8).chain((isGiven) => (isGiven ? meaningless(statistic) : nothing)),
        ),
      ),
    )
    .chain(inAnyOrder)
}

/** An endpoint's parameters other than range, buckets and filters. */
function ownParameters(statistic: Statistic, subject: Subject): fc.Arbitrary<Parameters> {
  switch (statistic) {
    case 'stats':
      return maybe('compare', fc.constantFrom('prev', 'yoy', 'none'))
    case 'pageviews':
      return together(comparisons, maybe('include', fc.constant('visits')))
    case 'metrics':
    case 'metrics/expanded':
      return typed(METRIC_TYPES, subject, (text) => parts(text))
    case 'values':
      return typed(FIELDS, subject, searchLists)
    case 'events/series':
      return maybe('limit', fc.constantFrom('1', '1', '2', '500'))
    case 'event-data-pivot/numeric-series':
      return together(propertyNames(statistic, subject), maybe('metric', fc.constantFrom('sum', 'avg', 'avg', 'count')))
    case 'active':
      return nothing
    default:
      return propertyNames(statistic, subject)
  }
}

/** A type, and a search among its values. */
function typed(
  types: readonly string[],
  subject: Subject,
  searches: (text: string) => fc.Arbitrary<string>,
): fc.Arbitrary<Parameters> {
  return fc.tuple(fc.constantFrom(...types), eventsOf(subject)).chain(([type, row]) => {
    const isKnown = row !== undefined && isField(type)
    const text = isKnown ? fc.constant(fieldText(row, type)) : fc.constantFrom('direct', 'Other', '/', 'o')
    return together(fc.constant<Parameters>([['type', type]]), maybe('search', text.chain(searches)), slicing)
  })
}

/** One to five texts, none of them empty. */
function searchLists(text: string): fc.Arbitrary<string> {
  const some = fc.oneof(parts(text), unknownText).map((part) => (part === '' ? 'o' : part))
  return fc
    .array(some, { minLength: 1, maxLength: 5 })
    .filter((texts) => texts.every((one) => !one.endsWith('\\')))
    .map((texts) => texts.map((one) => one.replaceAll(',', '\\,')).join(','))
}

/** The name of an event, and a property that the event has. */
function propertyNames(statistic: Statistic, subject: Subject): fc.Arbitrary<Parameters> {
  const types = PROPERTY_TYPES[statistic] ?? []
  const fitting = subject.rows.filter((row) => propertiesOfTypes(row, types).length > 0)
  return eventsOf({ ...subject, rows: fitting })
    .chain((row) =>
      fc.tuple(fc.constant(row), oneOf(row === undefined ? [] : propertiesOfTypes(row, types)), unknownText, once(15)),
    )
    .map(
      ([row, property, unknown, isUnknown]): Parameters => [
        ['eventName', isUnknown ? unknown : (row?.event_name ?? 'signup')],
        ['propertyName', property?.key ?? 'plan'],
      ],
    )
}

/** Parameters that have no effect, although clients send them with every request. */
function meaningless(statistic: Statistic): fc.Arbitrary<Parameters> {
  return together(
    WITH_UNITS.includes(statistic) ? nothing : units,
    statistic === 'stats' || statistic === 'pageviews' ? nothing : comparisons,
    meaninglessOrder,
    meaninglessPages,
  )
}

/** Conditions on events of the subject's visit, alone or combined with others by `and` or `or`. */
function visitFilters(
  report: Report,
  { rows, anchor }: Subject,
  _saved: Saved[],
  timezone: string,
): fc.Arbitrary<Parameters> {
  const ofVisit = rows.filter((row) => row.visit_id === anchor?.visit_id)
  const custom = ofVisit.filter((row) => row.event_type === CUSTOM_EVENT)
  return oneOf(custom.length === 0 ? rows : custom).chain((event) => {
    const subject = { rows: custom, anchor: event }
    return together(
      fc.oneof(
        filtersOn(report, subject, 'event'),
        filtersOn(report, subject, 'event', 'path'),
        filtersOn(report, subject, 'event', 'browser'),
        nothing,
      ),
      maybe('match', fc.constantFrom('all', 'any', 'any')),
      propertyFilterParameters({ rows: ofVisit, anchor: event }, timezone, report.startsWith('event-data-pivot')),
    )
  })
}

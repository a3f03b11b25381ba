import * as fc from 'fast-check'
import { UTM_TYPES } from './breakdown-report.ts'
import { FIELDS } from './conditions.ts'
import type { StepFilter } from './funnels.ts'
import { bucketsOfNames } from './generate-buckets.ts'
import { parts, unknownText } from './generate-operands.ts'
import {
  always,
  comparisons,
  inAnyOrder,
  maybe,
  meaninglessOrder,
  nothing,
  slicing,
  together,
  units,
} from './generate-parameters.ts'
import { propertyFilterParameters } from './generate-property-filters.ts'
import { exactly, rangeParameters, timezones } from './generate-ranges.ts'
import { namedIn, paging, websitesOf } from './generate-requests.ts'
import { savedFor } from './generate-saved.ts'
import { filters } from './generate-statistics.ts'
import { eventsOf, oneOf, type Parameters, type Subject, subjects } from './generate-subject.ts'
import { once, skewed } from './generate-text.ts'
import type { World } from './generate-world.ts'
import {
  type Analysis,
  ARRAY,
  BOOLEAN,
  CUSTOM_EVENT,
  DATE,
  type IngestRow,
  isAction,
  NUMBER,
  type OracleRequest,
  type Report,
  STRING,
  storedProperties,
} from './model.ts'
import { METRICS, VITAL_COLUMNS } from './performance.ts'
import { valueText } from './properties.ts'
import type { Saved } from './saved.ts'
import type { SessionRecord } from './session-records.ts'
import { compareEvents } from './visits.ts'

const UNKNOWN_SESSION = '00000000-0000-4000-8000-00000000dead'

/** The maximum number of names in a filled series in tests. */
const MOST_NAMES = 40

const WITH_UNITS: Analysis[] = [
  'session-data/property-series',
  'session-data/array-series',
  'session-data/numeric-series',
  'revenue/chart',
  'performance/chart',
]

/** The property types that an endpoint for session data reads. */
const PROPERTY_TYPES: { [endpoint in Analysis]?: number[] } = {
  'session-data/stats': [STRING],
  'session-data/property-series': [STRING, BOOLEAN],
  'session-data/array-series': [ARRAY],
  'session-data/date-series': [DATE],
  'session-data/numeric-series': [NUMBER],
  'session-data/numeric-stats': [NUMBER],
}

type Known = { subject: Subject; records: SessionRecord[] }

/** Valid requests to the endpoints in `reports.ts`, for this world's websites and session records. */
export function analysisRequests(world: World, endpoint: Analysis): fc.Arbitrary<OracleRequest<Analysis>> {
  const { records = [] } = world
  return websitesOf(world).chain(({ websiteId, rows }) =>
    subjects(rows).chain((subject): fc.Arbitrary<OracleRequest<Analysis>> => {
      const own = records.filter((one) => one.website_id === rows[0]?.website_id)
      const known = { subject, records: own }
      if (endpoint.startsWith('sessions/:sessionId')) return ofOneSession(world, endpoint, websiteId, known)
      return savedFor(world, subject).chain((saved) =>
        queries(world, endpoint, known, saved).map((query) => ({
          ...{ endpoint, websiteId, query, records },
          saved: namedIn(query, saved),
        })),
      )
    }),
  )
}

function ofOneSession(world: World, endpoint: Analysis, websiteId: string, { subject, records }: Known) {
  const ids = fc.tuple(eventsOf(subject), oneOf(records), fc.nat({ max: 11 }), once(6))
  const sessionIds = ids.map(([row, record, drawn, isUpperCase]) => {
    const known = drawn < 2 ? record?.session_id : row?.session_id
    const id = drawn === 11 ? UNKNOWN_SESSION : (known ?? UNKNOWN_SESSION)
    return isUpperCase ? id.toUpperCase() : id
  })
  const isActivity = endpoint === 'sessions/:sessionId/activity'
  const ranges = rangeParameters(world, subject, 'UTC')
  const distinctIds = fc.oneof(
    eventsOf(subject).map((row) => row?.distinct_id ?? ''),
    oneOf(records).map((record) => record?.distinct_id ?? 'user-1'),
  )
  const own = isActivity
    ? together(ranges, maybe('distinctId', distinctIds), maybe('search', labels(subject).chain(parts)), slicing)
    : fc.oneof(nothing, maybe('search', keys({ subject, records }).chain(parts)), ranges)
  return fc
    .tuple(sessionIds, own.chain(inAnyOrder))
    .map(([sessionId, query]) => ({ ...{ endpoint, websiteId, sessionId, query }, records: world.records ?? [] }))
}

function queries(world: World, endpoint: Analysis, known: Known, saved: Saved[]): fc.Arbitrary<Parameters> {
  const { subject } = known
  return fc
    .oneof(fc.constant(undefined), timezones)
    .chain((timezone = 'UTC') =>
      together(
        fc.constant<Parameters>([['timezone', timezone]]),
        endpoint === 'retention' ? longRanges(world, subject, timezone) : rangeParameters(world, subject, timezone),
        ownParameters(endpoint, known),
      ).chain((asked) =>
        together(
          fc.constant(asked),
          fc.oneof(
            { weight: 1, arbitrary: nothing },
            { weight: 2, arbitrary: filters(endpoint, subject, saved, timezone) },
          ),
          sessionFilters(endpoint, known, timezone),
          WITH_UNITS.includes(endpoint) ? buckets(endpoint, asked) : nothing,
          once(8).chain((isGiven) => (isGiven ? meaningless(endpoint) : nothing)),
        ),
      ),
    )
    .chain(inAnyOrder)
}

/** Ranges that often include the weeks before the window. */
function longRanges(world: World, subject: Subject, timezone: string): fc.Arbitrary<Parameters> {
  const start = world.window.start - 40 * 86_400_000
  return fc.oneof(rangeParameters(world, subject, timezone), exactly([start, world.window.end]))
}

/** Filters on values that the sessions have or had: `spf<N>` and, for session data, also `pf_…`. */
function sessionFilters(endpoint: Analysis, { records }: Known, timezone: string): fc.Arbitrary<Parameters> {
  return oneOf(records)
    .chain((anchor) =>
      propertyFilterParameters({ rows: records, anchor }, timezone, endpoint.startsWith('session-data')),
    )
    .map((parameters) => parameters.map(([name, value]) => [name.replace(/^epf/, 'spf'), value]))
}

/** Requests to any report, each with a filter on session properties. */
export function askedOfSessions<Asked extends Report>(
  { records = [] }: World,
  requests: fc.Arbitrary<OracleRequest<Asked>>,
): fc.Arbitrary<OracleRequest<Asked>> {
  return requests.chain((request) => {
    const timezone = request.query.find(([name]) => name === 'timezone')?.[1] ?? 'UTC'
    return oneOf(records)
      .chain((anchor) => propertyFilterParameters({ rows: records, anchor }, timezone, false))
      .filter((parameters) => parameters.length > 0)
      .map((parameters) => parameters.map(([name, value]): [string, string] => [name.replace(/^epf/, 'spf'), value]))
      .map((parameters) => ({ ...request, query: [...request.query, ...parameters] }))
  })
}

function buckets(endpoint: Analysis, asked: Parameters): fc.Arbitrary<Parameters> {
  const some = bucketsOfNames(MOST_NAMES, asked)
  if (endpoint !== 'performance/chart') return some
  return some.map((parameters) => parameters.filter(([name]) => name !== 'fill'))
}

/** Parameters that have no effect, although clients send them with every request. */
function meaningless(endpoint: Analysis): fc.Arbitrary<Parameters> {
  return together(
    WITH_UNITS.includes(endpoint) ? nothing : units,
    endpoint === 'revenue/stats' ? nothing : comparisons,
    meaninglessOrder,
  )
}

/** An endpoint's parameters other than range, buckets and filters. */
function ownParameters(endpoint: Analysis, known: Known): fc.Arbitrary<Parameters> {
  const { subject } = known
  const currency = always('currency', skewed('USD', 'usd', 'EUR', 'GBP', 'XXX'))
  const search = maybe('search', sessionSearches(subject))
  switch (endpoint) {
    case 'sessions':
      return together(paging, search)
    case 'session-data/properties':
      return together(slicing, maybe('propertyName', keys(known)), maybe('search', skewed('p', 'A', 'plan')))
    case 'session-data/values':
      return together(
        slicing,
        maybe('propertyName', keys(known)),
        maybe('dataType', fc.constantFrom('1', '2', '3', '4', '5', '5')),
        maybe('search', skewed('pro', 'R', '1')),
      )
    case 'session-data/stats':
      return together(slicing, always('propertyName', keys(known, STRING)))
    case 'session-data-pivot':
      return together(paging, always('propertyName', keys(known)))
    case 'session-data/numeric-series':
      return together(
        always('propertyName', keys(known, NUMBER)),
        maybe('metric', fc.constantFrom('sum', 'avg', 'avg', 'count')),
      )
    case 'session-data/property-series':
    case 'session-data/array-series':
    case 'session-data/date-series':
    case 'session-data/numeric-stats':
      return always('propertyName', keys(known, ...PROPERTY_TYPES[endpoint]!))
    case 'revenue/stats':
      return together(currency, comparisons)
    case 'revenue/chart':
      return currency
    case 'revenue/metrics':
      return together(currency, slicing, always('type', fc.constantFrom('country', 'region', 'referrer', 'channel')))
    case 'revenue/currencies':
      return together(slicing, maybe('search', skewed('u', 'US', 'X')))
    case 'revenue/sessions':
      return together(currency, paging, search)
    case 'goals/stats':
      return matching('value', subject)
    case 'funnels/stats':
      return funnels(subject)
    case 'journeys':
      return together(
        always('steps', fc.constantFrom('2', '3', '4', '7')),
        maybe('startStep', labels(subject)),
        maybe('endStep', labels(subject)),
        slicing,
      )
    case 'attribution':
      return together(
        matching('step', subject),
        always('model', fc.constantFrom('first-click', 'last-click')),
        maybe('currency', fc.constant('USD')),
        maybe('limit', fc.constantFrom('1', '2', '500')),
      )
    case 'breakdown':
      return together(always('fields', fieldLists), slicing)
    case 'utm/metrics':
      return together(always('type', fc.constantFrom(...UTM_TYPES)), slicing)
    case 'performance/chart':
      return maybe('metric', fc.constantFrom(...METRICS))
    case 'performance/metrics':
      return together(
        maybe('metric', fc.constantFrom(...METRICS)),
        always('type', fc.constantFrom(...Object.keys(VITAL_COLUMNS))),
        slicing,
      )
    default:
      return nothing
  }
}

/** Keys of session records that have a value of these types. */
function keys({ records }: Known, ...dataTypes: number[]): fc.Arbitrary<string> {
  const known = records
    .flatMap(storedProperties)
    .filter(({ key, dataType }) => key !== '' && (dataTypes.length === 0 || dataTypes.includes(dataType)))
  return fc.tuple(oneOf(known), once(15)).map(([one, isUnknown]) => (isUnknown ? 'nothing' : (one?.key ?? 'plan')))
}

function sessionSearches(subject: Subject): fc.Arbitrary<string> {
  return fc.tuple(eventsOf(subject), fc.nat({ max: 4 })).chain(([row, drawn]) => {
    const texts = row === undefined ? [] : [row.distinct_id, row.city, row.browser, row.os, row.device]
    return parts(texts[drawn] ?? 'user')
  })
}

/** The first characters of a text, without splitting any character. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The path of a view or the name of a custom event, truncated to the maximum length. */
function labels(subject: Subject): fc.Arbitrary<string> {
  return eventsOf({ ...subject, rows: subject.rows.filter(isAction) }).map((row) => {
    return cut(labelOf(row) || '/', 500)
  })
}

/** The text with a part of it, possibly empty, replaced by a star. */
function wildcards(text: string): fc.Arbitrary<string> {
  const characters = [...text]
  const half = Math.ceil(characters.length / 2)
  const [start, end] = [characters.slice(0, half).join(''), characters.slice(half).join('')]
  const some = [
    text,
    text,
    text,
    `${start}*`,
    `*${end}`,
    `*${characters.slice(1, half).join('')}*`,
    `${text}*`,
    `*${text}`,
    '*',
    `${start}*${end}`,
  ]
  return fc.constantFrom(...some).map((value) => cut(value, 500) || '*')
}

type Aim = { type: 'path' | 'event'; value: string }

function aims(subject: Subject): fc.Arbitrary<Aim> {
  const actions = subject.rows.filter(isAction)
  return fc.tuple(oneOf(actions), once(12), unknownText).chain(([row, isUnknown, unknown]) => {
    return aimsAt(row, isUnknown ? unknown : labelOf(row))
  })
}

function aimsAt(row: IngestRow | undefined, text: string): fc.Arbitrary<Aim> {
  const type = row?.event_type === CUSTOM_EVENT ? 'event' : 'path'
  return wildcards(cut(text, 490)).map((value): Aim => ({ type, value }))
}

/** The path of a view, or the name of a custom event. */
function labelOf(row: IngestRow | undefined): string {
  return (row?.event_type === CUSTOM_EVENT ? row.event_name : row?.url_path) ?? '/'
}

function matching(name: 'value' | 'step', subject: Subject): fc.Arbitrary<Parameters> {
  return aims(subject).map(({ type, value }) => [
    ['type', type],
    [name, value],
  ])
}

function funnels(subject: Subject): fc.Arbitrary<Parameters> {
  const any = fc.array(oneStep(subject), { minLength: 2, maxLength: 4, size: 'max' })
  const steps = fc.oneof({ weight: 1, arbitrary: any }, { weight: 2, arbitrary: walked(subject) })
  const windows = fc.constantFrom('0.001', '0.5', '1', '60', '600', '1440', '5760', '525600', '525600')
  return together(
    always('window', windows),
    always(
      'steps',
      steps.map((some) => JSON.stringify(some)),
    ),
  )
}

/** One session's actions in order, with some of them left out. */
function walked(subject: Subject): fc.Arbitrary<Aim[]> {
  const own = subject.rows
    .filter((row) => isAction(row) && row.session_id === subject.anchor?.session_id)
    .toSorted(compareEvents)
  if (own.length < 2) return fc.array(aims(subject), { minLength: 2, maxLength: 3 })
  return fc
    .subarray(own, { minLength: 2, maxLength: Math.min(4, own.length) })
    .chain((some) => fc.tuple(...some.map((row) => aimsAt(row, labelOf(row)))))
}

function oneStep(subject: Subject): fc.Arbitrary<Aim & { filters?: StepFilter[] }> {
  return aims(subject).chain((aim) => {
    if (aim.type === 'path') return fc.constant(aim)
    const named = subject.rows.filter((row) => row.event_type === CUSTOM_EVENT).flatMap(storedProperties)
    const properties = oneOf(named.filter(({ key }) => key !== ''))
    const operators = fc.constantFrom<StepFilter['operator']>('eq', 'eq', 'neq', 'c', 'dnc')
    const filter = fc.tuple(properties, operators).map(([property, operator]): StepFilter[] => {
      if (property === undefined) return []
      return [{ property: property.key, operator, value: cut(valueText(property), 100) }]
    })
    return fc.oneof(
      fc.constant(aim),
      filter.map((filters) => ({ ...aim, filters })),
    )
  })
}

const fieldLists = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([fields, isJson]) => (isJson ? JSON.stringify(fields) : fields.join(',')))

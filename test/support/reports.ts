import { sections as allSections, type Section } from '../../src/access/opening.ts'
import { type AnyReport, sectionsOf } from '../../src/endpoints/endpoint.ts'
import { purchase } from '../../src/endpoints/examples.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { filters } from '../../src/request/filters.ts'
import { factsOf } from '../facts/index.ts'
import { eventOracle } from '../facts/oracles.ts'

/** Every report. A rule over this list also covers each new one. */
export const reports: readonly AnyReport[] = endpoints.filter((endpoint) => endpoint.kind === 'report')

/** A report of a website, with the values that tests need to request it. */
export interface ReportUnderTest {
  /** Its path below the website, as in the contract. */
  readonly name: string
  /** Its required parameters, the range included: its example. */
  readonly query: Readonly<Record<string, string | number>>
  /** Its other parameters that are not filters, each with a valid value. */
  readonly own: Readonly<Record<string, string>>
  /** Its sections; one open section suffices for shares and the public. */
  readonly sections: readonly Section[]
}

/** Parameters that open every section except those of the report. */
export const withoutSectionsOf = ({ sections }: ReportUnderTest): Readonly<Record<string, boolean>> =>
  Object.fromEntries(allSections.map((section) => [section, !sections.includes(section)]))

/** The event and the property for reports about one event or property. */
export const eventName = purchase.event_name
export const propertyName = 'plan'
export const eventId = purchase.event_id

const prefix = '/api/websites/:websiteId/'

/** Parameters that need others, replace others, change how a request is answered, or need heartbeats. */
const notAlone = ['startAt', 'endAt', 'startDate', 'endDate', 'cursor', 'minAsOf', 'deadline', 'dryRun']

type Doc = AnyReport['query']['parameters'][string]

const filterDocs = filters({ shorthand: 'properties' }).claims!.doc

function ownParameters({ query, example }: AnyReport): [string, Doc][] {
  const isFilter = ([name, doc]: [string, Doc]) => filterDocs[name]?.description === doc.description
  return Object.entries(query.parameters).filter(
    (entry) =>
      !isFilter(entry) &&
      !query.ignored.has(entry[0]) &&
      !notAlone.includes(entry[0]) &&
      !Object.hasOwn(example.query, entry[0]),
  )
}

/** A valid value of a parameter: the smallest that its documentation allows. */
function rightValue([name, { schema }]: [string, Doc]): [string, string] {
  if (name === 'event' || name === 'eventName') return [name, eventName]
  if (name === 'timezone') return [name, 'UTC']
  const [first] = (schema.enum ?? []) as readonly string[]
  return [name, String(first ?? schema.default ?? schema.minimum ?? 'x')]
}

const asTested = (report: AnyReport): ReportUnderTest => ({
  name: report.path.replace(prefix, ''),
  query: numbered(report.example.query),
  own: Object.fromEntries(ownParameters(report).map(rightValue)),
  sections: sectionsOpening(report),
})

/** The sections that open the example of a report. */
export function sectionsOpening(report: AnyReport): readonly Section[] {
  return sectionsOf(report, report.query.schema.parse(report.example.query) as object)
}

/** Converts times to numbers, so that tests can calculate with them. */
const numbered = (query: Readonly<Record<string, string>>): ReportUnderTest['query'] =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, /At$/.test(name) ? Number(value) : value]))

/**
 * The reports that list and count events. In the statistics of visits, events change what others count for: rules over
 * all reports are in test/rules.
 */
const eventReports = reports.filter((report) => factsOf(report).oracle === eventOracle)

export const everyReport: readonly ReportUnderTest[] = eventReports.map(asTested)

/** The reports over a range; they take filters. */
export const rangeReports = eventReports.filter(({ query }) => !query.ignored.has('startAt')).map(asTested)

/** The reports with pages. */
export const pagedReports = rangeReports.filter(({ own }) => 'page' in own)

/** The reports whose list is a bare array, with `limit` and `offset`. */
export const listReports = rangeReports.filter(({ own }) => 'limit' in own)

/** The path of a report for this website. */
export const reportPath = (websiteId: string, { name }: Pick<ReportUnderTest, 'name'>): string =>
  `/api/websites/${websiteId}/${name.replace(':eventId', eventId)}`

import { sections as allSections, type Section } from '../../src/access/opening.ts'
import { type AnyReport, sectionsOf } from '../../src/endpoints/endpoint.ts'
import { purchase } from '../../src/endpoints/examples.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { filters } from '../../src/request/filters.ts'

/** Every endpoint that reads events. A rule that runs over these runs over each one that is added. */
export const reports: readonly AnyReport[] = endpoints.filter((endpoint) => endpoint.kind === 'report')

/** A report of a website, as a test asks for it. */
export interface ReportUnderTest {
  /** Its path below the website, as the contract writes it. */
  readonly name: string
  /** What it cannot do without, the range included: its example. */
  readonly query: Readonly<Record<string, string | number>>
  /** Its further parameters that are no filters, each with a value that is right. */
  readonly own: Readonly<Record<string, string>>
  /** The sections of which one opens it to shares and to everyone. */
  readonly sections: readonly Section[]
}

/** What opens every section but those of the report. */
export const withoutSectionsOf = ({ sections }: ReportUnderTest): Readonly<Record<string, boolean>> =>
  Object.fromEntries(allSections.map((section) => [section, !sections.includes(section)]))

/** The event and the property that the reports over one of them are asked about. */
export const eventName = purchase.event_name
export const propertyName = 'plan'
export const eventId = purchase.event_id

const prefix = '/api/websites/:websiteId/'

/** Parameters that need others, or that stand for others that are given. */
const notAlone = ['startAt', 'endAt', 'startDate', 'endDate', 'cursor']

type Doc = AnyReport['query']['parameters'][string]

const filterDocs = filters({ shorthand: true }).claims!.doc

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

/** A right value of a parameter: the least that its documentation allows. */
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
  sections: sectionsOf(report, report.query.schema.parse(report.example.query) as object),
})

/** Moments as numbers, which tests calculate with. */
const numbered = (query: Readonly<Record<string, string>>): ReportUnderTest['query'] =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, /At$/.test(name) ? Number(value) : value]))

export const everyReport: readonly ReportUnderTest[] = reports.map(asTested)

/** Those over a range, which take filters. */
export const rangeReports = reports.filter(({ query }) => !query.ignored.has('startAt')).map(asTested)

/** Those that are paged. */
export const pagedReports = rangeReports.filter(({ own }) => 'page' in own)

/** The bare lists that take `limit` and `offset`. */
export const listReports = rangeReports.filter(({ own }) => 'limit' in own)

/** The path of a report of this website. */
export const reportPath = (websiteId: string, { name }: Pick<ReportUnderTest, 'name'>): string =>
  `/api/websites/${websiteId}/${name.replace(':eventId', eventId)}`

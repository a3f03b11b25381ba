import type { Section } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { purchase } from '../../src/endpoints/examples.ts'
import { sectionsOf } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { factsOf } from '../facts/index.ts'
import { eventOracle } from '../facts/oracles.ts'

/** Every report. A rule over this list also covers new reports. */
export const reports: readonly AnyReport[] = endpoints.filter((endpoint) => endpoint.kind === 'report')

/** The report with this path below a website. */
export const reportOf = ({ endpoint }: { readonly endpoint: string }): AnyReport =>
  reports.find(({ path }) => path === `/api/websites/:websiteId/${endpoint}`)!

/** The event and property for reports about a single event or property. */
export const eventName = purchase.event_name
export const propertyName = 'plan'
export const eventId = purchase.event_id

/** The sections that open a report's example. */
export function sectionsOpening(report: AnyReport): readonly Section[] {
  return sectionsOf(report, report.query.schema.parse(report.example.query) as object)
}

/** Whether a report accepts and reads these parameters. */
export const takes = ({ method, query }: AnyReport, ...names: readonly string[]): boolean =>
  method === 'get' && names.every((name) => name in query.parameters && !query.ignored.has(name))

/**
 * The reports that list and count events. The same examples suit all of them, unlike statistics about visits, in which
 * events affect how other events count. Rules over all reports are in test/rules.
 */
export const eventReports = reports.filter((report) => factsOf(report).oracle === eventOracle)

/** The reports over a range, which all accept filters. */
export const rangeReports = eventReports.filter((report) => takes(report, 'startAt'))

/** The paged reports. */
export const pagedReports = rangeReports.filter((report) => takes(report, 'page'))

/** The reports that return a bare array, with `limit` and `offset`. */
export const listReports = rangeReports.filter((report) => takes(report, 'limit'))

/** The list of events. It is tested as an example wherever test/rules tests the same rule for all reports. */
export const [events] = rangeReports as [AnyReport]

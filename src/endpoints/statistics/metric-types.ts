import type { Section } from '../../access/opening.ts'
import { type MetricType, metricTypes } from '../../query/figures/breakdowns.ts'
import type { SelectedEvents } from '../../query/language/scope.ts'
import { byFormerName } from '../../request/client-names.ts'
import type { Slice } from '../../request/page.ts'
import { group, oneOf, required } from '../../request/query-string.ts'

export interface MetricsInput extends SelectedEvents {
  readonly type: MetricType
  readonly search: string | undefined
  readonly slice: Slice
}

/** The parameter by which a metric is broken down. */
export const metricTypeGroup = group({
  type: required(byFormerName(oneOf('The field to break down by.', metricTypes))),
})

const overviewSections: readonly Section[] = ['overview']
const comparisonSections: readonly Section[] = ['overview', 'compare']
const visitorSections: readonly Section[] = ['overview', 'compare', 'sessions']
const personSections: readonly Section[] = ['compare', 'sessions']
const nameSections: readonly Section[] = ['compare', 'events']
const campaignSections: readonly Section[] = ['compare', 'utm']

const sectionsByType: Readonly<Record<MetricType, readonly Section[]>> = {
  path: comparisonSections,
  referrer: comparisonSections,
  hostname: comparisonSections,
  channel: comparisonSections,
  fullPath: overviewSections,
  title: overviewSections,
  query: overviewSections,
  domain: overviewSections,
  entry: overviewSections,
  exit: overviewSections,
  event: nameSections,
  tag: nameSections,
  utmSource: campaignSections,
  utmMedium: campaignSections,
  utmCampaign: campaignSections,
  utmContent: campaignSections,
  utmTerm: campaignSections,
  browser: visitorSections,
  os: visitorSections,
  device: visitorSections,
  country: visitorSections,
  region: visitorSections,
  city: visitorSections,
  screen: personSections,
  language: personSections,
  distinctId: [],
}

/** The sections that open a metric of this type; one open section suffices. No section opens distinct ids. */
export const metricSections = ({ type }: { readonly type: MetricType }): readonly Section[] => sectionsByType[type]

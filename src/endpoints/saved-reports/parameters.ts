import type { Issue } from '../../errors.ts'
import type { SavedReportType } from '../../metadata/reports.ts'
import { bodyGroups } from '../../request/common.ts'
import { filters } from '../../request/filters.ts'
import { funnelGroup } from '../../request/funnel.ts'
import { freeText, type Group, group, oneOf, type Query, query } from '../../request/query-string.ts'
import { type FiltersBeside, misshapen, parameterText, typedValue } from '../report-body.ts'
import { attributionGroup } from '../reports/attribution.ts'
import { fieldGroup } from '../reports/breakdown.ts'
import { goalGroup } from '../reports/goal.ts'
import { filtersOfJourney, journeyGroup, viewedFilters } from '../reports/journeys.ts'
import { vitalGroup } from '../reports/performance.ts'
import { currencyGroup } from '../revenue/sales.ts'

/** The query that reads the parameters of a report. */
interface Reading {
  readonly query: Query<object>
  readonly filtersBeside?: FiltersBeside
}

const reading = (...groups: readonly Group<object>[]): Reading => ({
  query: query(...groups, filters()).beside(...bodyGroups),
})

const heatmapGroup = group(
  { mode: oneOf('Clicks, or how far visitors scroll.', ['click', 'scroll']), urlPath: freeText('The path.') },
  () => ({}),
)

/** How each type of report reads its own parameters. The range is optional. */
const readings: Readonly<Record<SavedReportType, Reading>> = {
  attribution: reading(attributionGroup),
  breakdown: reading(fieldGroup),
  funnel: reading(funnelGroup),
  goal: reading(goalGroup),
  heatmap: reading(heatmapGroup),
  journey: { query: query(journeyGroup, viewedFilters).beside(...bodyGroups), filtersBeside: filtersOfJourney },
  performance: reading(vitalGroup),
  retention: reading(),
  revenue: reading(currencyGroup),
  utm: reading(),
}

/** The parameters of a report, each in its own type, whatever form a client sent it in. */
export function typedParameters(type: SavedReportType, parameters: object): Record<string, unknown> {
  const docs = readings[type].query.parameters
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      Object.hasOwn(docs, name) ? typedValue(docs[name]!, value) : value,
    ]),
  )
}

/** Reads the report's input from these parameters, or returns their faults. */
export function readParameters(
  type: SavedReportType,
  parameters: Readonly<Record<string, unknown>>,
): { readonly input: object } | { readonly faults: readonly Issue[] } {
  const { query, filtersBeside } = readings[type]
  const faults = misshapen(query, parameters, filtersBeside)
  if (faults.length > 0) return { faults }
  const texts = Object.entries(parameters).map(([name, value]) => [name, parameterText(value)])
  const { data, error } = query.schema.safeParse(Object.fromEntries(texts))
  if (data) return { input: data }
  return { faults: error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) }
}

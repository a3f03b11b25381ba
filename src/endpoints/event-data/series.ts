import { unfoldedWithFlags } from '../../query/figures/counts.ts'
import type { Scope } from '../../query/language/scope.ts'
import { type Fragment, sql, text, uint8s } from '../../query/language/sql.ts'
import { elements } from '../../query/tables/properties.ts'
import { canAnswer, isAction, rows } from '../../query/tables/rows.ts'
import { customEvents, eventData } from '../../query/tables/tables.ts'
import { filters } from '../../request/filters.ts'
import { freeText, group, required } from '../../request/query-string.ts'
import { inRange, purchase } from '../examples.ts'
import { type PropertyInput, propertySeries } from '../property-series.ts'

/** The name of a property and the name of its events, both as exact text. */
const property = group({
  eventName: required(freeText('Only events of exactly this name.')),
  propertyName: required(freeText('The exact name of the property.')),
})

/** If `event_data` lacks a column that a filter needs, the same rows are built from the arrays of `custom_events`. */
function typedRows(
  { period, filters, eventName = '', propertyName }: PropertyInput,
  types: readonly number[],
  scope: Scope,
  ...conditions: readonly Fragment[]
): Fragment {
  const selection = { scope, period, filters }
  const ofProperty = [
    ...[isAction, sql`event_name = ${text(eventName)}`, sql`data_key = ${text(propertyName)}`],
    ...[sql`data_type in ${uint8s(types)}`, sql`not is_void`],
    ...conditions,
  ]
  return canAnswer(eventData, selection)
    ? rows(eventData, selection, ofProperty)
    : rows(customEvents, selection, ofProperty, unfoldedWithFlags)
}

export const [
  getEventDataPropertySeries,
  getEventDataArraySeries,
  getEventDataDateSeries,
  getEventDataNumericSeries,
  getEventDataNumericStats,
] = propertySeries({
  about: (name, path, propertyName) => ({
    name: `getEventData${name}`,
    path: `/api/websites/:websiteId/event-data-pivot/${path}`,
    sections: ['events'],
    countsDeleted: true,
    example: { query: { ...inRange, eventName: purchase.event_name, propertyName }, events: [purchase] },
  }),
  summaries: {
    PropertySeries: 'The values of a text or boolean property over time.',
    ArraySeries: 'The elements of an array property over time.',
    DateSeries: 'Events by the date in their property, one row for each second.',
    NumericSeries: 'The sum, mean or count of a number property over time.',
    NumericStats: 'The total, mean, median, minimum and maximum of a number property; all 0 without values.',
  },
  property,
  filters: filters({ shorthand: 'properties' }),
  rows: (input, types, scope) => typedRows(input, types, scope),
  // An event is counted once per value, even if it has the property twice.
  values: (input, types, scope) => typedRows(input, types, scope, sql`not is_repeat`),
  moment: sql`created_at`,
  elements: elements(sql`value`),
  // A number's text has all of its digits.
  number: sql`toDecimal128OrZero(value, 4)`,
})

import { sql } from '../../query/language/sql.ts'
import { numberOfProperty, typedProperty } from '../../query/lists/session-data.ts'
import { elements } from '../../query/tables/properties.ts'
import { propertySeries } from '../property-series.ts'
import { aboutSessions, oneProperty, sessionFilters } from './selected.ts'

/** Each series uses the times of the identify calls, which may lie outside the range. */
export const [
  getSessionDataPropertySeries,
  getSessionDataArraySeries,
  getSessionDataDateSeries,
  getSessionDataNumericSeries,
  getSessionDataNumericStats,
] = propertySeries({
  about: (name, path, propertyName) => aboutSessions(`getSessionData${name}`, `session-data/${path}`, propertyName),
  summaries: {
    PropertySeries:
      'Sessions by the current value of a text or boolean property over time. Each is dated by its identify call.',
    ArraySeries: 'Sessions by the elements of a current array property over time. Each is dated by its identify call.',
    DateSeries: 'Sessions by the date in a current property, one row for each second.',
    NumericSeries:
      'The sum, mean or count of a current number property over time. Each value is dated by its identify call.',
    NumericStats:
      'The total, mean, median, minimum and maximum of a current number property of sessions; all 0 without values.',
  },
  property: oneProperty,
  filters: sessionFilters,
  rows: typedProperty,
  values: typedProperty,
  moment: sql`said_at`,
  elements: sql`arrayDistinct(${elements(sql`value`)})`,
  number: numberOfProperty,
})

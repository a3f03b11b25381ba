import { properties } from '../../query/figures/counts.ts'
import { sql, text, uint8 } from '../../query/language/sql.ts'
import { hasEventName } from '../../query/language/text.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { elements } from '../../query/tables/properties.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { dataTypes } from '../../request/property-filters.ts'
import { freeText, group, query, required, wholeNumber } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import type { EventsInput } from './selected.ts'

export const propertyType = wholeNumber(
  'Only properties of this type: 1 text, 2 number, 3 boolean, 4 date, 5 array. Of an array, its elements are counted.',
  { min: 1, max: 5 },
)

/** `event` and `eventName` are two names for the same parameter. */
const propertyGroup = group(
  {
    event: freeText('Only events of exactly this name; all events by default.'),
    eventName: freeText('The same as event.'),
    propertyName: required(freeText('The exact name of the property whose values are counted.')),
    dataType: propertyType,
  },
  ({ event, eventName, propertyName = '', dataType }, addIssue) => {
    if (event !== undefined && eventName !== undefined && event !== eventName) {
      addIssue('eventName', 'event and eventName mean the same: give one of them, or the same value in both.')
    }
    return { eventName: event ?? eventName, propertyName, dataType }
  },
)

interface ValuesInput extends EventsInput {
  readonly propertyName: string
  readonly dataType: number | undefined
}

export const getEventDataValues = report({
  name: 'getEventDataValues',
  path: '/api/websites/:websiteId/event-data/values',
  sections: ['events'],
  summary: 'Counts of the values of one property.',
  example: { query: { ...inRange, propertyName: 'plan' }, events: [purchase] },
  query: query(range, slices, propertyGroup, search('Part of a value, ignoring case.'), filters()),
  ...list({
    from: countedList({
      rows({ period, filters, eventName, propertyName, dataType }: ValuesInput, scope) {
        const ofProperty = [
          hasEventName(eventName),
          sql`data_key = ${text(propertyName)}`,
          dataType === undefined ? undefined : sql`data_type = ${uint8(dataType)}`,
        ]
        const element = dataType === dataTypes.array ? sql`arrayJoin(${elements(sql`value`)})` : sql`value`
        const rows = properties({ scope, period, filters }, ofProperty)
        return { from: sql`from (select ${element} as element, properties from ${rows})` }
      },
      by: ['total', 'value'],
      searched: ['value'],
      mayBeNothing: true,
    }),
    columns: { value: textColumn(sql`element`), total: integerColumn(sql`sum(properties)`) },
  }),
})

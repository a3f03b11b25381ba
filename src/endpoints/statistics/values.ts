import type { Section } from '../../access/opening.ts'
import { eventsByField } from '../../query/figures/counts.ts'
import type { SelectedEvents } from '../../query/language/scope.ts'
import { all, any, sql } from '../../query/language/sql.ts'
import { contains } from '../../query/language/text.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { fieldColumns } from '../../query/tables/columns.ts'
import { isForeignReferrer } from '../../query/tables/referrers.ts'
import { isAction } from '../../query/tables/rows.ts'
import { byFormerName } from '../../request/client-names.ts'
import { type Field, fieldNames } from '../../request/fields.ts'
import { filters } from '../../request/filters.ts'
import { parseCommaList } from '../../request/operators.ts'
import { slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, oneOf, query, required } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { metricSections } from './metric-types.ts'

const mostTexts = 5

/** The field, and the texts that its values contain. */
const fieldValues = group(
  {
    type: byFormerName(required(oneOf('The field whose values are counted.', fieldNames))),
    search: freeText(
      'Up to five texts, separated by commas; values that contain one of them, ignoring case. \\, is a comma.',
    ),
  },
  ({ type = 'path', search }, addIssue): { type: Field; texts: readonly string[]; search: undefined } => {
    const texts = search ? (parseCommaList(search, (message) => addIssue('search', message)) ?? []) : []
    if (texts.length > mostTexts) addIssue('search', `At most ${mostTexts} texts may be searched for.`)
    return { type, texts: texts.filter((text) => text !== ''), search: undefined }
  },
)

interface ValuesInput extends SelectedEvents {
  readonly type: Field
  readonly texts: readonly string[]
}

/** The sections of the reports that accept this field as a parameter: dashboards offer its values to choose from. */
const choosingSections = (type: Field): readonly Section[] =>
  type === 'path' || type === 'event' ? ['journeys', 'attribution'] : []

export const getWebsiteValues = report({
  name: 'getWebsiteValues',
  path: '/api/websites/:websiteId/values',
  sections: ({ type }) => [...metricSections({ type }), ...choosingSections(type)],
  unfilteredOf: ({ type }) => choosingSections(type),
  summary: 'The values of a field, and how many views and custom events have each; most frequent first.',
  example: { query: { ...inRange, type: 'path' }, events: [pageView] },
  query: query(range, fieldValues, slices, filters()),
  ...list({
    from: countedList({
      rows({ period, filters, type, texts }: ValuesInput, scope) {
        const value = fieldColumns[type]
        const isFound = any(...texts.map((one) => contains(value, one)))
        const isForeign = type === 'referrer' ? isForeignReferrer : undefined
        const conditions = [isAction, sql`${value} != ''`, isFound, isForeign]
        return { from: sql`from ${eventsByField(type, { scope, period, filters }, all(...conditions))}` }
      },
      by: ['count', 'value'],
      count: 'count',
      searched: [],
    }),
    columns: { value: textColumn(sql`element`), count: integerColumn(sql`sum(events)`) },
  }),
})

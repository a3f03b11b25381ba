import * as z from 'zod'
import { CountedName, countedNames } from '../../query/language/named-lists.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { any, commaList, sql } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { selectedViews } from '../../query/tables/views.ts'
import { filters } from '../../request/filters.ts'
import { firstOf, type Slice, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query, required } from '../../request/query-string.ts'
import { recordOfLists } from '../answers.ts'
import { analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const columns = {
  utm_source: sql`utm_source`,
  utm_medium: sql`utm_medium`,
  utm_campaign: sql`utm_campaign`,
  utm_term: sql`utm_term`,
  utm_content: sql`utm_content`,
} as const

type UtmParameter = keyof typeof columns

const utmParameters = Object.keys(columns) as UtmParameter[]

interface UtmInput extends SelectedEvents {
  readonly slice: Slice
}

const viewsByUtm = list({
  from: countedList({
    rows({ period, filters, type }: UtmInput & { readonly type: UtmParameter }, scope) {
      const views = selectedViews({ scope, period, filters }, sql`${columns[type]} != ''`)
      return { from: sql`from (select ${columns[type]} as element ${views})` }
    },
    by: ['views', 'utm'],
    count: 'views',
    searched: ['utm'],
  }),
  columns: { utm: textColumn(sql`element`), views: integerColumn(sql`count()`) },
})

const campaign = { ...pageView, utm_source: 'news', utm_medium: 'email', utm_campaign: 'spring' }

export const getWebsiteUtmMetrics = analysis({
  name: 'getWebsiteUtmMetrics',
  path: '/api/websites/:websiteId/utm/metrics',
  sections: ['utm'],
  countsDeleted: true,
  summary: 'The values of a UTM parameter, and the number of views with each; most frequent first.',
  example: { query: { ...inRange, type: 'utm_source' }, events: [campaign] },
  query: query(
    range,
    slices,
    group({ type: required(oneOf('The UTM parameter.', utmParameters)) }),
    search('Part of a value, ignoring case.'),
    filters(),
  ),
  ...viewsByUtm,
})

const UtmRows = () => z.array(z.object({ utm: z.string(), views: z.number().int() }).meta({ title: 'UtmCount' }))
/** Reads the values of all parameters in one pass. */
function allLists({ period, filters, slice }: UtmInput, scope: Scope) {
  const values = utmParameters.map((name) => columns[name])
  const hasAny = any(...values.map((value) => sql`${value} != ''`))
  const names = commaList(values)
  const views = sql`from (select ${names} ${selectedViews({ scope, period, filters }, hasAny)})`
  const counts = countedNames(sql`[${names}]`, values.length, views, slice)
  // Five lists may have more rows than the reader's profile allows by default.
  return select(CountedName)`${counts} settings max_result_rows = 50000`
}

export const getUtmReport = analysis({
  name: 'getUTMReport',
  method: 'post',
  path: '/api/reports/utm',
  sections: ['utm'],
  countsDeleted: true,
  summary: 'The values of all five UTM parameters, and the number of views with each; most frequent first.',
  example: { query: inRange, events: [campaign] },
  query: query(range, firstOf(500), filters()),
  answer: () =>
    z.object({
      utm_source: UtmRows(),
      utm_medium: UtmRows(),
      utm_campaign: UtmRows(),
      utm_term: UtmRows(),
      utm_content: UtmRows(),
    }),
  plan: (input, scope) => ({ lists: allLists(input, scope) }),
  shape: ({ lists: { rows } }) => ({
    body: recordOfLists(utmParameters, rows, ({ name, count }) => ({ utm: name, views: count })),
  }),
})

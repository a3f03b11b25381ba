import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import type { ValueOf } from '../../made.ts'
import { ascending, descending, limitTo, order } from '../../query/language/order.ts'
import { isFiltered, type Scope, visiblePeriod } from '../../query/language/scope.ts'
import { type Fragment, inGranules, instant, milliseconds, sql, union } from '../../query/language/sql.ts'
import { type Result, type Statement, select } from '../../query/language/statement.ts'
import { wholeDays } from '../../query/language/time.ts'
import { rows } from '../../query/tables/rows.ts'
import { dailyShapes, events } from '../../query/tables/tables.ts'
import { noFilters } from '../../request/filters.ts'
import { always } from '../../request/period.ts'
import { dayLength } from '../../request/time-zone.ts'
import { timeOrNull } from '../answers.ts'
import { report } from '../endpoint.ts'
import { pageView } from '../examples.ts'

const FirstAndLast = () => z.object({ first: z.number(), last: z.number(), found: z.number() })

type FirstAndLast = ValueOf<typeof FirstAndLast>

/**
 * The first event in this sort direction. The statement reads only one end of the primary key, regardless of the number
 * of events.
 */
const firstBy = (direction: typeof ascending, scope: Scope, isNear?: Fragment): Fragment => {
  const selection = { scope, period: always, filters: noFilters }
  return sql`
  select toUnixTimestamp64Milli(created_at) as milliseconds
  ${inGranules(rows(events, selection, [isNear]), { most: 1, isUnsure: isFiltered(selection) })}
  ${limitTo(order([direction(sql`created_at`), direction(sql`event_id`)]), 1)}`
}

/** The times of the first and the last event; `near`: the days on which to look for them. */
const firstAndLast = (scope: Scope, near?: Days): Statement<FirstAndLast> => select(FirstAndLast)`
  select min(milliseconds) as first, max(milliseconds) as last, count() as found
  from ${union([
    firstBy(ascending, scope, near && sql`created_at < ${instant(near.first + dayLength)}`),
    firstBy(descending, scope, near && sql`created_at >= ${instant(near.last)}`),
  ])}`

/** The starts of the first and the last day with events, in milliseconds; `counted` is 0 without any. */
const Days = () => z.object({ first: z.number(), last: z.number(), counted: z.number() })

type Days = ValueOf<typeof Days>

/**
 * How long an isolate caches the days, in milliseconds; only briefly if there are none, since an event may come soon.
 */
const keptFor = { days: 600_000, none: 10_000 } as const

/**
 * To find the first or the last row of a website, ClickHouse opens every month of events. `daily_shapes` provides the
 * first and the last day at little cost. These days only narrow the search. If an event is found by the end of the
 * first day, it is the first event; if one is found from the start of the last day on, it is the last event, whatever
 * has changed since.
 */
function nearDays(scope: Scope): Pick<Statement<FirstAndLast>, 'wants' | 'cheaper'> {
  const counted = {
    scope,
    period: wholeDays(visiblePeriod({ scope, period: always, filters: noFilters })),
    filters: noFilters,
  }
  const startOf = (day: Fragment) => sql`toInt64(toInt32(${day})) * ${milliseconds(dayLength)}`
  const key = `days ${counted.period.startAt}`
  const wants = {
    key,
    statement: select(Days)`
      select ${startOf(sql`min(day)`)} as first, ${startOf(sql`max(day)`)} as last, count() as counted
      ${rows(dailyShapes, counted)}`,
    lasts: ({ rows: [near] }: Result<Days>) => (near!.counted > 0 ? keptFor.days : keptFor.none),
  }
  const near = scope.known?.found.get(key)?.rows[0] as Days | undefined
  if (!near || near.counted === 0) return { wants }
  const result = ([found]: readonly Result<FirstAndLast>[]) => (found!.rows[0]!.found === 2 ? found : undefined)
  return { wants, cheaper: [{ statements: [firstAndLast(scope, near)], result }] }
}

export const getWebsiteDateRange = report({
  name: 'getWebsiteDateRange',
  path: '/api/websites/:websiteId/daterange',
  sections,
  countsDeleted: true,
  summary: 'The times of the website’s first and last event; null without events.',
  example: { query: {}, events: [pageView] },
  answer: () => z.object({ startDate: z.string().nullable(), endDate: z.string().nullable() }),
  plan: (_, scope) => ({
    ends: {
      ...firstAndLast(scope),
      ...(!isFiltered({ scope, period: always, filters: noFilters }) && nearDays(scope)),
    },
  }),
  shape({ ends }) {
    const { first, last, found } = ends.rows[0]!
    const [startDate, endDate] = found === 0 ? [null, null] : [first, last]
    return { body: { startDate: timeOrNull(startDate), endDate: timeOrNull(endDate) } }
  },
})

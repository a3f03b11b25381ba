import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { datesOfActions } from '../../query/figures/actions.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { type Results, select } from '../../query/language/statement.ts'
import { labelled } from '../../query/tables/buckets.ts'
import { filters } from '../../request/filters.ts'
import { zonedRange } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type AnyReport, analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { byBucket, refuseLonger } from '../longest-series.ts'

interface RetentionInput extends SelectedEvents {
  readonly zone: string
}

/** A date, and how many of the sessions that began on this date returned on each later day. Day 0 comes first. */
const FirstDate = () => z.object({ bucket: z.string(), returns: z.array(z.tuple([z.number(), z.number()])) })

type RetentionRows = { dates: ValueOf<typeof FirstDate> }

const retentionPlan = ({ period, zone, filters }: RetentionInput, scope: Scope) => ({
  dates: select(FirstDate)`
    select bucket, arraySort(groupArray((later, sessions))) as returns
    from (
      select toString(toDate32(first_date)) as bucket, later, count() as sessions
      from (
        select arrayDistinct(groupArray(date)) as dates, arrayMin(dates) as first_date
        ${datesOfActions({ scope, period, filters }, zone)}
        group by session_id
      )
      array join arrayMap(date -> date - first_date, dates) as later
      where later <= 31
      group by first_date, later
    )
    group by bucket
    ${byBucket}`,
})

const Retention = () =>
  z.array(
    z
      .object({
        date: z.string(),
        day: z.number().int(),
        visitors: z.number().int(),
        returnVisitors: z.number().int(),
        percentage: z.number(),
      })
      .meta({ title: 'RetentionDay' }),
  )

function shape({ dates: { rows } }: Results<RetentionRows>, { period, zone }: RetentionInput) {
  refuseLonger(
    rows.reduce((sum, { returns }) => sum + returns.length, 0),
    'endAt',
  )
  const body = labelled(rows, period, { unit: 'day', zone, fill: false }).flatMap(({ label, rows: [first] }) => {
    const visitors = first!.returns[0]![1]
    return first!.returns.map(([day, returnVisitors]) => ({
      date: label,
      day,
      visitors,
      returnVisitors,
      percentage: (100 * returnVisitors) / visitors,
    }))
  })
  return { body }
}

const retention = {
  sections: ['retention'],
  countsDeleted: true,
  summary: 'How many visitors of each date came back on each of the next 31 days.',
  example: { query: inRange, events: [pageView] },
  query: query(zonedRange, filters()),
  answer: Retention,
  plan: retentionPlan,
  shape,
} as const

export const getWebsiteRetention: AnyReport = analysis({
  ...retention,
  name: 'getWebsiteRetention',
  path: '/api/websites/:websiteId/retention',
})

export const getRetentionReport: AnyReport = analysis({
  ...retention,
  name: 'getRetentionReport',
  method: 'post',
  path: '/api/reports/retention',
})

import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { type ClickModel, creditedTouches, touchLists } from '../../query/figures/touches.ts'
import { eventsOfStep, type Step } from '../../query/figures/wildcards.ts'
import { CountedName, countedNames } from '../../query/language/named-lists.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { sql } from '../../query/language/sql.ts'
import { type Plan, type Results, select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { firstOf, type Slice } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, oneOf, query, required, shortText } from '../../request/query-string.ts'
import { recordOfLists } from '../answers.ts'
import { type AnyReport, analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

interface AttributionInput extends SelectedEvents {
  readonly slice: Slice
  readonly model: ClickModel
  readonly type: Step['type']
  readonly step: string
}

export const attributionGroup = group(
  {
    model: required(
      oneOf('Which touch gets the credit: the first or the last one that is not direct.', [
        'first-click',
        'last-click',
      ]),
    ),
    type: required(oneOf('The kind of conversion: a view of a path, or a custom event.', ['path', 'event'])),
    step: required(freeText('The path or the event name. A * at its start or end matches any text.')),
    currency: shortText('Clients send it. It has no effect.', 10),
  },
  ({ model = 'first-click', type = 'path', step = '' }, addIssue) => {
    if (step === '') addIssue('step', 'Must not be empty.')
    return { model, type, step }
  },
)

const Total = () => z.object({ pageviews: z.number().int(), visitors: z.number().int(), visits: z.number().int() })

type AttributionRows = { names: ValueOf<typeof CountedName>; total: ValueOf<typeof Total> }

function attributionPlan(
  { period, filters, slice, model, type, step }: AttributionInput,
  scope: Scope,
): Plan<AttributionRows> {
  const selection = { scope, period, filters }
  const conversions = eventsOfStep(selection, { type, value: step })
  const touches = creditedTouches(selection, conversions, model)
  return {
    // Seven lists may have more rows than the reader's profile allows by default.
    names: select(CountedName)`
      ${countedNames(sql`names`, touchLists.length, touches, slice)} settings max_result_rows = 70000`,
    total: select(Total)`
      select count() as pageviews, ${ofEvents.visitors} as visitors, ${ofEvents.visits} as visits ${conversions}`,
  }
}

const Names = () => z.array(z.object({ name: z.string(), value: z.number().int() }).meta({ title: 'NamedCount' }))

const Attribution = titled('Attribution', () =>
  z.object({
    referrer: Names(),
    paidAds: Names(),
    utm_source: Names(),
    utm_medium: Names(),
    utm_campaign: Names(),
    utm_content: Names(),
    utm_term: Names(),
    total: Total(),
  }),
)

function shape({ names, total }: Results<AttributionRows>) {
  const lists = recordOfLists(touchLists, names.rows, ({ name, count }) => ({ name, value: count }))
  return { body: { ...lists, total: total.rows[0]! } }
}

const attribution = {
  sections: ['attribution'],
  countsDeleted: true,
  summary: 'Where converting sessions came from. One visit of each session gets the credit.',
  example: {
    query: { ...inRange, model: 'first-click', type: 'path', step: '/pricing' },
    events: [{ ...pageView, utm_source: 'news' }],
  },
  query: query(range, attributionGroup, firstOf(500), filters()),
  answer: Attribution,
  plan: attributionPlan,
  shape,
} as const

export const getWebsiteAttribution: AnyReport = analysis({
  ...attribution,
  name: 'getWebsiteAttribution',
  path: '/api/websites/:websiteId/attribution',
})

export const getAttributionReport: AnyReport = analysis({
  ...attribution,
  name: 'getAttributionReport',
  method: 'post',
  path: '/api/reports/attribution',
})

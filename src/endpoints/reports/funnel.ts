import * as z from 'zod'
import type { Condition } from '../../access/filters.ts'
import type { ValueOf } from '../../made.ts'
import { reachedSteps } from '../../query/figures/funnel.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { type Results, select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { type FunnelStep, funnelGroup } from '../../request/funnel.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type AnyReport, analysis } from '../endpoint.ts'
import { inRange, pageView, purchase } from '../examples.ts'

export interface FunnelInput extends SelectedEvents {
  readonly window: number
  readonly steps: readonly FunnelStep[]
}

/** How many sessions reach exactly this number of steps. */
const Reached = () => z.object({ reached: z.number(), sessions: z.number() })

type FunnelRows = { sessions: ValueOf<typeof Reached> }

const funnelPlan = ({ period, filters, window, steps }: FunnelInput, scope: Scope) => ({
  sessions: select(Reached)`
    select reached, count() as sessions
    from ${reachedSteps({ scope, period, filters }, steps, window)}
    group by reached`,
})

const Funnel = () =>
  z.array(
    z
      .object({
        type: z.string(),
        value: z.string(),
        filters: z.array(z.object({ property: z.string(), operator: z.string(), value: z.string() })).optional(),
        visitors: z.number().int(),
        previous: z.number().int(),
        dropped: z.number().int(),
        dropoff: z.number(),
        remaining: z.number(),
      })
      .meta({ title: 'FunnelStep' }),
  )

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

function shape({ sessions: { rows } }: Results<FunnelRows>, { steps }: FunnelInput) {
  const visitorsOf = (index: number) =>
    rows.reduce((sum, { reached, sessions }) => sum + (reached > index ? sessions : 0), 0)
  const body = steps.map(({ type, value, filters }, index) => {
    const visitors = visitorsOf(index)
    const previous = index === 0 ? 0 : visitorsOf(index - 1)
    const dropped = index === 0 ? 0 : previous - visitors
    return {
      ...{ type, value, ...(filters && { filters }), visitors, previous, dropped },
      dropoff: share(dropped, previous),
      remaining: share(visitors, visitorsOf(0)),
    }
  })
  return { body }
}

const steps = [
  { type: 'path', value: pageView.url_path },
  { type: 'event', value: purchase.event_name },
]

/** The conditions of the steps' filters, which read event properties. */
const conditionsOf = ({ steps = [] }: Partial<FunnelInput>): Condition[] =>
  steps.flatMap(({ filters = [] }, index) =>
    filters.length > 0 ? [{ kind: 'epf', parameter: `steps.${index}.filters` }] : [],
  )

export const funnel = {
  sections: ['funnels'],
  countsDeleted: true,
  conditionsOf,
  summary: 'How many sessions reach each funnel step within the window after the step before.',
  example: { query: { ...inRange, window: '60', steps: JSON.stringify(steps) }, events: [pageView, purchase] },
  query: query(range, funnelGroup, filters()),
  answer: Funnel,
  plan: funnelPlan,
  shape,
} as const

export const getWebsiteFunnelStats: AnyReport = analysis({
  ...funnel,
  name: 'getWebsiteFunnelStats',
  path: '/api/websites/:websiteId/funnels/stats',
})

export const getFunnelReport: AnyReport = analysis({
  ...funnel,
  name: 'getFunnelReport',
  method: 'post',
  path: '/api/reports/funnel',
})

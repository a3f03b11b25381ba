import * as z from 'zod'
import { sessionsOfActions } from '../../query/figures/actions.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { eventsOfStep, type Step } from '../../query/figures/wildcards.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import type { Fragment } from '../../query/language/sql.ts'
import { type Statement, select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query, required, shortText } from '../../request/query-string.ts'
import { analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const goalValue = shortText('The path or the event name; a * at its start or its end matches any text.', 500)

export const goalGroup = group(
  {
    type: required(oneOf('Whether the value is a path or an event name.', ['path', 'event'])),
    value: required(goalValue),
  },
  ({ type = 'path', value = '' }): { step: Step } => ({ step: { type, value } }),
)

export interface GoalInput extends SelectedEvents {
  readonly step: Step
}

const Sessions = () => z.object({ sessions: z.number() })

const sessionsOf = (from: Fragment): Statement<{ sessions: number }> =>
  select(Sessions)`select ${ofEvents.visitors} as sessions ${from}`

export const goal = {
  sections: ['goals'],
  countsDeleted: true,
  summary: 'The number of sessions that reached a path or an event, and of all sessions.',
  example: { query: { ...inRange, type: 'path', value: '/pric*' }, events: [pageView] },
  query: query(range, goalGroup, filters()),
  answer: () => z.object({ num: z.number().int(), total: z.number().int() }).meta({ title: 'GoalResult' }),
  plan: ({ period, filters, step }: GoalInput, scope: Scope) => ({
    num: sessionsOf(eventsOfStep({ scope, period, filters }, step)),
    total: sessionsOf(sessionsOfActions({ scope, period, filters })),
  }),
  shape: ({ num, total }: Readonly<Record<'num' | 'total', { readonly rows: readonly { sessions: number }[] }>>) => ({
    body: { num: num.rows[0]!.sessions, total: total.rows[0]!.sessions },
  }),
} as const

export const getWebsiteGoalStats = analysis({
  ...goal,
  name: 'getWebsiteGoalStats',
  path: '/api/websites/:websiteId/goals/stats',
})

export const getGoalReport = analysis({
  ...goal,
  name: 'getGoalReport',
  method: 'post',
  path: '/api/reports/goal',
})

export const getGoalsReport = analysis({
  ...goal,
  name: 'getGoalsReport',
  method: 'post',
  path: '/api/reports/goals',
  aliasOf: 'goal',
  summary: 'The report goal under its former name, goals.',
})

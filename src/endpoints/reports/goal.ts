import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { sessionsOfActions } from '../../query/figures/actions.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { eventsOfStep, type Step, stepMatch } from '../../query/figures/wildcards.ts'
import { type Scope, type SelectedEvents, type Selection, visiblePeriod } from '../../query/language/scope.ts'
import type { Fragment } from '../../query/language/sql.ts'
import { type Plan, type Results, type Statement, select } from '../../query/language/statement.ts'
import { millisecondsIn } from '../../query/language/time.ts'
import { selectedActions } from '../../query/tables/views.ts'
import { filters } from '../../request/filters.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query, required, shortText } from '../../request/query-string.ts'
import { dayLength } from '../../request/time-zone.ts'
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

const Both = () => z.object({ num: z.number(), total: z.number() })

/** In a short range, one read of the actions is faster than two. */
const bothOf = (selection: Selection, step: Step): Statement<ValueOf<typeof Both>> => select(Both)`
  select uniqExactIf(session_id, ${stepMatch(step)}) as num, ${ofEvents.visitors} as total ${selectedActions(selection)}`

type GoalRows = { both?: ValueOf<typeof Both>; num?: { sessions: number }; total?: { sessions: number } }

const sessionsOf = (from: Fragment): Statement<{ sessions: number }> =>
  select(Sessions)`select ${ofEvents.visitors} as sessions ${from}`

export const goal = {
  sections: ['goals'],
  countsDeleted: true,
  summary: 'The number of sessions that reached a path or an event, and of all sessions.',
  example: { query: { ...inRange, type: 'path', value: '/pric*' }, events: [pageView] },
  query: query(range, goalGroup, filters()),
  answer: () => z.object({ num: z.number().int(), total: z.number().int() }).meta({ title: 'GoalResult' }),
  plan({ period, filters, step }: GoalInput, scope: Scope): Plan<GoalRows> {
    const selection = { scope, period, filters }
    if (millisecondsIn(visiblePeriod(selection)) <= dayLength) return { both: bothOf(selection, step) }
    return {
      num: sessionsOf(eventsOfStep(selection, step)),
      total: sessionsOf(sessionsOfActions(selection)),
    }
  },
  shape: ({ both, num, total }: Results<GoalRows>) => ({
    body: both?.rows[0] ?? { num: num!.rows[0]!.sessions, total: total!.rows[0]!.sessions },
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

import { invalid } from '../../errors.ts'
import type { SavedReport } from '../../metadata/reports.ts'
import type { SelectedEvents } from '../../query/language/scope.ts'
import { filters } from '../../request/filters.ts'
import { range } from '../../request/period.ts'
import { type Query, query } from '../../request/query-string.ts'
import { type AnyReport, analysis } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { type FunnelInput, funnel } from '../reports/funnel.ts'
import { type GoalInput, goal } from '../reports/goal.ts'
import { ofType, type TypeOfWebsite } from './answer.ts'
import { readParameters } from './parameters.ts'

/**
 * Runs the saved report that the path identifies. The saved report provides a part of the input; the range and the
 * filters come from the request.
 */
const savedAs = (type: TypeOfWebsite) => ({
  refuses: ['not-found'] as const,
  saved: {
    idName: `${type}Id`,
    inputOf(found: SavedReport | undefined, websiteId: string): object {
      const { parameters } = ofType(type, found, websiteId)
      const read = readParameters(type, { ...parameters })
      if ('input' in read) return read.input
      throw invalid(read.faults.map(({ path, message }) => ({ path: `parameters.${path}`, message })))
    },
  },
})

/** The query string contains only the range and the filters. */
const asked = <Input extends SelectedEvents>() => query(range, filters()) as Query<unknown> as Query<Input>

/** Splits a report's example: its own parameters are saved. */
function savedExample<Example extends { readonly query: Readonly<Record<string, string>> }>(example: Example) {
  const own = Object.entries(example.query).filter(([name]) => !Object.hasOwn(inRange, name))
  return { ...example, query: inRange, saved: Object.fromEntries(own) }
}

export const getWebsiteSavedFunnelStats: AnyReport = analysis({
  ...funnel,
  ...savedAs('funnel'),
  name: 'getWebsiteSavedFunnelStats',
  path: '/api/websites/:websiteId/funnels/:funnelId/stats',
  summary: 'How many sessions reach each step of a saved funnel.',
  example: savedExample(funnel.example),
  query: asked<FunnelInput>(),
})

export const getWebsiteSavedGoalStats: AnyReport = analysis({
  ...goal,
  ...savedAs('goal'),
  name: 'getWebsiteSavedGoalStats',
  path: '/api/websites/:websiteId/goals/:goalId/stats',
  summary: 'The number of sessions that reached a saved goal, and of all sessions.',
  example: savedExample(goal.example),
  query: asked<GoalInput>(),
})

import * as z from 'zod'
import type { AnyReport } from '../../../src/endpoints/endpoint.ts'
import type { Knowledge } from '../../../src/query/language/known.ts'
import { compile, type Result, type Statement, select, sql } from '../../../src/query/language/sql.ts'
import { isAction, rows } from '../../../src/query/tables/rows.ts'
import { events } from '../../../src/query/tables/tables.ts'
import { noFilters } from '../../../src/request/filters.ts'
import { inputOf } from '../../support/questions.ts'
import { reports } from '../../support/reports.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { ranges } from '../requests.ts'
import { hour, type StatisticsCell, units } from '../statistics/grid.ts'
import type { Asked, Compared } from './compared.ts'
import { ofReports } from './reports.ts'
import { ofSessions } from './sessions.ts'

const groups = { sessions: ofSessions, reports: ofReports } as const

/** The two benchmarks of these cells. */
export type Group = keyof typeof groups

export const comparedEndpoints: readonly string[] = [...ofSessions, ...ofReports].map(({ endpoint }) => endpoint)

const wholeRanges = ranges.filter(({ range }) => range !== '24 hours')

/** Every question of the group × range of one website, up to the last whole hour of its data. */
export const comparedCells = (
  group: Group,
  websiteId: string,
  to: number,
  sessionIds: readonly string[],
): StatisticsCell[] =>
  groups[group].flatMap((compared) =>
    (compared.takesNoRange ? wholeRanges.slice(-1) : wholeRanges).map(({ range, length }) =>
      cellOf(compared, websiteId, range, (round) => {
        const end = Math.floor(to / hour) * hour - round * hour
        const sessionId = sessionIds[round % sessionIds.length]!
        return { websiteId, sessionId, startAt: end - length, endAt: end - 1, filter: 'none', unit: units[range]! }
      }),
    ),
  )

function cellOf(
  compared: Compared,
  websiteId: string,
  range: string,
  askedIn: (round: number) => Asked,
): StatisticsCell {
  const { endpoint, variant = '', naive, rollup = () => [], only, estimated = [] } = compared
  return {
    ...{ websiteId, endpoint, range, filter: variant, estimated: new Set(estimated) },
    statements(round, known) {
      const asked = askedIn(round)
      const { plan } = planned(compared, asked, known)
      const weir = only ? [plan[only]!] : Object.values(plan)
      return { weir, naive: naive(asked).map(compile), rollup: rollup(asked).map(compile) }
    },
    async rows(round, run, known) {
      const { report, plan, input } = planned(compared, askedIn(round), known)
      const results: Record<string, Result<unknown>> = {}
      for (const [name, statement] of Object.entries(plan)) results[name] = await run(statement)
      const { body } = await report.shape(results as never, input as never)
      return compared.rows(body as never)
    },
  }
}

function planned({ endpoint, query, takesUnit, takesNoRange }: Compared, asked: Asked, known?: Knowledge) {
  const { websiteId, sessionId, startAt, endAt, unit } = asked
  const report = reportAt(endpoint.startsWith('/') ? `/api${endpoint}` : `/api/websites/:websiteId/${endpoint}`)
  const given = {
    ...(!takesNoRange && { startAt: String(startAt), endAt: String(endAt) }),
    ...(takesUnit && { unit }),
    ...query,
  }
  const input = inputOf({ report, websiteId, sessionId, query: Object.entries(given) })
  const plan: Readonly<Record<string, Statement<unknown>>> = report.plan(input as never, {
    ...wholeWebsite(websiteId),
    ...(known && { known }),
  })
  return { report, input, plan }
}

const reportAt = (path: string): AnyReport => reports.find((one) => one.path === path)!

/** The columns of a report's events, read once and grouped by session. */
const readOnce = {
  'funnels/stats': sql`created_at, event_type, url_path, event_name`,
  journeys: sql`visit_id, event_id, created_at, event_type, url_path, event_name`,
} as const

export type ReadOnce = keyof typeof readOnce

export const readOnceNames = Object.keys(readOnce) as ReadOnce[]

/** The same reading over twelve months of a website, another range each round. ClickHouse reads only what is used. */
export const readingOf = (
  name: ReadOnce,
  websiteId: string,
  to: number,
): Pick<StatisticsCell, 'websiteId' | 'statements'> => ({
  websiteId,
  statements(round) {
    const { length } = wholeRanges.at(-1)!
    const end = Math.floor(to / hour) * hour - round * hour
    const selection = {
      scope: wholeWebsite(websiteId),
      period: { startAt: end - length, endAt: end - 1 },
      filters: noFilters,
    }
    const grouped = sql`select count(), sum(ignore(${readOnce[name]})) as read ${rows(events, selection, [isAction])} group by session_id`
    return { weir: [select(z.unknown)`select count(), sum(read) from (${grouped})`], naive: [], rollup: [] }
  },
})

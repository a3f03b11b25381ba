import { compile, sql } from '../../src/query/language/sql.ts'
import { sentFirst } from '../support/statements.ts'
import { ranges, type Size, websites } from './compare/cells.ts'
import type { DataSet } from './data-set.ts'
import { all, planOf } from './each-report.ts'
import { askedBy, type Cost, clockOf, median, medianCost, plannedBy, settings, together } from './measure.ts'
import { type Column, fixed, type Section, table, whole } from './print.ts'

/** The most frequent questions of pages and clients. */
const most = new Set([
  ...['stats', 'pageviews', 'active', 'realtime/:websiteId', 'values?type=path'],
  ...['path', 'referrer', 'channel', 'entry', 'browser', 'country', 'event'].map((type) => `metrics?type=${type}`),
  ...['path', 'referrer', 'browser'].map((type) => `metrics/expanded?type=${type}`),
  ...['sessions', 'sessions/stats', 'sessions/weekly', 'events', 'events/stats', 'events/series'],
  ...['event-data/properties', 'revenue/stats', 'goals/stats', 'funnels/stats', 'retention', 'journeys'],
  ...['reports/utm', 'attribution', 'breakdown'],
])

const runs = 15

/** The cost of a question, and of `select 1` in the same rounds. */
interface Planned {
  readonly endpoint: string
  readonly range: string
  readonly website: Size
  readonly cost: Cost
  readonly one: Cost
  readonly statements: number
  readonly characters: number
}

const one = { body: sql`select 1`, row: () => undefined as never }

/** Measures the cost of a statement: the most frequent questions over short ranges, compared with `select 1`. */
export async function planning(
  { layouts: { weir }, ids }: DataSet,
  wantsEndpoint: (endpoint: string) => boolean,
  progress: (line: string) => void,
): Promise<Section> {
  const clock = await clockOf(weir)
  const cells: Planned[] = []
  for (const asked of all.filter(({ endpoint }) => most.has(endpoint) && wantsEndpoint(endpoint))) {
    for (const [website, range] of (['largest', 'smallest'] as const).flatMap((size) =>
      ranges.slice(0, 'startAt' in asked.query ? 2 : 1).map((each) => [size, each] as const),
    )) {
      progress(`${asked.endpoint} over ${range.range} of the ${website} website`)
      const websiteId = websites[website]
      const planIn = (round: number) =>
        plannedBy(weir, websiteId, (known) => planOf(asked, range, round, { websiteId, ids: ids[website], known }))
      const first = await planIn(0)
      const sent = (await Promise.all(first.map((statement) => askedBy(weir, statement, settings)))).flat()
      const costs: Record<'one' | 'question', Cost[]> = { one: [], question: [] }
      for (let round = 1; round <= runs; round++) {
        const plans = { one: [one], question: await planIn(round) }
        for (const side of round % 2 === 0 ? (['one', 'question'] as const) : (['question', 'one'] as const))
          costs[side].push(await clock.costOf(() => together(weir, plans[side])))
      }
      cells.push({
        ...{ endpoint: asked.endpoint, range: range.range, website, statements: sent.length },
        characters: first.reduce((sum, statement) => sum + compile(sentFirst(statement)).query.length, 0),
        ...{ cost: medianCost(costs.question), one: medianCost(costs.one) },
      })
    }
  }
  const times = cells.map(timesOf)
  return {
    heading: 'Short questions',
    how: `Times the response time of \`select 1\` in the same turns, medians of ${runs}. Of all cells: median ${fixed(median(times), 2)}, greatest ${fixed(Math.max(...times), 2)}.`,
    page: [table(columns, cells)],
    ...{ more: [], found: cells },
  }
}

const timesOf = ({ cost, one }: Planned): number => cost.milliseconds / one.milliseconds

const columns: Column<Planned>[] = [
  { heading: 'question', isText: true, write: ({ endpoint }) => endpoint },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'website', isText: true, write: ({ website }) => website },
  { heading: 'times `select 1`', write: (cell) => fixed(timesOf(cell), 2) },
  { heading: 'processor ms', write: ({ cost }) => fixed(cost.processor) },
  { heading: 'statements', write: ({ statements }) => whole(statements) },
  { heading: 'characters', write: ({ characters }) => whole(characters) },
]

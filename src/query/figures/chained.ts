import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, text } from '../language/sql.ts'
import { type Chain, chainFor } from '../tables/chains.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

interface ChainedTotals {
  /** `from …`: one group of rows, for the expressions. */
  readonly from: Fragment
  readonly views: Fragment
  readonly visitors: Fragment
  readonly visits: Fragment
  readonly bounces: Fragment
  readonly totaltime: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

const figuresOfVisits = sql`events, session_before, visit_before, visit_views, spent, pause, lone_before`

/** The totals of views; undefined if no chain can answer them. */
export function chainedTotals(selection: Selection): ChainedTotals | undefined {
  const chain = chainFor('chained visits', selection)
  if (!chain) return undefined
  const isNew = chain.isBefore(sql`visit_before`)
  // A visit with one view in its first hour is a bounce, unless it goes on: the row with which it goes on says so.
  const wentOn = sql`not ${isNew} and ${chain.isBefore(sql`lone_before`)}`
  return {
    from: sql`from ${chain.rows(figuresOfVisits)}`,
    views: sql`sumIf(events, passed)`,
    visitors: sql`countIf(passed and ${chain.isBefore(sql`session_before`)})`,
    visits: sql`countIf(passed and ${isNew})`,
    bounces: sql`toInt64(countIf(passed and ${isNew} and visit_views = 1)) - toInt64(countIf(passed and ${wentOn}))`,
    totaltime: sql`intDiv(sumIf(spent, passed) + sumIf(pause, passed and not ${isNew}), 1000)`,
    answers: chain.answers(sql`sum(events)`),
  }
}

/** Sessions by value: `from …`, and expressions over the rows of a `value`. */
interface ChainedValues {
  readonly from: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The values of views that have a chain of their own, by the type of the metric. */
const chainedFields = new Set<string>(['path', 'title'])

/** The values of visits that rows of hours have, by the type of the metric. */
const landings: Readonly<Partial<Record<string, Fragment>>> = { entry: sql`entry`, channel: sql`channel` }

/** Sessions by a value of their views or visits; undefined if no chain can answer. */
export function chainedSessions(type: string, selection: Selection): ChainedValues | undefined {
  const landing = landings[type]
  if (landing) {
    const chain = chainFor('chained visits', selection)
    return (
      chain && grouped(chain, sql`${landing} as of_value, session_id, visit_before, events as weight`, byVisits(chain))
    )
  }
  if (!chainedFields.has(type)) return undefined
  const chain = chainFor('chained values', selection, sql`field = ${text(type)}`)
  return chain && grouped(chain, sql`value as of_value, sessions, value_before, views as weight`, byValues(chain))
}

/** The sessions of the visits that begin in the range: several visits of a session may begin alike. */
const byVisits = ({ isBefore }: Chain): Fragment =>
  sql`uniqExactIf(session_id, passed and ${isBefore(sql`visit_before`)})`

const byValues = ({ isBefore }: Chain): Fragment => sql`sumIf(sessions, ${isBefore(sql`value_before`)})`

/** `columns` have `of_value`, and `weight`, the views of a row. */
const grouped = (chain: Chain, columns: Fragment, counted: Fragment): ChainedValues => ({
  from: sql`from (
    select of_value, ${counted} as amount, ${chain.answers(sql`sum(sum(weight)) over ()`)} as of_all
    from ${chain.rows(columns)}
    group by of_value
  )`,
  sessions: sql`sum(amount)`,
  answers: sql`max(of_all)`,
})

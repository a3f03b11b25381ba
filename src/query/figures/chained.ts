import { isFiltered, type Selection } from '../language/scope.ts'
import { type Fragment, sql, text, uint32, union } from '../language/sql.ts'
import { type Chain, type ChainEnds, type Chained, chainOf, chooseChain, type Notes } from '../tables/chains.ts'
import { isView, rows } from '../tables/rows.ts'
import { sessionEvents } from '../tables/tables.ts'
import { ofEvents } from './figures.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

/** From this many views on, chains are cheaper for a range without ends: docs/benchmarks.md. */
const leastSealed = 80_000

interface ChainedTotals {
  /** `from …`: rows whose sums are the totals. */
  readonly from: Fragment
  readonly views: Fragment
  readonly visitors: Fragment
  readonly visits: Fragment
  readonly bounces: Fragment
  readonly totaltime: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The totals of views; undefined if no chain can answer them. */
export function chainedTotals(selection: Selection): Chained<ChainedTotals> | undefined {
  const choice = chooseChain('chained visits', selection)
  if (!choice) return undefined
  return {
    choice,
    leastViews: !choice.hasEnds ? leastSealed : isFiltered(selection) ? 250_000 : 350_000,
    figures(notes) {
      const chain = chainOf(choice, notes)
      return chain.ends ? withEnds(chain, chain.ends) : { from: sql`from (${sealedTotals(chain)})`, ...totals }
    },
  }
}

const totals = {
  views: sql`views`,
  visitors: sql`visitors`,
  visits: sql`visits`,
  bounces: sql`bounces`,
  totaltime: sql`intDiv(length, 1000)`,
  answers: sql`answers`,
}

/** Figures of the rows of sealed hours. */
function figuresOf({ isBefore }: Chain) {
  const isNew = isBefore(sql`visit_before`)
  // A visit with one view in its first hour is a bounce, unless it goes on: the row with which it goes on says so.
  const wentOn = sql`not ${isNew} and ${isBefore(sql`lone_before`)}`
  return {
    visitors: sql`toInt64(countIf(passed and ${isBefore(sql`session_before`)}))`,
    visits: sql`toInt64(countIf(passed and ${isNew}))`,
    bounces: sql`
      toInt64(countIf(passed and ${isNew} and visit_views = 1)) - toInt64(countIf(passed and ${wentOn}))`,
    length: sql`toInt64(sumIf(spent, passed) + sumIf(pause, passed and not ${isNew}))`,
  }
}

const rowFigures = sql`events, session_before, visit_before, visit_views, spent, pause, lone_before`

/** One row: the totals of the sealed hours. */
function sealedTotals(chain: Chain): Fragment {
  const { visitors, visits, bounces, length } = figuresOf(chain)
  return sql`
    select toInt64(sumIf(events, passed)) as views, ${visitors} as visitors, ${visits} as visits,
      ${bounces} as bounces, ${length} as length, ${chain.answers(sql`sum(events)`)} as answers
    from ${chain.rows(rowFigures)}`
}

/** A condition on a row of a chain: its session has a view at the ends. */
const isAtEnds = ({ views }: ChainEnds): Fragment => sql`session_id global in (select session_id ${views})`

/**
 * The ends add the figures of their visits over all of the range, less those that the sealed hours have counted. Rows
 * of sessions with views at the ends are grouped by visit, all others as one, whose key is 0.
 */
function withEnds(chain: Chain, ends: ChainEnds): ChainedTotals {
  const { visitors, visits, bounces, length } = figuresOf(chain)
  const never = uint32(2 ** 32 - 1)
  const parts = [
    sql`select if(shown and ${isAtEnds(ends)}, visit_key, 0) as visit, session_id, passed, false as is_end, ${rowFigures},
        toUnixTimestamp64Milli(hour) + last as last_at, last_at - spent as first_at
      from ${chain.rows(sql`${rowFigures}, session_id, visit_key, hour, last`)}`,
    sql`select sipHash64(visit_id) as visit, session_id, ${ends.passes} as passed, true as is_end, 1 as events,
        ${never} as session_before, ${never} as visit_before, 0 as visit_views, 0 as spent, 0 as pause,
        ${never} as lone_before, toUnixTimestamp64Milli(created_at) as last_at, last_at as first_at
      ${ends.views}`,
  ]
  const isKnown = sql`visit != 0`
  return {
    from: sql`from (
      select visit, any(session_id) as session, toInt64(sumIf(events, passed)) as views,
        ${visitors} as sealed_visitors, ${visits} as sealed_visits, ${bounces} as sealed_bounces,
        ${length} as sealed_length, sumIf(events, not is_end) as sealed, sumIf(events, passed and not is_end) as passed_before,
        max(last_at) - min(first_at) as took, maxIf(last_at, not is_end) - minIf(first_at, not is_end) as took_before,
        sum(events) as seen
      from ${union(parts)}
      group by visit
    )`,
    views: sql`sum(views)`,
    visitors: sql`sum(sealed_visitors) + toInt64(uniqExactIf(session, ${isKnown} and views > 0))
      - toInt64(uniqExactIf(session, ${isKnown} and passed_before > 0))`,
    visits: sql`sum(sealed_visits) + toInt64(countIf(${isKnown} and views > 0 and passed_before = 0))`,
    bounces: sql`sum(sealed_bounces) + toInt64(countIf(${isKnown} and views > 0 and seen = 1))
      - toInt64(countIf(${isKnown} and passed_before > 0 and sealed = 1))`,
    totaltime: sql`intDiv(sum(sealed_length) + toInt64(sumIf(took, ${isKnown} and views > 0))
      - toInt64(sumIf(took_before, ${isKnown} and passed_before > 0)), 1000)`,
    answers: chain.answers(sql`sum(sealed)`),
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
export function chainedSessions(type: string, selection: Selection): Chained<ChainedValues> | undefined {
  const landing = landings[type]
  const hours = chooseChain('chained visits', selection)
  if (landing) {
    if (!hours || hours.hasEnds) return undefined
    const columns = sql`${landing} as of_value, session_id, visit_before, events as weight`
    const figures = (notes: Notes) => {
      const chain = chainOf(hours, notes)
      return added([sealedSessions(chain, columns, byVisits(chain))])
    }
    return { choice: hours, leastViews: leastSealed, figures }
  }
  const values = chainedFields.has(type) ? chooseChain('chained values', selection) : undefined
  // `session_events` has no titles, so only paths are found at the ends.
  if (!values || (values.hasEnds && (type !== 'path' || !hours))) return undefined
  return {
    choice: values,
    leastViews: values.hasEnds ? 900_000 : leastSealed,
    figures(notes) {
      const chain = chainOf(values, notes, sql`field = ${text(type)}`)
      const columns = sql`value as of_value, sessions, value_before, views as weight`
      const sealed = sealedSessions(chain, columns, byValues(chain))
      return added([sealed, ...(values.hasEnds ? pathsAtEnds(chainOf(hours!, notes)) : [])])
    },
  }
}

/** The sessions of the visits that begin in the range: several visits of a session may begin alike. */
const byVisits = ({ isBefore }: Chain): Fragment =>
  sql`uniqExactIf(session_id, passed and ${isBefore(sql`visit_before`)})`

const byValues = ({ isBefore }: Chain): Fragment => sql`sumIf(sessions, ${isBefore(sql`value_before`)})`

/** `columns` must contain `of_value`, and `weight`: the number of views of a row. */
const sealedSessions = (chain: Chain, columns: Fragment, counted: Fragment): Fragment => sql`
  select of_value, toInt64(${counted}) as amount, toInt64(0) as unsealed,
    ${chain.answers(sql`sum(sum(weight)) over ()`)} as holds
  from ${chain.rows(columns)}
  group by of_value`

/**
 * The sessions that have a path at the ends, and not within the sealed hours. Few sessions with views at the ends have
 * any there: their events say which paths. `unsealed` is the number of these views less those that the chain knows: if
 * it is not 0, the chain has not seen a view that is being written.
 */
function pathsAtEnds(hours: Chain): readonly Fragment[] {
  const ends = hours.ends!
  const known = sql`shown and ${isAtEnds(ends)}`
  const isKnown = sql`session_id global in (select session_id from ${hours.rows(sql`session_id`)} where ${known})`
  const before = rows(sessionEvents, ends.sealed, [isView, isKnown])
  return [
    sql`select '' as of_value, toInt64(0) as amount, - toInt64(sumIf(events, ${known})) as unsealed,
      ${hours.answers(sql`sum(events)`)} as holds
    from ${hours.rows(sql`session_id, events`)}`,
    sql`select path as of_value, toInt64(${ofEvents.visitors}) - toInt64(uniqExactIf(session_id, is_before)) as amount,
      toInt64(countIf(is_before)) as unsealed, 1 as holds
    from ${union([
      sql`select session_id, toString(url_path) as path, false as is_before ${ends.views}`,
      sql`select session_id, toString(url_path) as path, true as is_before ${before}`,
    ])}
    group by of_value`,
  ]
}

const added = (parts: readonly Fragment[]): ChainedValues => ({
  from: sql`from (
    select of_value, amount, min(holds) over () and sum(unsealed) over () = 0 as of_all from ${union(parts)}
  )`,
  sessions: sql`sum(amount)`,
  answers: sql`max(of_all)`,
})

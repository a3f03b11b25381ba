import { dayLength } from '../../request/time-zone.ts'
import { isFiltered, type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, sql, text, union, type Worth } from '../language/sql.ts'
import { millisecondsIn } from '../language/time.ts'
import { type Chain, type ChainEnds, chainFor } from '../tables/chains.ts'
import { isView, rows } from '../tables/rows.ts'
import { sessionEvents } from '../tables/tables.ts'
import { ofEvents } from './figures.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

interface ChainedTotals {
  /** `from …`: rows whose sums are the totals. */
  readonly from: Fragment
  readonly worth: Worth
  readonly views: Fragment
  readonly visitors: Fragment
  readonly visits: Fragment
  readonly bounces: Fragment
  readonly totaltime: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The totals of views; undefined if no chain can answer them. */
export function chainedTotals(selection: Selection): ChainedTotals | undefined {
  const chain = chainFor('chained visits', selection)
  if (!chain) return undefined
  const sealed = sealedTotals(chain)
  const least = isFiltered(selection) ? { sealed: 140_000, ends: 500_000 } : { sealed: 70_000, ends: 120_000 }
  const worth = worthOf('stats', selection, chain, least)
  const sums = chain.ends
    ? withEnds(sealed, chain.ends)
    : { from: sql`from (${sealed})`, ...totals, answers: sql`answers` }
  return { ...sums, worth }
}

/**
 * A chain takes longer to plan than the whole statement. It pays from this number of rows on, which measurements gave
 * (docs/benchmarks.md). Ranges of half a length to the double one have a key in common.
 */
function worthOf(
  what: string,
  selection: Selection,
  { ends }: Chain,
  least: { readonly sealed: number; readonly ends: number },
): Worth {
  const days = millisecondsIn(visiblePeriod(selection)) / dayLength
  const kind = [what, isFiltered(selection), ends !== undefined, Math.round(Math.log2(days))].join(' ')
  return { key: `${selection.scope.websiteId} ${kind}`, rows: ends ? least.ends : least.sealed }
}

const totals = {
  views: sql`views`,
  visitors: sql`visitors`,
  visits: sql`visits`,
  bounces: sql`bounces`,
  totaltime: sql`intDiv(length, 1000)`,
}

/** One row: the totals of the sealed hours, and the rows `again` of sessions with views at the ends. */
function sealedTotals(chain: Chain): Fragment {
  const isNew = chain.isBefore(sql`visit_before`)
  // A visit with one view in its first hour is a bounce, unless it goes on: the row with which it goes on says so.
  const wentOn = sql`not ${isNew} and ${chain.isBefore(sql`lone_before`)}`
  const figures = sql`events, session_before, visit_before, visit_views, spent, pause, lone_before`
  const ids = sql`, session_id, visit_key, toUnixTimestamp64Milli(hour) + last as last_at`
  const ofRow = sql`(session_id, visit_key, toInt64(if(passed, events, 0)), toInt64(events), last_at - spent, last_at, true)`
  const again = chain.ends && sql`, groupArrayIf(${ofRow}, shown and ${isAtEnds(chain.ends)}) as again`
  return sql`
    select toInt64(sumIf(events, passed)) as views,
      toInt64(countIf(passed and ${chain.isBefore(sql`session_before`)})) as visitors,
      toInt64(countIf(passed and ${isNew})) as visits,
      toInt64(countIf(passed and ${isNew} and visit_views = 1)) - toInt64(countIf(passed and ${wentOn})) as bounces,
      toInt64(sumIf(spent, passed) + sumIf(pause, passed and not ${isNew})) as length,
      ${chain.answers(sql`sum(events)`)} as answers${again ?? sql``}
    from ${chain.rows(sql`${figures}${chain.ends ? ids : sql``}`)}`
}

/** A condition on a row of a chain: its session has a view at the ends. */
const isAtEnds = ({ views }: ChainEnds): Fragment => sql`session_id global in (select session_id ${views})`

/** The ends add the figures of their visits over all of the range, less those that the sealed hours have counted. */
function withEnds(sealed: Fragment, { views, passes }: ChainEnds): Omit<ChainedTotals, 'worth'> {
  // One empty row keeps the totals where `again` has none.
  const nothing = sql`[(toUUID('00000000-0000-0000-0000-000000000000'), 0, 0, 0, 0, 0, false)]`
  const parts = [
    sql`select views, visitors, visits, bounces, length, answers, arrayJoin(arrayConcat(${nothing}, again)) as part
      from (${sealed})`,
    sql`select 0 as views, 0 as visitors, 0 as visits, 0 as bounces, 0 as length, 0 as answers,
        (any(session_id), sipHash64(visit_id), toInt64(countIf(${passes})), toInt64(count()),
          toUnixTimestamp64Milli(min(created_at)), toUnixTimestamp64Milli(max(created_at)), false) as part
      ${views}
      group by visit_id`,
  ]
  const of = (name: Fragment, now: Fragment, before: Fragment) =>
    sql`max(${name}) + toInt64(${now}) - toInt64(${before})`
  return {
    from: sql`from (
      select max(views) as views, max(visitors) as visitors, max(visits) as visits, max(bounces) as bounces,
        max(length) as length, max(answers) as answers, part.1 as session, sum(part.3) as passed,
        sumIf(part.3, part.7) as passed_before, sum(part.4) as seen, sumIf(part.4, part.7) as seen_before,
        max(part.6) - min(part.5) as took, maxIf(part.6, part.7) - minIf(part.5, part.7) as took_before
      from ${union(parts)}
      group by part.1, part.2
    )`,
    views: of(sql`views`, sql`sum(passed)`, sql`sum(passed_before)`),
    visitors: of(sql`visitors`, sql`uniqExactIf(session, passed > 0)`, sql`uniqExactIf(session, passed_before > 0)`),
    visits: of(sql`visits`, sql`countIf(passed > 0)`, sql`countIf(passed_before > 0)`),
    bounces: of(
      sql`bounces`,
      sql`countIf(passed > 0 and seen = 1)`,
      sql`countIf(passed_before > 0 and seen_before = 1)`,
    ),
    totaltime: sql`intDiv(${of(
      sql`length`,
      sql`sumIf(took, passed > 0)`,
      sql`sumIf(took_before, passed_before > 0)`,
    )}, 1000)`,
    answers: sql`max(answers)`,
  }
}

/** Sessions by value: `from …`, and expressions over the rows of a `value`. */
interface ChainedValues {
  readonly from: Fragment
  readonly worth: Worth
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
    if (!chain || chain.ends) return undefined
    const columns = sql`${landing} as of_value, session_id, visit_before, events as weight`
    const worth = worthOf(type, selection, chain, { sealed: 85_000, ends: 0 })
    return { ...added([sealedSessions(chain, columns, byVisits(chain))]), worth }
  }
  if (!chainedFields.has(type)) return undefined
  const chain = chainFor('chained values', selection, sql`field = ${text(type)}`)
  if (!chain) return undefined
  const columns = sql`value as of_value, sessions, value_before, views as weight`
  const sealed = sealedSessions(chain, columns, byValues(chain))
  const worth = worthOf(type, selection, chain, { sealed: 70_000, ends: 700_000 })
  if (!chain.ends) return { ...added([sealed]), worth }
  const hours = chainFor('chained visits', selection)
  // `session_events` has no titles, so only paths are found at the ends.
  if (type !== 'path' || !hours?.ends) return undefined
  return { ...added([sealed, ...pathsAtEnds(hours, hours.ends)]), worth }
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
function pathsAtEnds(hours: Chain, ends: ChainEnds): readonly Fragment[] {
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

const added = (parts: readonly Fragment[]): Omit<ChainedValues, 'worth'> => ({
  from: sql`from (
    select of_value, amount, min(holds) over () and sum(unsealed) over () = 0 as of_all from ${union(parts)}
  )`,
  sessions: sql`sum(amount)`,
  answers: sql`max(of_all)`,
})

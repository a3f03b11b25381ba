import { columnsOf } from '../language/named-columns.ts'
import { commaList, type Fragment, sql, text, union } from '../language/sql.ts'
import type { PathFilters } from '../tables/path-filters.ts'
import type { ChainPart, Chains, OfVisit } from './parts.ts'
import type { Chain } from './rows.ts'
import { hasViews, momentOfLast } from './sealed.ts'

/**
 * Chains with filters on paths. A row of hours contains hashes of its paths, so it shows whether a visit has a view
 * that passes, but not how many. Rows of values count these views and show which paths pass.
 */

/**
 * Returns the condition that at least one view in a row of hours passes the filters. `values` contains the rows of
 * paths that pass.
 */
export function passesPaths({ one }: PathFilters, values: Chain): Fragment {
  const hash = (path: Fragment) => sql`reinterpretAsString(sipHash64(${path}))`
  return one === undefined
    ? sql`arrayExists(hash -> hash global in (select ${hash(sql`value`)} ${values.from()} group by value), paths)`
    : sql`has(paths, ${hash(sql`${text(one)}`)})`
}

/** The totals for visits with at least one view that passes. */
export function totalsOnPaths({ actions, values: chainOfValues }: Chains, ofOne: boolean): ChainPart {
  const values = chainOfValues('path')
  const acted = sql`(select visit_key ${actions.few(sql`not ${hasViews}`, 'shown')})`
  const isLone = sql`lone = 1 and visit_key global not in ${acted} as is_lone`
  const count = (alone: Fragment, several: Fragment) =>
    sql`toInt64(sum(if(visit = 0, ${alone}, if(passes, ${several}, 0))))`
  const isNew = values.isBefore(sql`value_before`)
  const visitors = ofOne
    ? sql`(select toInt64(${values.count(isNew)}) ${values.from()})`
    : sql`toInt64(uniqExactArray(sessions))`
  const figures = {
    views: sql`(select toInt64(sum(${values.views})) ${values.from()})`,
    visitors,
    visits: count(sql`rows`, sql`1`),
    bounces: count(sql`lone`, sql`seen = 1 and lone = 1`),
    length: count(sql`length`, sql`took`),
  }
  const facts = [
    sql`countIf(is_lone) as lone, sum(last_at - first_at) as length, sum(viewed) as seen`,
    sql`max(last_at) - min(first_at) as took, count() as rows`,
    ...(ofOne ? [] : [sessionsThatPass]),
  ]
  return {
    columns: columnsOf(figures),
    from: sql`from ${visitsOnPaths(actions, [sql`session_key`, isLone], facts)}`,
    chains: [actions, values],
  }
}

const sessionsThatPass = sql`groupArrayIf(session_key, passed) as sessions`

/**
 * Views and sessions by bucket. If there are several paths, only session keys tell whether two rows belong to the same
 * session.
 */
export const bucketsOnPaths = ({ values, views }: Chains, bucket: Fragment): ChainPart => ({
  columns: columnsOf({
    x: sql`bucket`,
    views: sql`toInt64(sum(viewed))`,
    visitors: sql`toInt64(uniqExactIf(session, session != 0))`,
  }),
  from: sql`from ${union([
    sql`select ${bucket} as bucket, views as viewed, toUInt64(0) as session ${values('path').from()}`,
    sql`select ${bucket} as bucket, 0 as viewed, session_key as session ${views.from()}`,
  ])} group by bucket`,
  chains: [values('path'), views],
})

/** Sessions by a value of their visits, with filters on paths. */
export function visitsByValueOnPaths({ views, values }: Chains, { kind, ofHours }: OfVisit): ChainPart {
  const pick = kind === 'exit' ? sql`argMaxIf` : sql`argMinIf`
  const columns = [sql`session_key`, sql`toString(${ofHours}) as seen_value`]
  const facts = [sql`${pick}(seen_value, last_at, visit != 0) as of_visit`, sessionsThatPass]
  const visits = visitsOnPaths(views, columns, facts, sql`if(visit = 0, seen_value, '')`)
  return {
    columns: columnsOf({ x: sql`of_value`, visitors: sql`toInt64(uniqExactArray(sessions))` }),
    from: sql`from (select if(visit = 0, own, of_visit) as of_value, sessions from ${visits} where passes) group by of_value`,
    chains: [views, values('path')],
  }
}

/**
 * A subquery of visits. Most visits have only one row of hours. All of these have `visit` 0, and those that pass are
 * counted by their `own` value. Every other visit has its own row, whether or not it `passes`.
 */
function visitsOnPaths(
  hours: Chain,
  columns: readonly Fragment[],
  facts: readonly Fragment[],
  own: Fragment = sql`''`,
): Fragment {
  const goOn = hours.few(sql`not ${hours.isBefore(sql`visit_before`)}`, 'shown', hasViews)
  const rows = sql`
    select if(visit_key global in (select visit_key ${goOn}), visit_key, 0) as visit, ${hours.passes} as passed,
      visit_views as viewed, ${momentOfLast} - spent as first_at, ${momentOfLast} as last_at, ${commaList(columns)}
    ${hours.few(sql`visit_views > 0`, 'shown', hasViews)} and (passed or visit != 0)`
  return sql`(
    select visit, ${own} as own, max(passed) as passes, ${commaList(facts)} from (${rows}) group by visit, own
  )`
}

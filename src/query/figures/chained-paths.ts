import { noFilters } from '../../request/filters.ts'
import { isFiltered, type Selection } from '../language/scope.ts'
import { all, commaList, type Fragment, sql, text, union } from '../language/sql.ts'
import type { Notes } from '../tables/chain-notes.ts'
import {
  answersOf,
  type Chain,
  type ChainChoice,
  type ChainEnds,
  type Chained,
  chainOf,
  chooseChain,
  leastFor,
} from '../tables/chains.ts'
import { type PathFilters, pathFilters } from '../tables/path-filters.ts'
import { isCustomEvent } from '../tables/rows.ts'
import { type ChainedValues, type TotalsOfChain, valuesOfVisits } from './chained.ts'
import { hasViews, isOfSessionsIn, keyOfId, leastId, momentOfLast, type ValueOfVisits } from './chained-ends.ts'

/**
 * Statements over chains under filters on paths. A row of hours has hashes of its paths, so it tells whether a visit
 * has a view that passes, but not how many. `chained_values` has the number of such views, and tells which paths pass.
 */

/** From this many views on, these chains are cheaper than the whole statement: of one path, and of several. */
const least = {
  visits: { sealed: [300_000, 500_000], withEnds: [400_000, 600_000] },
  visitors: { sealed: [750_000, 750_000], withEnds: [850_000, 850_000] },
  paths: { sealed: [300_000, 200_000], withEnds: [1_200_000, 500_000] },
  series: { sealed: [400_000, 2_500_000], withEnds: [900_000, 2_500_000] },
} as const

/** Where chains may answer under filters on paths. */
interface PathChoice {
  readonly paths: PathFilters
  readonly hours: ChainChoice
  readonly values: ChainChoice
  readonly leastViews: number
}

/** Undefined if there is no filter on a path, or if no chain can answer. */
export function choosePaths(selection: Selection, asked: keyof typeof least): PathChoice | undefined {
  const paths = pathFilters(selection)
  const hours = paths && chooseChain('chained visits', paths.rest)
  const values = hours && chooseChain('chained values', withoutFilters(paths.rest))
  return values && { paths, hours, values, leastViews: leastFor(least[asked], hours, paths.one === undefined) }
}

const withoutFilters = (selection: Selection): Selection => ({
  ...selection,
  scope: { ...selection.scope, only: [] },
  filters: noFilters,
})

/** The chains that notes allow, if this server has their rows. */
export interface PathChains {
  /** Rows of hours; `passed` also means that a view of the row passes the filters on paths. */
  readonly hours: Chain
  /** Rows of hours of all kinds. */
  readonly actions: Chain
  /** Rows of paths that pass. */
  readonly values: Chain
  /** Views at the ends; `passes` includes the filters on paths. */
  readonly ends: ChainEnds | undefined
  readonly answers: Fragment
}

export function pathChains({ paths, hours: choice, values: ofPaths }: PathChoice, notes: Notes): PathChains {
  const values = chainOf(ofPaths, notes, sql`field = 'path'`, paths.pass(sql`value`))
  const hash = (path: Fragment) => sql`reinterpretAsString(sipHash64(${path}))`
  const hashes = sql`select ${hash(sql`value`)} from ${values.rows(sql`value`)} group by value`
  const passes =
    paths.one === undefined
      ? sql`arrayExists(hash -> hash global in (${hashes}), paths)`
      : sql`has(paths, ${hash(sql`${text(paths.one)}`)})`
  const hours = chainOf(choice, notes, hasViews, passes)
  return {
    hours,
    actions: chainOf(choice, notes),
    values,
    ends: hours.ends && { ...hours.ends, passes: all(hours.ends.passes, paths.pass(sql`url_path`)) },
    answers: answersOf([hours, values])!,
  }
}

/** The totals of visits with a view that passes; undefined if no chain can answer them. */
export function chainedTotalsOfPaths(selection: Selection): Chained<TotalsOfChain> | undefined {
  const choice = choosePaths(selection, 'visits')
  // Views are counted by path alone. Locked paths hide other views of a visit, and rows of hours know nothing of one.
  if (!choice || choice.paths.areLocked || isFiltered(choice.paths.rest)) return undefined
  const { hours, leastViews } = choice
  return {
    ...{ choice: hours, leastViews, isLocal: true },
    figures(notes) {
      const chains = pathChains(choice, notes)
      const { columns, count: visitors } = choice.paths.one === undefined ? allSessions : sessionsOfOne(chains)
      const count = (alone: Fragment, known: Fragment) => sql`sum(if(visit = 0, ${alone}, if(passes, ${known}, 0)))`
      return {
        from: sql`from ${visitsOnPaths(chains, [...columns, sql`countIf(is_lone) as lone`], undefined, actedIn(chains))}`,
        views: sql`sum(at_ends) + (select sum(views) from ${chains.values.rows(sql`views`)})`,
        visitors,
        visits: count(sql`rows`, sql`1`),
        bounces: count(sql`lone`, sql`seen = 1 and lone = 1`),
        totaltime: sql`intDiv(${count(sql`length`, sql`took`)}, 1000)`,
        answers: chains.answers,
      }
    },
  }
}

/** Sessions by a value of their visits; undefined if no chain can answer. */
export function chainedVisitsOfPaths(type: string, selection: Selection): Chained<ChainedValues> | undefined {
  const choice = choosePaths(selection, 'visits')
  const value = valuesOfVisits[type]
  if (!choice || choice.paths.areLocked || !value) return undefined
  const { hours, leastViews } = choice
  return {
    ...{ choice: hours, leastViews, isLocal: true },
    figures(notes) {
      const chains = pathChains(choice, notes)
      return {
        from: sql`from (
          select if(visit = 0, own, of_visit) as of_value, sessions from ${visitsOnPaths(chains, allSessions.columns, value)} where passes
        )`,
        sessions: allSessions.count,
        answers: chains.answers,
      }
    },
  }
}

/** A subquery of the visits with custom events at the ends, or in hours without views. */
function actedIn({ actions, ends }: PathChains): Fragment {
  const inHours = sql`select visit_key from ${actions.few!(sql`visit_key`, sql`not ${hasViews}`, 'shown')}`
  const atEnds = ends && sql`select ${keyOfId(sql`visit_id`)} ${ends.shown} and ${isCustomEvent}`
  return union([inHours, ...(atEnds ? [atEnds] : [])])
}

/** Aggregates of the rows of a visit that passes, and what counts sessions by them. */
interface SessionCount {
  readonly columns: readonly Fragment[]
  readonly count: Fragment
}

const allSessions: SessionCount = {
  columns: [sql`groupArrayIf(session_key, passed) as sessions`],
  count: sql`uniqExactArray(sessions)`,
}

/** Of one path, rows of values tell which sessions are new. The ends add those without a row in the sealed hours. */
function sessionsOfOne({ values, ends }: PathChains): SessionCount {
  const isNew = values.isBefore(sql`value_before`)
  const sealed = sql`(select toInt64(sumIf(sessions, ${isNew})) from ${values.rows(sql`sessions, value_before`)})`
  if (!ends) return { columns: [], count: sealed }
  const isOfEnds = isOfSessionsIn(sql`${ends.views} and ${ends.passes}`)
  return {
    columns: [
      sql`groupArrayIf(session_key, passed and is_end) as ending`,
      sql`groupArrayIf(session_key, passed and not is_end and ${isOfEnds}) as known`,
    ],
    count: sql`${sealed} + toInt64(uniqExactArray(ending)) - toInt64(uniqExactArray(known))`,
  }
}

/**
 * A subquery of visits. Most have one row of hours, and none at the ends: they are those of `visit` 0, of which only
 * those that pass are counted. All others have a row each, `passes` or not.
 */
function visitsOnPaths(
  { hours, ends }: PathChains,
  sessions: readonly Fragment[],
  value?: ValueOfVisits,
  acted?: Fragment,
): Fragment {
  const goOn = hours.few!(sql`visit_key`, sql`not ${hours.isBefore(sql`visit_before`)}`, 'shown')
  const idsAtEnds = ends && sql`select ${keyOfId(sql`visit_id`)} ${ends.views}`
  const others = union([sql`select visit_key from ${goOn}`, ...(idsAtEnds ? [idsAtEnds] : [])])
  const lone = (key: Fragment, isLone: Fragment) =>
    acted ? sql`, ${isLone} and ${key} global not in ${acted} as is_lone` : sql``
  const columns = (seen: Fragment, place: Fragment) => (value ? sql`, ${seen} as seen_value, ${place} as place` : sql``)
  const ofHours = sql`
    select if(visit_key global in ${others}, visit_key, 0) as visit, session_key, passed, visit_views as viewed,
      ${momentOfLast} - spent as first_at, ${momentOfLast} as last_at, 0 as is_end
      ${lone(sql`visit_key`, sql`lone = 1`)}${columns(sql`toString(of_hour)`, sql`(toUnixTimestamp64Milli(hour), ${leastId})`)}
    from ${hours.few!(
      sql`visit_key, session_key, visit_views, spent, hour, last${acted ? sql`, lone` : sql``}${value ? sql`, ${value.ofHours} as of_hour` : sql``}`,
      sql`visit_views > 0`,
      'shown',
    )}
    where (passed or visit != 0)`
  const ofEnds = (of: ChainEnds) => sql`
    select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session_key, ${of.passes} as passed, 1 as viewed,
      toUnixTimestamp64Milli(created_at) as first_at, first_at as last_at, 1 as is_end
      ${lone(sql`visit`, sql`true`)}${columns(sql`toString(${value?.ofViews ?? sql``})`, sql`(first_at, event_id)`)}
    ${of.views}`
  const pick = value?.at === 'exit' ? sql`argMaxIf` : sql`argMinIf`
  const own = value
    ? sql`if(visit = 0, seen_value, '') as own, ${pick}(seen_value, place, visit != 0) as of_visit,`
    : sql``
  return sql`(
    select visit, ${own} max(passed) as passes, count() as rows,
      sum(last_at - first_at) as length, sum(viewed) as seen, max(last_at) - min(first_at) as took,
      countIf(passed and is_end) as at_ends${commaList([sql``, ...sessions])}
    from ${union([ofHours, ...(ends ? [ofEnds(ends)] : [])])}
    group by visit${value ? sql`, own` : sql``}
  )`
}

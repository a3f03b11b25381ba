import type { Field } from '../../request/fields.ts'
import type { Buckets } from '../../request/series.ts'
import { isFiltered, type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, sql, union } from '../language/sql.ts'
import type { Chained } from '../tables/chains.ts'
import { chainedHours } from '../tables/tables.ts'
import { clientValue, isByCountry, type MetricType } from './breakdowns.ts'
import { bucketOfRows } from './buckets.ts'
import type { ChainedValues } from './chained.ts'
import { keyOfId, newOfEnds } from './chained-ends.ts'
import { choosePaths, type PathChains, pathChains } from './chained-paths.ts'
import { type BucketKeys, bucketKeys, type ChainedSeries, mixed, seriesAtEnds } from './chained-series.ts'
import { ofVisits } from './figures.ts'

/** Sessions and views by a value or a bucket, over chains under filters on paths: see `chained-paths.ts`. */

/** Sessions by a metric of visitors that none of them changes; undefined if no chain can answer it. */
export function chainedClientsOfPaths(type: MetricType, selection: Selection): Chained<ChainedValues> | undefined {
  const value = clientValue(type)
  const hasCountry = isByCountry(type)
  const reads = (hasCountry ? [type, 'country'] : [type]) as Field[]
  const choice =
    value && reads.every((field) => chainedHours.fields.has(field)) ? choosePaths(selection, 'visitors') : undefined
  if (!choice) return undefined
  const { hours, leastViews } = choice
  return {
    ...{ choice: hours, leastViews, reads, isLocal: true },
    figures(notes) {
      const { hours, ends, answers } = pathChains(choice, notes)
      const columns = (session: Fragment) =>
        sql`toString(${value!}) as of_value, ${hasCountry ? sql`toString(country) as country,` : sql``} ${session} as session`
      const parts = [
        sql`select * from ${hours.rows(columns(sql`session_key`))}`,
        ...(ends ? [sql`select ${columns(keyOfId(sql`session_id`))} ${ends.views} and ${ends.passes}`] : []),
      ]
      return { from: sql`from ${union(parts)}`, sessions: ofVisits.visitors, answers }
    },
  }
}

/** Sessions by path; undefined if no chain can answer. */
export function chainedPathsOfPaths(type: MetricType, selection: Selection): Chained<ChainedValues> | undefined {
  const choice = type === 'path' ? choosePaths(selection, 'paths') : undefined
  if (!choice || isFiltered(choice.paths.rest)) return undefined
  const { hours, leastViews } = choice
  return {
    ...{ choice: hours, leastViews, isLocal: true },
    figures(notes) {
      const { hours, values, ends, answers } = pathChains(choice, notes)
      const isNew = values.isBefore(sql`value_before`)
      const sealed = sql`
        select value as of_value, toInt64(sumIf(sessions, ${isNew})) as amount
        from ${values.rows(sql`value, sessions, value_before`)}
        group by value`
      const atEnds = { ofHours: sql`paths`, ofViews: sql`toString(url_path)` }
      const found = ends && newOfEnds(hours, ends, atEnds)
      const parts = [sealed, ...(found ? [sql`select of_value, amount from (${found.rows})`] : [])]
      return { from: sql`from ${union(parts)}`, sessions: sql`sum(amount)`, answers }
    },
  }
}

/** The series of views and sessions; undefined if no chain can answer it. */
export function chainedSeriesOfPaths(selection: Selection, buckets: Buckets): Chained<ChainedSeries> | undefined {
  const choice = bucketOfRows('hour', buckets, visiblePeriod(selection)) ? choosePaths(selection, 'series') : undefined
  if (!choice || isFiltered(choice.paths.rest)) return undefined
  const { hours, leastViews, paths } = choice
  return {
    ...{ choice: hours, leastViews, isLocal: true },
    figures(notes) {
      const chains = pathChains(choice, notes)
      const keys = bucketKeys(buckets)
      const { seen, sessions, parts } =
        paths.one === undefined ? seriesOfPaths(chains, keys) : seriesOfOne(chains, keys, mixed(hours, buckets))
      return {
        from: sql`from (
          select of_bucket, ${seen} as seen, ${sessions} as of_sessions from ${union(parts)} group by of_bucket
        )`,
        bucket: keys.text,
        views: sql`seen`,
        sessions: sql`of_sessions`,
        answers: chains.answers,
      }
    },
  }
}

/** Rows of an `of_bucket`, and aggregates over them. */
interface SeriesParts {
  readonly seen: Fragment
  readonly sessions: Fragment
  readonly parts: readonly Fragment[]
}

/** Of one path, rows of values tell when a session had it before. */
function seriesOfOne({ hours, values, ends }: PathChains, keys: BucketKeys, mixed: readonly number[]): SeriesParts {
  const columns = sql`${keys.of(sql`hour`)} as of_bucket, views, sessions, value_before as session_before`
  const sealed = sql`
    select of_bucket, toInt64(sum(views)) as amount, toInt64(sumIf(sessions, ${keys.isNew(values)})) as of_first
    from ${values.rows(columns)}
    group by of_bucket`
  const atEnds = ends && sql`select of_bucket, amount, sessions from (${seriesAtEnds(hours, ends, keys, mixed).rows})`
  return { seen: sql`sum(amount)`, sessions: sql`sum(of_first)`, parts: [sealed, ...(atEnds ? [atEnds] : [])] }
}

/** Of several paths, only keys tell which sessions are the same. */
function seriesOfPaths({ hours, values, ends }: PathChains, keys: BucketKeys): SeriesParts {
  const ofHour = sql`${keys.of(sql`hour`)} as of_bucket`
  const atEnds =
    ends &&
    sql`select ${keys.of(sql`created_at`)} as of_bucket, 1 as views, ${keyOfId(sql`session_id`)} as session
      ${ends.views} and ${ends.passes}`
  return {
    seen: sql`sum(views)`,
    sessions: sql`uniqExactIf(session, session != 0)`,
    parts: [
      sql`select of_bucket, views, toUInt64(0) as session from ${values.rows(sql`${ofHour}, views`)}`,
      sql`select of_bucket, 0 as views, session_key as session from ${hours.rows(sql`${ofHour}, session_key`)}`,
      ...(atEnds ? [atEnds] : []),
    ],
  }
}

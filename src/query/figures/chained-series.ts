import { type Buckets, bucketLengths, bucketStarts } from '../../request/series.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { all, any, type Fragment, instant, sql, sumWhere, union } from '../language/sql.ts'
import { chooseVisits, leastOfVisits, type VisitsChoice } from '../tables/chained-days.ts'
import type { Chain, ChainChoice, ChainEnds, Chained } from '../tables/chains.ts'
import { bucketOfRows, clockIn, firstDateOf } from './buckets.ts'
import { added } from './chained.ts'
import { type Amounts, hasViews, keyOfId, knownRows } from './chained-ends.ts'

/** Views and sessions by bucket, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement. */
const leastOfSeries = { sealed: [1_000_000, 1_500_000], withEnds: [1_600_000, 2_800_000] } as const
const leastOfDays = { sealed: 500_000, withEnds: 1_000_000 } as const

/** Rows of a `bucket`: `from …`, and expressions over a row. */
export interface ChainedSeries {
  readonly from: Fragment
  readonly bucket: Fragment
  readonly views: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The series of views and sessions; undefined if no chain can answer it. */
export function chainedSeries(selection: Selection, buckets: Buckets): Chained<ChainedSeries> | undefined {
  const isOfDays = buckets.zone === 'UTC' && buckets.unit !== 'minute' && buckets.unit !== 'hour'
  const chosen = chooseVisits(selection, hasViews, isOfDays ? '' : undefined)
  if (!chosen || !bucketOfRows('hour', buckets, visiblePeriod(selection))) return undefined
  const { choice } = chosen
  return {
    choice,
    leastViews: leastOfVisits(chosen, leastOfSeries, leastOfDays),
    figures: (notes) => series(chosen.chainsOf(notes), buckets, mixed(choice, buckets)),
  }
}

/** The key of a bucket: a number of hours, or a date. */
export interface BucketKeys {
  /** The key of the bucket of a moment. */
  readonly of: (moment: Fragment) => Fragment
  /** A condition on `session_before` of a row in `of_bucket`: it is before the bucket, or before the sealed hours. */
  readonly isNew: (chain: Chain) => Fragment
  readonly text: Fragment
  /** No bucket is longer, in milliseconds. */
  readonly longest: number
  /** A key that no bucket has. */
  readonly none: Fragment
}

export function bucketKeys({ unit, zone }: Buckets): BucketKeys {
  const longest = bucketLengths[unit].most
  if (unit === 'minute' || unit === 'hour') {
    const of = (moment: Fragment) => sql`intDiv(toUnixTimestamp64Milli(${moment}), 3600000)`
    return {
      of,
      longest,
      isNew: () => sql`session_before < of_bucket`,
      text: sql`toString(of_bucket * 3600)`,
      none: sql`0`,
    }
  }
  const dateOf = (moment: Fragment) => sql`toDate32(${clockIn(zone, moment)})`
  const dateBefore = dateOf(sql`fromUnixTimestamp64Milli(toInt64(session_before) * 3600000, 'UTC')`)
  return {
    of: (moment) => firstDateOf(unit, dateOf(moment)),
    isNew: ({ isBefore }) =>
      zone === 'UTC'
        ? isBefore(sql`session_before`, sql`toInt32(of_bucket) * 24`)
        : sql`(${isBefore(sql`session_before`)} or ${dateBefore} < of_bucket)`,
    longest,
    text: sql`toString(of_bucket)`,
    none: sql`toDate32('1970-01-01')`,
  }
}

/** Moments at the ends whose buckets have sealed hours, too. */
export function mixed({ whole, selection }: ChainChoice, buckets: Buckets): readonly number[] {
  const { startAt, endAt } = visiblePeriod(selection)
  const startOf = (moment: number) => bucketStarts({ startAt: moment, endAt: moment }, buckets)[0]!
  const [first, next] = [whole.startAt - 1, whole.endAt + 1]
  return [
    ...(startAt <= first && startOf(whole.startAt) <= first ? [first] : []),
    ...(next <= endAt && startOf(next) < next ? [next] : []),
  ]
}

/** The first rows of sessions in their buckets are counted. */
function series(
  { sealed: chain, hours }: ReturnType<VisitsChoice['chainsOf']>,
  buckets: Buckets,
  mixed: readonly number[],
): ChainedSeries {
  const keys = bucketKeys(buckets)
  const isNew = all(chain.passed, keys.isNew(chain))
  const sealed = sql`
    select of_bucket, toInt64(${sumWhere(sql`events`, chain.passed)}) as amount, toInt64(${chain.count(isNew)}) as sessions,
      ${chain.holds(sql`sum(sum(events)) over ()`)} as holds
    from ${chain.rows(sql`${keys.of(sql`hour`)} as of_bucket, session_before, events`)}
    group by of_bucket`
  const ends = hours.ends && seriesAtEnds(hours, hours.ends, keys, mixed)
  const parts = [{ rows: sealed, tells: true }, ...(ends ? [ends] : [])]
  const { from, answers } = added([chain], parts, sql`of_bucket, amount, sessions`)
  return {
    from: sql`from (
      select of_bucket, sum(amount) as views, sum(sessions) as new_sessions, ${answers} as holds ${from} group by of_bucket
    ) where views > 0`,
    bucket: keys.text,
    views: sql`views`,
    sessions: sql`new_sessions`,
    answers: sql`holds`,
  }
}

/** What the ends add: views and sessions by bucket. */
export const seriesAtEnds = (chain: Chain, ends: ChainEnds, keys: BucketKeys, mixed: readonly number[]): Amounts =>
  mixed.length === 0 ? atEnds(ends, keys) : addedAtEnds(chain, ends, keys, mixed)

/** The views at the ends, and their sessions, by buckets without sealed hours. */
const atEnds = ({ views, passes }: ChainEnds, keys: BucketKeys): Amounts => ({
  rows: sql`
    select ${keys.of(sql`created_at`)} as of_bucket, toInt64(count()) as amount,
      toInt64(uniqExact(${keyOfId(sql`session_id`)})) as sessions, true as holds
    ${views} and ${passes}
    group by of_bucket`,
  tells: false,
})

/** The same by all buckets: a session counts if it has no row of sealed hours in the bucket. */
function addedAtEnds(chain: Chain, { views, passes }: ChainEnds, keys: BucketKeys, mixed: readonly number[]): Amounts {
  const known = knownRows(chain, {
    of: views,
    columns: sql`${keys.of(sql`hour`)} as of_bucket, hour, session_key, events`,
    wanted: [
      [sql`of_bucket`, sql`seen_in`],
      [sql`session_key`, sql`session`],
    ],
    which: 'passed',
    condition: any(...mixed.map((moment) => isInBucketOf(moment, keys))),
    none: sql`(${keys.none}, 0)`,
    holds: chain.holds(sql`sum(events)`),
  })
  const parts = [
    sql`select seen_in as of_bucket, session, 0 as views, holds from ${known.rows}`,
    sql`select ${keys.of(sql`created_at`)} as of_bucket, ${keyOfId(sql`session_id`)} as session, 1 as views, false as holds
      ${views} and ${passes}`,
  ]
  const rows = sql`
    select of_bucket, toInt64(sum(seen)) as amount, toInt64(countIf(is_new)) as sessions, max(max(held)) over () as holds
    from (
      select of_bucket, session, sum(views) as seen, min(views) = 1 as is_new, max(holds) as held
      from ${union(parts)}
      group by of_bucket, session
    )
    group by of_bucket`
  return { rows, tells: known.tells }
}

/** A condition on rows of hours: they are of the bucket of a moment. The bounds let a statement leave out months. */
function isInBucketOf(moment: number, keys: BucketKeys): Fragment {
  const [first, last] = [instant(moment - keys.longest), instant(moment + keys.longest)]
  return sql`(of_bucket = ${keys.of(instant(moment))} and hour between ${first} and ${last})`
}

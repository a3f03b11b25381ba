import { type Buckets, bucketStarts } from '../../request/series.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { any, type Fragment, instant, sql, union } from '../language/sql.ts'
import { type Chain, type ChainChoice, type ChainEnds, type Chained, chainOf, chooseChain } from '../tables/chains.ts'
import { bucketOfRows, clockIn, firstDateOf } from './buckets.ts'
import { hasViews, keyOfId } from './chained-ends.ts'

/** Views and sessions by bucket, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement. */
const leastOfSeries = { sealed: 450_000, withEnds: 500_000 } as const

/** Rows of a `bucket`: `from …`, and expressions over a row. */
interface ChainedSeries {
  readonly from: Fragment
  readonly bucket: Fragment
  readonly views: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The series of views and sessions; undefined if no chain can answer it. */
export function chainedSeries(selection: Selection, buckets: Buckets): Chained<ChainedSeries> | undefined {
  const choice = chooseChain('chained visits', selection)
  if (!choice || !bucketOfRows('hour', buckets, visiblePeriod(selection))) return undefined
  return {
    choice,
    leastViews: choice.hasEnds ? leastOfSeries.withEnds : leastOfSeries.sealed,
    figures: (notes) => series(chainOf(choice, notes, hasViews), keysOf(buckets), mixed(choice, buckets)),
  }
}

/** The key of a bucket: a number of hours, or a date. */
interface Keys {
  /** The key of the bucket of a moment. */
  readonly of: (moment: Fragment) => Fragment
  /** A condition on `session_before` of a row in `of_bucket`: it is before the bucket, or before the sealed hours. */
  readonly isNew: (chain: Chain) => Fragment
  readonly text: Fragment
}

function keysOf({ unit, zone }: Buckets): Keys {
  if (unit === 'minute' || unit === 'hour') {
    const of = (moment: Fragment) => sql`intDiv(toUnixTimestamp64Milli(${moment}), 3600000)`
    return { of, isNew: () => sql`session_before < of_bucket`, text: sql`toString(of_bucket * 3600)` }
  }
  const dateOf = (moment: Fragment) => sql`toDate32(${clockIn(zone, moment)})`
  const dateBefore = dateOf(sql`fromUnixTimestamp64Milli(toInt64(session_before) * 3600000, 'UTC')`)
  return {
    of: (moment) => firstDateOf(unit, dateOf(moment)),
    isNew: ({ isBefore }) =>
      zone === 'UTC'
        ? isBefore(sql`session_before`, sql`toInt32(of_bucket) * 24`)
        : sql`(${isBefore(sql`session_before`)} or ${dateBefore} < of_bucket)`,
    text: sql`toString(of_bucket)`,
  }
}

/** Moments at the ends whose buckets have sealed hours, too. */
function mixed({ whole, selection }: ChainChoice, buckets: Buckets): readonly number[] {
  const { startAt, endAt } = visiblePeriod(selection)
  const startOf = (moment: number) => bucketStarts({ startAt: moment, endAt: moment }, buckets)[0]!
  const [first, next] = [whole.startAt - 1, whole.endAt + 1]
  return [
    ...(startAt <= first && startOf(whole.startAt) <= first ? [first] : []),
    ...(next <= endAt && startOf(next) < next ? [next] : []),
  ]
}

/**
 * The first rows of sessions in their buckets are counted. In a bucket with both sealed hours and ends, they bear the
 * keys of their sessions, as views at the ends do; of others the key is 0.
 */
function series(chain: Chain, keys: Keys, mixed: readonly number[]): ChainedSeries {
  const isMixed = any(...mixed.map((moment) => sql`of_bucket = ${keys.of(instant(moment))}`))
  const sealed = sql`
    select of_bucket, passed, events, events as sealed, ${keys.isNew(chain)} as is_new,
      ${isMixed ? sql`if(${isMixed}, session_key, 0)` : sql`toUInt64(0)`} as key
    from ${chain.rows(sql`${keys.of(sql`hour`)} as of_bucket, session_before, session_key, events`)}`
  return {
    from: sql`from (
      select of_bucket, sumIf(events, passed) as views, ${chain.answers(sql`sum(sum(sealed)) over ()`)} as holds,
        countIf(passed and is_new and key = 0) + uniqExactIf(key, passed and is_new and key != 0) as new_sessions
      from ${chain.ends ? union([sealed, atEnds(chain.ends, keys)]) : sql`(${sealed})`}
      group by of_bucket
    ) where views > 0`,
    bucket: keys.text,
    views: sql`views`,
    sessions: sql`new_sessions`,
    answers: sql`holds`,
  }
}

const atEnds = ({ views, passes }: ChainEnds, keys: Keys): Fragment => sql`
  select ${keys.of(sql`created_at`)} as of_bucket, ${passes} as passed, 1 as events, 0 as sealed, true as is_new,
    ${keyOfId(sql`session_id`)} as key
  ${views}`

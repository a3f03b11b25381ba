import { type Buckets, bucketLengths, bucketStarts } from '../../request/series.ts'
import { columnsOf, type NamedColumns, namedAs } from '../language/named-columns.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { alias, all, commaList, type Fragment, instant, sql, sumWhere, text, union } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { clockIn, firstDateOf } from '../tables/buckets.ts'
import { type ChainedField, hashedFields } from '../tables/chained-fields.ts'
import { rowsAround } from '../tables/rows.ts'
import { chainedValues } from '../tables/tables.ts'
import { amount, type ChainPart, distinct } from './parts.ts'
import type { Chain, Sealed } from './rows.ts'

/** The five kinds of statements that read sealed rows. All of them are exact. */

/** The hour of a moment, as a number of hours since 1970, like a row's previous hours. */
const hourNumberOf = (moment: Fragment): Fragment => sql`intDiv(toUnixTimestamp64Milli(${moment}), 3600000)`
const hourNumber = hourNumberOf(sql`hour`)

/** An expression over a row of hours: the time of its visit's last view. */
export const momentOfLast = sql`toUnixTimestamp64Milli(hour) + last`

/** The condition that a row of hours has views. Other rows have only custom events. */
export const hasViews = sql`kind = 1`

/** A part with one row for each combination of keys, or with a single row if there are no keys. */
function part(
  chain: Chain,
  keys: NamedColumns,
  figures: NamedColumns,
  ...conditions: readonly (Fragment | undefined)[]
): ChainPart {
  const columns = columnsOf({ ...keys, ...figures })
  const names = Object.values(keys)
  const grouping = names.length > 0 ? sql`group by ${commaList(names)}` : sql``
  const plain = { columns, from: sql`${chain.from(...conditions)} ${grouping}`, chains: [chain] }
  if (!chain.areAll) return plain
  const { held, due } = chain.areAll
  if (names.length === 0) return { ...plain, isSure: sql`toString(${held}) = ${text(due)}` }
  return {
    columns: columns.map(([name]) => [name, alias(`each_${name}`)]),
    from: sql`from (
      select ${namedAs(columns, 'each_')}, sum(${held}) over () as all_held ${plain.from}
    )`,
    chains: [chain],
    isSure: sql`toString(all_held) = ${text(due)}`,
  }
}

/** Columns that have different names in rows of hours and rows of days. */
interface Unit {
  /** Conditions that select rows with views, and rows that determine which visits are bounces. */
  readonly ofViews: Fragment | undefined
  readonly ofBounces: Fragment | undefined
  /** The previous hour or day in which the session or the visit had an action. */
  readonly sessionActed: Fragment
  readonly visitActed: Fragment
  readonly isLone: Fragment
  readonly country: Fragment
}

export const byHour: Unit = {
  ofViews: hasViews,
  ofBounces: undefined,
  sessionActed: sql`greatest(session_before, session_acted)`,
  visitActed: sql`greatest(visit_before, visit_acted)`,
  isLone: sql`lone = 1`,
  country: sql`country`,
}

export const byDay: Unit = {
  ofViews: sql`field = ''`,
  ofBounces: sql`field = 'bounces'`,
  sessionActed: sql`session_before`,
  visitActed: sql`visit_before`,
  isLone: sql`visit_views = 1`,
  country: sql`value`,
}

/** The figures of views and of their visits, by key if there are keys. */
export function figuresOfViews(
  chain: Chain,
  { ofViews, ofBounces, visitActed, isLone }: Unit,
  keys: NamedColumns = {},
): ChainPart {
  const count = (...conditions: (Fragment | undefined)[]) => amount(chain.count(all(...conditions)))
  const [isNew, isFirst] = [chain.isBefore(sql`visit_before`), chain.isBefore(visitActed)]
  // A visit whose first hour has one view and no custom event is a bounce, unless a later row continues it.
  const wentOn = count(ofBounces, sql`not ${isFirst}`, chain.isBefore(sql`lone_before`))
  return part(chain, keys, {
    views: amount(sumWhere(sql`events`, ofViews)),
    visitors: count(ofViews, chain.isBefore(sql`session_before`)),
    visits: count(ofViews, isNew),
    bounces: sql`${count(ofBounces, isFirst, isLone)} - ${wentOn}`,
    length: sql`toInt64(sum(spent) + ${sumWhere(sql`pause`, sql`not ${isNew}`)})`,
  })
}

/** The totals for actions. */
export function totalsOfActions(chain: Chain, { sessionActed, visitActed, country }: Unit): ChainPart {
  const count = (before: Fragment) => amount(chain.count(chain.isBefore(before)))
  return part(
    chain,
    {},
    {
      views: amount(sql`sum(events)`),
      visitors: count(sessionActed),
      visits: count(visitActed),
      countries: sql`arrayMap(hash -> toString(hash), groupUniqArrayIf(${hashOfText(country)}, ${country} != ''))`,
      customs: amount(sql`sum(customs)`),
    },
  )
}

/**
 * Views and sessions by key. A session is counted in its first row for the key, because each row says when the session
 * was last seen before.
 */
export const firstRows = (chain: Chain, keys: NamedColumns, isFirst: Fragment): ChainPart =>
  part(chain, keys, { views: amount(sql`sum(${chain.views})`), visitors: amount(chain.count(isFirst)) })

/** Distinct sessions by key. */
export const distinctSessions = (chain: Chain, keys: NamedColumns, ...conditions: readonly Fragment[]): ChainPart =>
  part(chain, keys, { visitors: distinct(sql`session_key`) }, ...conditions)

/** The condition that a row of hours contains its visit's figures for the hour. The visit's other rows contain 0. */
export const isOfVisit = sql`visit_before != ${hourNumber}`

/**
 * Returns the condition that the row is the visit's last one: no row in the range has this row's hour as its previous
 * hour.
 */
export function leaves(chain: Chain): Fragment {
  const goesOn = chain.from(isOfVisit, sql`not ${chain.isBefore(sql`visit_before`)}`)
  return sql`visit_key + toUInt64(${hourNumber}) global not in (select visit_key + visit_before ${goesOn})`
}

/**
 * Sessions by a value of their views, using the hashes in rows of hours. The strings come from rows of values, which
 * may be from other hours or seals. If a string is missing, the part is incorrect.
 */
export function sessionsByHash(chain: Chain, field: ChainedField, selection: Selection): ChainPart {
  const texts = rowsAround(chainedValues, selection, sql`field = ${text(field)}`)
  const hashes = hashedFields[field]
  // A single grouping by key combines sessions and strings, because a join takes much longer if there are many values.
  const rows = union([
    sql`select reinterpretAsUInt64(toString(arrayJoin(${hashes}))) as key, session_key, true as is_seen, '' as text
      ${chain.from()}`,
    sql`select sipHash64(toString(one)) as key, 0 as session_key, false as is_seen, toString(one) as text
      from (select value as one ${texts} group by one)`,
  ])
  // ClickHouse evaluates window functions after `having`.
  return {
    columns: columnsOf({ x: sql`found`, visitors: amount(sql`seen`) }),
    from: sql`from (
      select max(text) as found, uniqExactIf(session_key, is_seen) as seen,
        min(found != '' or key = sipHash64('')) over () as are_named
      from ${rows}
      group by key having seen > 0
    )`,
    chains: [chain],
    isSure: sql`are_named`,
  }
}

/** How to compute the key of a bucket, which is a number of hours or a date. */
export interface BucketKeys {
  /** The key of the bucket that contains a given moment. */
  readonly of: (moment: Fragment) => Fragment
  /**
   * Returns the condition that a row's previous hour `before` is outside the row's bucket or outside the sealed hours.
   */
  readonly isNew: (chain: Chain, before: Fragment) => Fragment
  /** The bucket with this key, formatted as by `bucketOf`. */
  readonly text: (key: Fragment) => Fragment
  /** The maximum length of a bucket, in milliseconds. */
  readonly longest: number
}

export function bucketKeys({ unit, zone }: Buckets): BucketKeys {
  const longest = bucketLengths[unit].most
  if (unit === 'minute' || unit === 'hour') {
    return {
      of: hourNumberOf,
      isNew: (_, before) => sql`${before} < ${hourNumber}`,
      text: (key) => sql`toString(${key} * 3600)`,
      longest,
    }
  }
  const dateOf = (moment: Fragment) => sql`toDate32(${clockIn(zone, moment)})`
  const of = (moment: Fragment) => firstDateOf(unit, dateOf(moment))
  const dateBefore = (before: Fragment) => dateOf(sql`fromUnixTimestamp64Milli(toInt64(${before}) * 3600000, 'UTC')`)
  return {
    of,
    isNew: ({ isBefore }, before) =>
      zone === 'UTC'
        ? isBefore(before, sql`toInt32(${of(sql`hour`)}) * 24`)
        : sql`(${isBefore(before)} or ${dateBefore(before)} < ${of(sql`hour`)})`,
    text: (key) => sql`toString(${key})`,
    longest,
  }
}

/**
 * Returns conditions that select rows of hours whose buckets extend into the ends of the range; empty if no bucket
 * does.
 */
export function inMixedBuckets(
  { whole, selection }: Sealed,
  buckets: Buckets,
  { of, longest }: BucketKeys,
): readonly Fragment[] {
  // The bounds allow ClickHouse to skip months.
  return mixed(whole, selection, buckets).map((moment) => {
    const [first, last] = [instant(moment - longest), instant(moment + longest)]
    return sql`(${of(sql`hour`)} = ${of(instant(moment))} and hour between ${first} and ${last})`
  })
}

/** Times at the ends of the range whose buckets also contain sealed hours. */
function mixed(whole: Sealed['whole'], selection: Selection, buckets: Buckets): readonly number[] {
  const { startAt, endAt } = visiblePeriod(selection)
  const startOf = (moment: number) => bucketStarts({ startAt: moment, endAt: moment }, buckets)[0]!
  const [first, next] = [whole.startAt - 1, whole.endAt + 1]
  return [
    ...(startAt <= first && startOf(whole.startAt) <= first ? [first] : []),
    ...(next <= endAt && startOf(next) < next ? [next] : []),
  ]
}

import { all, commaList, type Fragment, milliseconds, sql, uint8, union } from '../language/sql.ts'
import type { Chain, ChainEnds, WhichRows } from '../tables/chains.ts'
import { isCustomEvent, isView } from '../tables/rows.ts'

/**
 * What the ends of a range add to its sealed hours: the figures of their visits over all of the range, less those that
 * the sealed hours have counted. A `sign` of 1 is for all rows of a visit, and one of -1 for those in sealed hours.
 */

/** What rows of a chain have in place of the id of a session or a visit. */
export const keyOfId = (id: Fragment): Fragment => sql`sipHash64(${id})`

/** A condition on a row of hours. Others hold custom events only. */
export const hasViews = sql`kind = 1`

/** A condition on a row of a chain: its session has one of these rows of events, `from … where …`. */
export const isOfSessionsIn = (events: Fragment): Fragment =>
  sql`session_key global in (select ${keyOfId(sql`session_id`)} ${events})`

/** Whether a read of views and custom events says that the chain answers. */
export const holdsOf = (chain: Chain): Fragment => chain.holds(sql`sum(events)`, sql`sum(customs)`)

/** Rows of sealed hours whose sessions have rows of events at the ends. */
interface Asked {
  /** The events: `from … where …`. */
  readonly of: Fragment
  /** The columns that the other expressions read. */
  readonly columns: Fragment
  /** What is wanted of a row: expressions, and their names. */
  readonly wanted: readonly (readonly [expression: Fragment, name: Fragment])[]
  /** Others are left out. */
  readonly which: WhichRows
  readonly condition?: Fragment | undefined
  /** A tuple of what is wanted, of a row that counts nowhere. */
  readonly none: Fragment
  /** An expression over all rows: whether the chain answers. */
  readonly holds: Fragment
}

interface Known {
  /** A subquery of the rows, with `holds`. */
  readonly rows: Fragment
  /** Whether `holds` of any row says that the chain answers. Else another read of the chain has to. */
  readonly tells: boolean
}

/**
 * Within a statement, a server reads a table at one moment. So one read may find the few rows, and another one count
 * all. Elsewhere one read does both. That costs more: it decodes all columns of all rows.
 */
export function knownRows(chain: Chain, { of, columns, wanted, which, condition, none, holds }: Asked): Known {
  const isKnown = isOfSessionsIn(of)
  if (chain.few) {
    const named = wanted.map(([expression, name]) => sql`${expression} as ${name}`)
    const read = chain.few(columns, isKnown, which)
    return { rows: sql`(select ${commaList(named)}, true as holds from ${read} where ${all(condition)})`, tells: false }
  }
  const isWanted = which === 'passed' ? sql`passed` : sql`shown`
  const tuple = commaList(wanted.map(([expression]) => expression))
  const named = wanted.map(([, name], place) => sql`tupleElement(one, ${uint8(place + 1)}) as ${name}`)
  const found = sql`
    select arrayPushFront(groupArrayIf((${tuple}), ${all(isWanted, condition, isKnown)}), ${none}) as all, ${holds} as holds
    from ${chain.rows(columns)}`
  return { rows: sql`(select ${commaList(named)}, holds from (${found}) array join all as one)`, tells: true }
}

/** An expression over a row of hours: the moment of its visit's last view. */
export const momentOfLast = sql`toUnixTimestamp64Milli(hour) + last`

/** One row: the totals that the ends add. */
export function totalsOfEnds(chain: Chain, { shown, passes }: ChainEnds): Fragment {
  const known = knownRows(chain, {
    of: shown,
    columns: sql`visit_key, session_key, events, customs, hour, last, spent`,
    wanted: [
      [sql`visit_key`, sql`visit`],
      [sql`session_key`, sql`session`],
      [sql`passed`, sql`passed`],
      [sql`events`, sql`events`],
      [sql`customs`, sql`customs`],
      [sql`${momentOfLast} - spent`, sql`first_at`],
      [momentOfLast, sql`last_at`],
    ],
    which: 'shown',
    none: sql`(0, 0, false, 0, 0, 0, 0)`,
    holds: holdsOf(chain),
  })
  const parts = [
    sql`select visit, session, passed, events, customs, first_at, last_at, ${signs} as sign, holds from ${known.rows}`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session, ${passes} as passed,
        ${isView} as events, ${isCustomEvent} as customs, toUnixTimestamp64Milli(created_at) as first_at,
        first_at as last_at, 1 as sign, false as holds
      ${shown}`,
  ]
  return sql`
    select toInt64(sum(sign * viewed)) as views, ${differing(sql`session`)} as visitors, toInt64(sum(sign)) as visits,
      toInt64(sum(sign * took)) as length, toInt64(sumIf(sign, seen = 1 and acted = 0)) as bounces,
      ${known.tells ? sql`max(held)` : sql`true`} as holds
    from (
      select visit, sign, any(session) as session, toInt64(sumIf(events, passed)) as viewed, sum(events) as seen,
        sum(customs) as acted, maxIf(last_at, events > 0) - minIf(first_at, events > 0) as took, max(holds) as held
      from ${union(parts)}
      group by visit, sign having viewed > 0 or sign = 0
    )`
}

/** The signs of a known row of a visit. */
export const signs = sql`arrayJoin(if(visit = 0, [0], [-1, 1]))`

/** How many more there are in all of the range than in the sealed hours. */
export const differing = (id: Fragment): Fragment =>
  sql`toInt64(uniqExactIf(${id}, sign = 1)) - toInt64(uniqExactIf(${id}, sign = -1))`

/** Rows of `of_value`, and of the `amount` of sessions. If it `tells`, each row `holds`, or none. */
export interface Amounts {
  readonly rows: Fragment
  readonly tells: boolean
}

/** A value: its column in rows of hours, and an expression over a view. */
interface ChainedValue {
  readonly ofHours: Fragment
  readonly ofViews: Fragment
}

/** A value of the first or the last view of a visit. */
export interface ValueOfVisits extends ChainedValue {
  readonly at: 'landing' | 'exit'
}

/** The sessions that have a value at the ends, and not within the sealed hours. */
export function newOfEnds(hours: Chain, { views, passes }: ChainEnds, { ofHours, ofViews }: ChainedValue): Amounts {
  const known = knownRows(hours, {
    of: views,
    columns: sql`session_key, ${ofHours} as seen, events`,
    wanted: [
      [sql`session_key`, sql`session`],
      [sql`seen`, sql`seen_values`],
    ],
    which: 'passed',
    none: sql`(0, cast([''], 'Array(LowCardinality(String))'))`,
    holds: hours.holds(sql`sum(events)`),
  })
  const parts = [
    sql`select session, reinterpretAsUInt64(toString(arrayJoin(seen_values))) as key, '' as at_end, true as is_before, holds
      from ${known.rows}`,
    sql`select ${keyOfId(sql`session_id`)} as session, sipHash64(at_end) as key, ${ofViews} as at_end, false as is_before,
        false as holds
      ${views} and ${passes}`,
  ]
  const rows = sql`
    select of_value, toInt64(countIf(is_new)) as amount, max(max(held)) over () as holds
    from (
      select max(at_end) as of_value, not max(is_before) as is_new, max(holds) as held
      from ${union(parts)}
      group by session, key
    )
    group by of_value`
  return { rows, tells: known.tells }
}

/** The hour of a row of hours, as its hours before are counted. */
export const hourNumber = sql`intDiv(toUnixTimestamp64Milli(hour), 3600000)`

/** A condition on rows of hours: they bear the figures of their visit in the hour. */
export const isOfVisit = sql`visit_before != ${hourNumber}`

/** Comes before all ids of events. */
export const leastId = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/**
 * The sessions that the ends add to the landings or the exits of visits, or take from them: views before the sealed
 * hours land, and views after them leave.
 */
export function visitsOfEnds(chain: Chain, { views, passes, sealedFrom }: ChainEnds, value: ValueOfVisits): Amounts {
  const { ofHours, ofViews, at } = value
  const isLanding = at === 'landing'
  const known = knownRows(chain, {
    of: views,
    columns: sql`visit_key, session_key, visit_before, hour, ${ofHours} as of_value, events`,
    wanted: [
      [sql`visit_key`, sql`visit`],
      [sql`session_key`, sql`session`],
      [sql`passed`, sql`passed`],
      [sql`toString(of_value)`, sql`seen_value`],
      [isLanding ? sql`${milliseconds(sealedFrom)}` : sql`toUnixTimestamp64Milli(hour)`, sql`moment`],
    ],
    none: sql`(0, 0, true, '', 0)`,
    which: 'shown',
    condition: isLanding ? chain.isBefore(sql`visit_before`) : isOfVisit,
    holds: chain.holds(sql`sum(events)`),
  })
  const parts = [
    sql`select visit, session, passed, seen_value, (moment, ${leastId}) as place, ${signs} as sign, holds from ${known.rows}`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session, ${passes} as passed,
        toString(${ofViews}) as seen_value, (toUnixTimestamp64Milli(created_at), event_id) as place, 1 as sign,
        false as holds
      ${views}`,
  ]
  const rows = sql`
    select of_value, ${differing(sql`session`)} as amount, max(max(held)) over () as holds
    from (
      select ${isLanding ? sql`argMin` : sql`argMax`}(seen_value, place) as of_value, sign, any(session) as session,
        max(holds) as held
      from ${union(parts)}
      group by visit, sign having max(passed)
    )
    group by of_value`
  return { rows, tells: known.tells }
}

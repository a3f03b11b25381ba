import { columnsOf } from '../language/named-columns.ts'
import { alias, all, any, commaList, type Fragment, sql, union } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { hourOfWeek } from '../tables/buckets.ts'
import { type ChainedField, hashedFields } from '../tables/chained-fields.ts'
import { isCustomEvent, isView } from '../tables/rows.ts'
import { amount, type ChainPart, distinct, type OfClient, type OfVisit } from './parts.ts'
import type { Chain, Ends, WhichRows } from './rows.ts'
import { type BucketKeys, byHour, hasViews, isOfVisit, momentOfLast } from './sealed.ts'

/**
 * Adds the unsealed ends of a range to its sealed hours. Few sessions have events there, and hashes of their ids are
 * used to find their rows in the sealed hours.
 */

/** The hash that replaces the id of a session or visit in a chain's rows. */
const keyOfId = (id: Fragment): Fragment => sql`sipHash64(${id})`

/** Returns the condition that the session of a chain's row has one of these events (`from … where …`). */
const isOfSessionsIn = (events: Fragment): Fragment =>
  sql`session_key global in (select ${keyOfId(sql`session_id`)} ${events})`

/**
 * Restricts the events to sessions that a later read of the same events also finds. On shards, an event may arrive
 * between two reads. ClickHouse runs the subqueries of `global in` during planning, in the order in which they are
 * written.
 */
const alsoFoundLater = ({ isOfShards }: Chain, events: Fragment): Fragment =>
  isOfShards ? sql`${events} and session_id global in (select session_id ${events})` : events

/** An id that sorts before every event id. */
const leastId = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** A column that exists both in sealed hours and in events. */
interface Column {
  readonly name: Fragment
  readonly ofHours: Fragment
  readonly ofEvents: Fragment
}

const selected = (columns: readonly Column[], of: 'ofHours' | 'ofEvents'): Fragment =>
  commaList([sql``, ...columns.map((column) => sql`${column[of]} as ${column.name}`)])

/** The events at the ends, and the same sessions' rows in the sealed hours. */
interface Asked {
  readonly chain: Chain
  /** The events, as `from … where …`. */
  readonly events: Fragment
  readonly columns: readonly Column[]
  /** The rows of the sealed hours to use. */
  readonly which: WhichRows
  readonly condition?: Fragment | undefined
}

interface VisitsAsked extends Asked {
  /** Aggregates over a visit's rows, with their names. */
  readonly facts: Fragment
  readonly having?: Fragment
}

/**
 * `from …` for visits that have a `session` and facts. Each visit has a row with `sign` 1 for the whole range and, if
 * it has rows in the sealed hours, one with `sign` -1 for the part that was counted there.
 */
const visitsAtEnds = ({ chain, events, columns, which, condition, facts, having = sql`` }: VisitsAsked): Fragment =>
  sql`from (
    select visit, sign, any(session) as session, ${facts}
    from ${union([
      sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session, 1 as sign
        ${selected(columns, 'ofEvents')} ${alsoFoundLater(chain, events)}`,
      sql`select visit_key as visit, session_key as session, arrayJoin([-1, 1]) as sign${selected(columns, 'ofHours')}
        ${chain.few(isOfSessionsIn(events), which, condition)}`,
    ])}
    group by visit, sign ${having}
  )`

/** The difference between the whole range and the sealed hours. */
const differing = (id: Fragment): Fragment =>
  sql`toInt64(uniqExactIf(${id}, sign = 1)) - toInt64(uniqExactIf(${id}, sign = -1))`

interface SessionsAsked extends Asked {
  /** The key columns. The other columns are used for `facts`. */
  readonly keys: readonly Fragment[]
  /** Aggregates over the rows of each session and key, with their names. */
  readonly facts?: Fragment
}

/** `from …` for sessions by key, with facts. `is_new`: all of the session's rows with this key are at the ends. */
const sessionsAtEnds = ({ chain, events, columns, which, condition, keys, facts }: SessionsAsked): Fragment => {
  const grouped = commaList([sql`session`, ...keys])
  return sql`from (
    select ${commaList([grouped, sql`min(is_end) = 1 as is_new`, ...(facts ? [facts] : [])])}
    from ${union([
      sql`select ${keyOfId(sql`session_id`)} as session, 1 as is_end${selected(columns, 'ofEvents')}
        ${alsoFoundLater(chain, events)}`,
      sql`select session_key as session, 0 as is_end${selected(columns, 'ofHours')}
        ${chain.few(isOfSessionsIn(events), which, condition)}`,
    ])}
    group by ${grouped}
  )`
}

interface ViewsAsked {
  /** Set if sealed rows do not tell how many of their views match the filters. */
  readonly onlyAtEnds?: true
  /** The breakdown. If it is missing, totals are counted. */
  readonly by?: OfClient
}

/** The figures of views and of their visits. A visit with several values is counted for each of them. */
export function figuresOfViewsAtEnds(
  chain: Chain,
  { shown, passes }: Ends,
  { onlyAtEnds, by }: ViewsAsked = {},
): ChainPart {
  const isShown = sql`passed and viewed > 0`
  const visits = visitsAtEnds({
    ...{ chain, events: shown, which: 'shown' },
    columns: [
      { name: sql`passed`, ofHours: chain.passes, ofEvents: passes },
      { name: sql`viewed`, ofHours: sql`events`, ofEvents: isView },
      { name: sql`acted`, ofHours: sql`customs`, ofEvents: isCustomEvent },
      { name: sql`first_at`, ofHours: sql`${momentOfLast} - spent`, ofEvents: sql`toUnixTimestamp64Milli(created_at)` },
      { name: sql`last_at`, ofHours: momentOfLast, ofEvents: sql`toUnixTimestamp64Milli(created_at)` },
      ...(onlyAtEnds ? [{ name: sql`at_end`, ofHours: sql`0`, ofEvents: sql`1` }] : []),
      ...(by ? [clientOf(by)] : []),
    ],
    facts: sql`
      ${
        by
          ? sql`groupArrayIf(client, ${isShown}) as clients, groupArrayIf(toInt64(viewed), ${isShown}) as counts`
          : sql`toInt64(sumIf(viewed, passed${onlyAtEnds ? sql` and at_end` : sql``})) as views`
      }, countIf(${isShown}) as passing,
      sum(viewed) as seen, sum(acted) as did, maxIf(last_at, viewed > 0) - minIf(first_at, viewed > 0) as took`,
    having: sql`having passing > 0`,
  })
  const isFirst = by ? sql`nth = 1` : sql`true`
  const figures = {
    views: amount(sql`sum(sign * views)`),
    visitors: differing(sql`session`),
    visits: amount(sql`sumIf(sign, ${isFirst})`),
    bounces: amount(sql`sumIf(sign, ${isFirst} and seen = 1 and did = 0)`),
    length: amount(sql`sumIf(sign * took, ${isFirst})`),
  }
  if (!by) return { columns: columnsOf(figures), from: visits, chains: [chain] }
  const each = sql`${visits} array join clients as client, counts as views, arrayEnumerateUniq(clients) as nth`
  return byKey(chain, keysOfClient(by), figures, each)
}

/** The totals for actions. */
export function totalsOfActionsAtEnds(chain: Chain, { actions }: Ends): ChainPart {
  const from = visitsAtEnds({
    ...{ chain, events: actions, which: 'passed' },
    columns: [
      { name: sql`viewed`, ofHours: sql`0`, ofEvents: sql`event_type != 2` },
      { name: sql`acted`, ofHours: sql`0`, ofEvents: isCustomEvent },
      { name: sql`nation`, ofHours: sql`''`, ofEvents: sql`toString(country)` },
    ],
    facts: sql`
      sum(viewed) as views, sum(acted) as customs, groupUniqArrayIf(${hashOfText(sql`nation`)}, nation != '') as countries`,
  })
  const figures = {
    views: amount(sql`sum(views)`),
    visitors: differing(sql`session`),
    visits: amount(sql`sum(sign)`),
    countries: sql`arrayMap(hash -> toString(hash), groupUniqArrayArray(countries))`,
    customs: amount(sql`sum(customs)`),
  }
  return { columns: columnsOf(figures), from, chains: [chain] }
}

/** The number of sessions that have an action. */
export function visitorsAtEnds(chain: Chain, { actions }: Ends): ChainPart {
  const condition = chain.isBefore(byHour.sessionActed)
  const from = sessionsAtEnds({ chain, events: actions, which: 'passed', condition, columns: [], keys: [] })
  return { columns: columnsOf({ visitors: amount(sql`countIf(is_new)`) }), from, chains: [chain] }
}

/** A part with one row for each value. */
const byKey = (
  chain: Chain,
  keys: Readonly<Record<string, Fragment>>,
  figures: Readonly<Record<string, Fragment>>,
  from: Fragment,
): ChainPart => ({
  columns: columnsOf({ ...keys, ...figures }),
  from: sql`${from} group by ${alias('x')}${'country' in keys ? sql`, ${alias('country')}` : sql``}`,
  chains: [chain],
})

/**
 * Sessions by a value of their visits. Only views before the sealed hours can change a landing, and only views after
 * them can change an exit.
 */
export function visitsByValueAtEnds(chain: Chain, { views, passes }: Ends, value: OfVisit): ChainPart {
  const from = visitsAtEnds({
    ...{ chain, events: views, which: 'shown' },
    columns: [
      { name: sql`passed`, ofHours: chain.passes, ofEvents: passes },
      { name: sql`seen`, ofHours: sql`toString(${value.ofHours})`, ofEvents: sql`toString(${value.ofViews})` },
      {
        name: sql`place`,
        ofHours: sql`(toUnixTimestamp64Milli(hour), ${leastId})`,
        ofEvents: sql`(toUnixTimestamp64Milli(created_at), event_id)`,
      },
    ],
    condition: all(hasViews, isOfVisit),
    facts: sql`${value.kind === 'landing' ? sql`argMin` : sql`argMax`}(seen, place) as of_value`,
    having: sql`having max(passed)`,
  })
  return byKey(chain, { x: sql`of_value` }, { visitors: differing(sql`session`) }, from)
}

/** Sessions by an attribute of the visitor. A session that has another value at the ends is counted for both. */
export function clientsAtEnds(chain: Chain, { views, passes }: Ends, by: OfClient): ChainPart {
  const events = sql`${views} and ${passes}`
  const from = sessionsAtEnds({ chain, events, which: 'passed', columns: [clientOf(by)], keys: [sql`client`] })
  return byKey(chain, keysOfClient(by), { visitors: amount(sql`countIf(is_new)`) }, from)
}

/** The column with the visitor's attribute and, if the breakdown is by country, the country. */
function clientOf({ value, byCountry }: OfClient): Column {
  const client = sql`[toString(${value})${byCountry ? sql`, toString(country)` : sql``}]`
  return { name: sql`client`, ofHours: client, ofEvents: client }
}

const keysOfClient = ({ byCountry }: OfClient) => ({
  x: sql`client[1]`,
  ...(byCountry && { country: sql`client[2]` }),
})

/** Sessions by a value of their views. Rows of sealed hours contain hashes instead of strings. */
export function valuesAtEnds(chain: Chain, { views, passes }: Ends, field: ChainedField, ofViews: Fragment): ChainPart {
  const from = sessionsAtEnds({
    ...{ chain, events: sql`${views} and ${passes}`, which: 'passed', keys: [sql`key`] },
    columns: [
      {
        name: sql`key`,
        ofHours: sql`reinterpretAsUInt64(toString(arrayJoin(${hashedFields[field]})))`,
        ofEvents: sql`sipHash64(toString(${ofViews}))`,
      },
      { name: sql`seen`, ofHours: sql`''`, ofEvents: sql`toString(${ofViews})` },
    ],
    facts: sql`max(seen) as text`,
  })
  return byKey(chain, { x: sql`text` }, { visitors: amount(sql`count()`) }, sql`${from} where is_new`)
}

/** Views and sessions by bucket. A session is counted if it has no row of sealed hours in the bucket. */
export function bucketsAtEnds(
  chain: Chain,
  { views, passes }: Ends,
  keys: BucketKeys,
  mixed: readonly Fragment[],
): ChainPart {
  const events = sql`${views} and ${passes}`
  const key = keys.of(sql`created_at`)
  const figures = { views: amount(sql`sum(seen)`), visitors: amount(sql`countIf(is_new)`) }
  if (mixed.length === 0) {
    const alone = { views: amount(sql`count()`), visitors: distinct(sql`session_id`) }
    return { ...byKey(chain, { x: keys.text(key) }, alone, events), chains: [] }
  }
  const from = sessionsAtEnds({
    ...{ chain, events, which: 'passed', condition: any(...mixed), keys: [sql`key`] },
    columns: [
      { name: sql`key`, ofHours: keys.of(sql`hour`), ofEvents: key },
      { name: sql`viewed`, ofHours: sql`0`, ofEvents: sql`1` },
    ],
    facts: sql`sum(viewed) as seen`,
  })
  return byKey(chain, { x: keys.text(sql`key`) }, figures, from)
}

/** Sessions with a view, by local hour of the week. */
export function hoursOfWeekAtEnds(chain: Chain, { views, passes }: Ends, zone: string): ChainPart {
  const keyOf = (moment: Fragment) => hourOfWeek(zone, moment)
  const from = sessionsAtEnds({
    ...{ chain, events: sql`${views} and ${passes}`, which: 'passed', keys: [sql`key`] },
    columns: [{ name: sql`key`, ofHours: keyOf(sql`hour`), ofEvents: keyOf(sql`created_at`) }],
  })
  return byKey(chain, { x: sql`toString(key)` }, { visitors: amount(sql`countIf(is_new)`) }, from)
}

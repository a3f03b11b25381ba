import { isFiltered, type Selection } from '../language/scope.ts'
import { type Fragment, milliseconds, sql, text, uint8, uint32, union } from '../language/sql.ts'
import { type ChainedField, chainedFields, hashedFields } from '../tables/chained-fields.ts'
import {
  type Chain,
  type ChainChoice,
  type ChainEnds,
  type Chained,
  chainOf,
  chooseChain,
  type Notes,
} from '../tables/chains.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

/** From this many views on, chains are cheaper than the whole statement: docs/benchmarks.md. */
const least = {
  sealed: 80_000,
  sealedFewValues: 300_000,
  withEnds: 400_000,
  withEndsFiltered: 250_000,
  withValuesOfEnds: 500_000,
} as const

const leastOfHours = ({ hasEnds }: { readonly hasEnds: boolean }, selection: Selection): number =>
  !hasEnds ? least.sealed : isFiltered(selection) ? least.withEndsFiltered : least.withEnds

/** A condition on a row of hours. Others hold custom events only. */
const hasViews = sql`kind = 1`

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
    leastViews: leastOfHours(choice, selection),
    figures(notes) {
      const chain = chainOf(choice, notes, hasViews)
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

/** What rows of a chain have in place of the id of a session or a visit. */
export const keyOfId = (id: Fragment): Fragment => sql`sipHash64(${id})`

/** A condition on a row of a chain: its session has one of these rows of events, `from … where …`. */
export const isOfSessionsIn = (events: Fragment): Fragment =>
  sql`session_key global in (select ${keyOfId(sql`session_id`)} ${events})`

/** A condition on a row of a chain: it is shown, and its session has a view at the ends. */
const isAtEnds = ({ views }: ChainEnds): Fragment => sql`shown and ${isOfSessionsIn(views)}`

/**
 * The ends add the figures of their visits over all of the range, less those that the sealed hours have counted. Rows
 * of sessions with views at the ends are grouped by visit, all others as one, whose key is 0.
 */
function withEnds(chain: Chain, ends: ChainEnds): ChainedTotals {
  const { visitors, visits, bounces, length } = figuresOf(chain)
  const never = uint32(2 ** 32 - 1)
  const parts = [
    sql`select if(${isAtEnds(ends)}, visit_key, 0) as visit, session_key, passed, false as is_end, ${rowFigures},
        toUnixTimestamp64Milli(hour) + last as last_at, last_at - spent as first_at
      from ${chain.rows(sql`${rowFigures}, session_key, visit_key, hour, last`)}`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session_key, ${ends.passes} as passed, true as is_end, 1 as events,
        ${never} as session_before, ${never} as visit_before, 0 as visit_views, 0 as spent, 0 as pause,
        ${never} as lone_before, toUnixTimestamp64Milli(created_at) as last_at, last_at as first_at
      ${ends.views}`,
  ]
  const isKnown = sql`visit != 0`
  return {
    from: sql`from (
      select visit, any(session_key) as session, toInt64(sumIf(events, passed)) as views,
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

/** Sessions by value: `from …`, and expressions over the rows of an `of_value`. */
export interface ChainedValues {
  readonly from: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** A value: its column in rows of hours, and an expression over a view. */
interface ChainedValue {
  readonly ofHours: Fragment
  readonly ofViews: Fragment
}

const isChained = (type: string): type is ChainedField => Object.hasOwn(chainedFields, type)

/** The values of visits that rows of hours have, by the type of the metric: those of their first views. */
const landings: Readonly<Partial<Record<string, ChainedValue>>> = {
  entry: { ofHours: sql`entry`, ofViews: sql`url_path` },
  channel: { ofHours: sql`channel`, ofViews: sql`channel` },
}

/** Sessions by a value of their views or visits; undefined if no chain can answer. */
export function chainedSessions(type: string, selection: Selection): Chained<ChainedValues> | undefined {
  const hours = chooseChain('chained visits', selection)
  const landing = landings[type]
  if (hours && landing) {
    const figures = (notes: Notes) => landed(chainOf(hours, notes, hasViews), landing)
    return { choice: hours, leastViews: leastOfHours(hours, selection), figures }
  }
  return hours && isChained(type) ? valuesOfViews(type, hours, selection) : undefined
}

function valuesOfViews(type: ChainedField, hours: ChainChoice, selection: Selection) {
  const choice = chooseChain('chained values', selection)
  const ofHours = hashedFields[type]
  if (!choice || (choice.hasEnds && !ofHours)) return undefined
  const atEnds = ofHours && { ofHours, ofViews: sql`toString(${chainedFields[type]})` }
  return {
    choice,
    leastViews: choice.hasEnds ? least.withValuesOfEnds : ofHours ? least.sealed : least.sealedFewValues,
    figures(notes: Notes) {
      const chain = chainOf(choice, notes, sql`field = ${text(type)}`)
      const columns = sql`value as of_value, sessions, value_before, views as weight`
      const sealed = sealedSessions(chain, columns, sql`sumIf(sessions, ${chain.isBefore(sql`value_before`)})`)
      const { ends, ...sealedHours } = chainOf(hours, notes, hasViews)
      return added([sealed, ...(ends && atEnds ? [newAtEnds(sealedHours, ends, atEnds)] : [])])
    },
  }
}

/**
 * The sessions that have a value at the ends, and not within the sealed hours. An entry of no session keeps a row where
 * no session is known, so that it tells whether the chain answers.
 */
function newAtEnds(hours: Omit<Chain, 'ends'>, ends: ChainEnds, { ofHours, ofViews }: ChainedValue): Fragment {
  const sealed = sql`
    select groupArrayIf((session_key, seen), ${isAtEnds(ends)}) as found,
      arrayPushFront(cast(found, 'Array(Tuple(UInt64, Array(String)))'), (0, [''])) as known,
      ${hours.answers(sql`sum(events)`)} as answers
    from ${hours.rows(sql`session_key, ${ofHours} as seen, events`)}`
  const parts = [
    sql`select row.1 as session, reinterpretAsUInt64(arrayJoin(row.2)) as key, '' as at_end, true as is_before, answers
      from (${sealed}) array join known as row`,
    sql`select ${keyOfId(sql`session_id`)} as session, sipHash64(at_end) as key, ${ofViews} as at_end, false as is_before,
        0 as answers
      ${ends.views}`,
  ]
  return sql`
    select of_value, toInt64(countIf(is_new)) as amount, max(max(answered)) over () as holds
    from (
      select max(at_end) as of_value, not max(is_before) as is_new, max(answers) as answered
      from ${union(parts)}
      group by session, key
    )
    group by of_value`
}

/** Sessions by a value of their visits. Several visits of a session may begin alike. */
function landed(chain: Chain, { ofHours, ofViews }: ChainedValue): ChainedValues {
  const begins = chain.isBefore(sql`visit_before`)
  const counted = sql`uniqExactIf(session_key, passed and ${begins})`
  const columns = sql`${ofHours} as of_value, session_key, visit_before, events as weight`
  if (!chain.ends) return added([sealedSessions(chain, columns, counted)])
  return added([landedWithEnds(chain, chain.ends, { columns, counted, begins, ofViews })])
}

interface LandedRows {
  readonly columns: Fragment
  readonly counted: Fragment
  /** A condition on a row of hours: its visit begins in the sealed hours of the range. */
  readonly begins: Fragment
  readonly ofViews: Fragment
}

/**
 * Of sessions with views at the ends, the values that their visits have in the sealed hours count no more, and those
 * that they have in all of the range do. A row whose `visit` is 0 is of a value, all others are of visits.
 */
function landedWithEnds(chain: Chain, ends: ChainEnds, { columns, counted, begins, ofViews }: LandedRows): Fragment {
  const known = sql`groupArrayIf((visit_key, session_key, passed), ${begins} and ${isAtEnds(ends)})`
  const sealed = sql`
    select of_value, toInt64(${counted}) as counted, arrayPushFront(${known}, (0, 0, false)) as visits,
      ${chain.answers(sql`sum(sum(weight)) over ()`)} as answers
    from ${chain.rows(sql`${columns}, visit_key`)}
    group by of_value`
  // Views before the sealed hours are the first of their visits, and those after them are not.
  const [start, noId] = [milliseconds(ends.sealedFrom), sql`toUUID('00000000-0000-0000-0000-000000000000')`]
  const parts = [
    sql`select row.1 as visit, row.2 as session, row.3 as passed, false as is_end, toString(of_value) as landing,
        (${start}, ${noId}) as place, if(visit = 0, counted, 0) as of_sealed, answers
      from (${sealed}) array join visits as row`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session, ${ends.passes} as passed,
        true as is_end, toString(${ofViews}) as landing, (toUnixTimestamp64Milli(created_at), event_id) as place,
        0 as of_sealed, 0 as answers
      ${ends.views}`,
  ]
  return sql`
    select pair.1 as of_value, sum(sealed) + toInt64(uniqExactIf(session_of, pair.2 = 'after'))
        - toInt64(uniqExactIf(session_of, pair.2 = 'before')) as amount,
      max(max(answered)) over () as holds
    from (
      select any(session) as session_of, sum(of_sealed) as sealed, max(answers) as answered,
        if(visit = 0, [(any(landing), 'sealed')], arrayConcat(
          if(max(passed), [(argMin(landing, place), 'after')], []),
          if(maxIf(passed, not is_end), [(anyIf(landing, not is_end), 'before')], []))) as pairs
      from ${union(parts)}
      group by visit, if(visit = 0, landing, '')
    ) array join pairs as pair
    group by of_value`
}

/** `columns` must contain `of_value`, and `weight`: the number of views of a row. */
const sealedSessions = (chain: Chain, columns: Fragment, counted: Fragment): Fragment => sql`
  select of_value, toInt64(${counted}) as amount,
    ${chain.answers(sql`sum(sum(weight)) over ()`)} as holds
  from ${chain.rows(columns)}
  group by of_value`

/** All parts have to hold. A part without rows does not. */
function added(parts: readonly Fragment[]): ChainedValues {
  const held = parts.map(
    (part, place) => sql`select of_value, amount, holds * ${uint8(2 ** place)} as held from (${part})`,
  )
  const all = uint8(2 ** parts.length - 1)
  return {
    from: sql`from (select of_value, amount, groupBitOr(held) over () = ${all} as of_all from ${union(held)})`,
    sessions: sql`sum(amount)`,
    answers: sql`max(of_all)`,
  }
}

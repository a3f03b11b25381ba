import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, text, uint8, union } from '../language/sql.ts'
import { type ChainedField, chainedFields, hashedFields } from '../tables/chained-fields.ts'
import { type Chain, type ChainChoice, type Chained, chainOf, chooseChain, type Notes } from '../tables/chains.ts'
import { type Amounts, type ChainedValue, hasViews, landedOfEnds, newOfEnds, totalsOfEnds } from './chained-ends.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

/** From this many views on, chains are cheaper than the whole statement: docs/benchmarks.md. */
const least = {
  sealed: 80_000,
  sealedFewValues: 300_000,
  withEnds: 350_000,
  withValuesOfEnds: 450_000,
} as const

const leastOfHours = ({ hasEnds }: ChainChoice): number => (hasEnds ? least.withEnds : least.sealed)

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
    leastViews: leastOfHours(choice),
    figures(notes) {
      const chain = chainOf(choice, notes, hasViews)
      const sealed = sealedTotals(chain)
      if (!chain.ends) return { from: sql`from (${sealed})`, ...totals((column) => column), answers: sql`answers` }
      const from = sql`from ${union([sealed, totalsOfEnds(chain, chain.ends)])}`
      return { from, ...totals((column) => sql`sum(${column})`), answers: sql`min(answers)` }
    },
  }
}

const totals = (all: (column: Fragment) => Fragment) => ({
  views: all(sql`views`),
  visitors: all(sql`visitors`),
  visits: all(sql`visits`),
  bounces: all(sql`bounces`),
  totaltime: sql`intDiv(${all(sql`length`)}, 1000)`,
})

/** One row: the totals of the sealed hours. */
function sealedTotals(chain: Chain): Fragment {
  const isNew = chain.isBefore(sql`visit_before`)
  // A visit with one view in its first hour is a bounce, unless it goes on: the row with which it goes on says so.
  const wentOn = sql`not ${isNew} and ${chain.isBefore(sql`lone_before`)}`
  return sql`
    select toInt64(sumIf(events, passed)) as views,
      toInt64(countIf(passed and ${chain.isBefore(sql`session_before`)})) as visitors,
      toInt64(countIf(passed and ${isNew})) as visits,
      toInt64(countIf(passed and ${isNew} and visit_views = 1)) - toInt64(countIf(passed and ${wentOn})) as bounces,
      toInt64(sumIf(spent, passed) + sumIf(pause, passed and not ${isNew})) as length,
      ${chain.answers(sql`sum(events)`)} as answers
    from ${chain.rows(sql`events, session_before, visit_before, visit_views, spent, pause, lone_before`)}`
}

/** Sessions by value: `from …`, and expressions over the rows of an `of_value`. */
export interface ChainedValues {
  readonly from: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
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
    return { choice: hours, leastViews: leastOfHours(hours), figures }
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
      const ofHours = chainOf(hours, notes, hasViews)
      return added([sealed, ...(ofHours.ends && atEnds ? newOfEnds(ofHours, ofHours.ends, atEnds) : [])])
    },
  }
}

/** Sessions by a value of their visits. Several visits of a session may begin alike. */
function landed(chain: Chain, landing: ChainedValue): ChainedValues {
  const counted = sql`uniqExactIf(session_key, passed and ${chain.isBefore(sql`visit_before`)})`
  const columns = sql`${landing.ofHours} as of_value, session_key, visit_before, events as weight`
  const sealed = sealedSessions(chain, columns, counted)
  return added([sealed, ...(chain.ends ? [landedOfEnds(chain, chain.ends, landing)] : [])])
}

/** `columns` must contain `of_value`, and `weight`: the number of views of a row. */
function sealedSessions(chain: Chain, columns: Fragment, counted: Fragment): Amounts {
  const rows = sql`
    select of_value, toInt64(${counted}) as amount, ${chain.answers(sql`sum(sum(weight)) over ()`)} as holds
    from ${chain.rows(columns)}
    group by of_value`
  return { rows, tells: true }
}

/** All parts that tell have to hold. Without rows they do not. */
function added(parts: readonly Amounts[]): ChainedValues {
  const bits = parts.map(({ tells }, place) => (tells ? 2 ** place : 0))
  const held = parts.map(({ rows, tells }, place) => {
    const bit = tells ? sql`holds * ${uint8(bits[place]!)}` : sql`0`
    return sql`select of_value, amount, ${bit} as held from (${rows})`
  })
  const all = uint8(bits.reduce((sum, bit) => sum + bit, 0))
  return {
    from: sql`from (select of_value, amount, groupBitOr(held) over () = ${all} as of_all from ${union(held)})`,
    sessions: sql`sum(amount)`,
    answers: sql`max(of_all)`,
  }
}

import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, sumWhere, text, uint8, union } from '../language/sql.ts'
import type { Notes } from '../tables/chain-notes.ts'
import { chooseVisits } from '../tables/chained-days.ts'
import { type ChainedField, chainedFields, hasFewValues, hashedFields } from '../tables/chained-fields.ts'
import {
  answersOf,
  type Chain,
  type ChainChoice,
  type Chained,
  chainOf,
  chooseChain,
  leastFor,
} from '../tables/chains.ts'
import {
  type Amounts,
  hasViews,
  hourNumber,
  isOfVisit,
  newOfEnds,
  totalsOfEnds,
  type ValueOfVisits,
  visitsOfEnds,
} from './chained-ends.ts'
import { visitorsByKey } from './figures.ts'

/** Statements over chains: see `src/query/tables/chains.ts`. All of them are exact, or say that they do not answer. */

/** From this many views on, chains are cheaper, without and with a filter: docs/benchmarks.md. */
const least = { sealed: [80_000, 130_000], withEnds: [420_000, 420_000] } as const
/** Of fields with many values, and with few. */
const leastOfValues = { sealed: [80_000, 300_000], withEnds: [380_000, 1_800_000] } as const

export interface TotalsOfChain {
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
export function chainedTotals(selection: Selection): Chained<TotalsOfChain> | undefined {
  const chosen = chooseVisits(selection, undefined, '', 'bounces')
  if (!chosen) return undefined
  const { choice, isByDay } = chosen
  return {
    choice,
    leastViews: leastFor(least, choice),
    figures(notes) {
      const { sealed: chain, hours } = chosen.chainsOf(notes)
      const sealed = isByDay ? sealedTotals(chain, ofDays) : sealedTotals(chain, ofHours)
      const answers = answersOf([chain])
      if (!hours.ends)
        return { from: sql`from (${sealed})`, ...totals((column) => column), answers: answers ?? sql`holds` }
      const from = sql`from ${union([sealed, totalsOfEnds(hours, hours.ends)])}`
      return { from, ...totals((column) => sql`sum(${column})`), answers: answers ?? sql`min(holds)` }
    },
  }
}

const totals = (added: (column: Fragment) => Fragment) => ({
  views: added(sql`views`),
  visitors: added(sql`visitors`),
  visits: added(sql`visits`),
  bounces: added(sql`bounces`),
  totaltime: sql`intDiv(${added(sql`length`)}, 1000)`,
})

/** What rows say of views and of bounces: their columns, and conditions on them. */
interface RowsOfTotals {
  readonly columns: Fragment
  readonly isOfViews: Fragment
  readonly isOfActions: Fragment | undefined
  /** The hour or the day before in which the visit had an action. */
  readonly acted: Fragment
  readonly isLone: Fragment
}

const ofHours: RowsOfTotals = {
  columns: sql`kind, visit_acted, lone`,
  isOfViews: hasViews,
  isOfActions: undefined,
  acted: sql`greatest(visit_before, visit_acted)`,
  isLone: sql`lone = 1`,
}

const ofDays: RowsOfTotals = {
  columns: sql`field, visit_views`,
  isOfViews: sql`field = ''`,
  isOfActions: sql`field = 'bounces'`,
  acted: sql`visit_before`,
  isLone: sql`visit_views = 1`,
}

/** One row: the totals of the sealed hours. */
function sealedTotals(chain: Chain, { columns, isOfViews, isOfActions, acted, isLone }: RowsOfTotals): Fragment {
  const { passed, isBefore } = chain
  const countOf = (...conditions: (Fragment | undefined)[]) => sql`toInt64(${chain.count(all(passed, ...conditions))})`
  const [isNew, isFirst] = [isBefore(sql`visit_before`), isBefore(acted)]
  // A visit whose first hour has one view and no custom event bounces, unless it goes on: the row with which it does
  // says so.
  const wentOn = countOf(isOfActions, sql`not ${isFirst}`, isBefore(sql`lone_before`))
  return sql`
    select toInt64(${sumWhere(sql`events`, passed, isOfViews)}) as views,
      ${countOf(isOfViews, isBefore(sql`session_before`))} as visitors, ${countOf(isOfViews, isNew)} as visits,
      toInt64(${sumWhere(sql`spent`, passed)} + ${sumWhere(sql`pause`, passed, sql`not ${isNew}`)}) as length,
      ${countOf(isOfActions, isFirst, isLone)} - ${wentOn} as bounces,
      ${chain.holds(sql`sumIf(events, ${isOfViews})`, sql`sum(customs)`)} as holds
    from ${chain.rows(sql`
      events, customs, session_before, visit_before, spent, pause, lone_before, ${columns}`)}`
}

/** Sessions by value: `from …`, and expressions over the rows of an `of_value`. */
export interface ChainedValues {
  readonly from: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

export const isChained = (type: string): type is ChainedField => Object.hasOwn(chainedFields, type)

/** The values of visits that rows of hours have, by the type of the metric. */
export const valuesOfVisits: Readonly<Partial<Record<string, ValueOfVisits>>> = {
  entry: { ofHours: sql`entry`, ofViews: sql`url_path`, at: 'landing' },
  channel: { ofHours: sql`channel`, ofViews: sql`channel`, at: 'landing' },
  exit: { ofHours: sql`exit`, ofViews: sql`url_path`, at: 'exit' },
}

/** Sessions by a value of their views or visits; undefined if no chain can answer. */
export function chainedSessions(type: string, selection: Selection): Chained<ChainedValues> | undefined {
  const hours = chooseChain('chained visits', selection)
  const value = valuesOfVisits[type]
  if (hours && value) {
    const figures = (notes: Notes) => sessionsByVisits(chainOf(hours, notes, hasViews), value)
    const common = { choice: hours, leastViews: leastFor(least, hours), figures }
    return value.at === 'exit' ? { ...common, isLocal: true } : common
  }
  return hours && isChained(type) ? valuesOfViews(type, hours, selection) : undefined
}

function valuesOfViews(type: ChainedField, hours: ChainChoice, selection: Selection) {
  const choice = chooseChain('chained values', selection)
  if (!choice) return undefined
  return {
    choice,
    leastViews: leastFor(leastOfValues, choice, hasFewValues(type)),
    figures(notes: Notes) {
      const chain = chainOf(choice, notes, sql`field = ${text(type)}`)
      const columns = sql`value as of_value, sessions, value_before, views as weight`
      const sealed = sealedSessions(chain, columns, sql`sumIf(sessions, ${chain.isBefore(sql`value_before`)})`)
      const ofHours = chainOf(hours, notes, hasViews)
      if (!ofHours.ends) return addedSessions([chain], [sealed])
      const ends = { ofHours: hashedFields[type], ofViews: sql`toString(${chainedFields[type]})` }
      return addedSessions([chain, ofHours], [sealed, newOfEnds(ofHours, ofHours.ends, ends)])
    },
  }
}

/** Sessions by a value of their visits. Several visits of a session may begin or end alike. */
function sessionsByVisits(chain: Chain, value: ValueOfVisits): ChainedValues {
  const sealed = value.at === 'exit' ? sealedExits(chain, value) : sealedLandings(chain, value)
  return addedSessions([chain], [sealed, ...(chain.ends ? [visitsOfEnds(chain, chain.ends, value)] : [])])
}

function sealedLandings(chain: Chain, { ofHours }: ValueOfVisits): Amounts {
  const counted = sql`uniqExactIf(session_key, ${all(chain.passed, chain.isBefore(sql`visit_before`))})`
  return sealedSessions(chain, sql`${ofHours} as of_value, session_key, visit_before, events as weight`, counted)
}

/** A visit leaves in an hour if no row within the range says that it goes on: such a row names the hour before. */
function sealedExits(chain: Chain, { ofHours }: ValueOfVisits): Amounts {
  const goesOn = all(isOfVisit, sql`not ${chain.isBefore(sql`visit_before`)}`)
  const left = sql`
    select visit_key + visit_before
    from ${chain.rows(sql`visit_key, visit_before, hour`)} where ${goesOn}`
  const hourOfVisit = sql`visit_key + toUInt64(${hourNumber})`
  const rows = sql`
    select of_value, toInt64(${visitorsByKey}) as amount, ${chain.holds(sql`sum(sum(weight)) over ()`)} as holds
    from ${chain.rows(sql`${ofHours} as of_value, session_key, visit_key, visit_before, hour, events as weight`)}
    where ${all(chain.passed, isOfVisit, sql`${hourOfVisit} global not in (${left})`)}
    group by of_value`
  return { rows, tells: true }
}

/** `columns` must contain `of_value`, and `weight`: the number of views of a row. */
export function sealedSessions(chain: Chain, columns: Fragment, counted: Fragment, keys = sql`of_value`): Amounts {
  const rows = sql`
    select ${keys}, toInt64(${counted}) as amount, ${chain.holds(sql`sum(sum(weight)) over ()`)} as holds
    from ${chain.rows(columns)}
    group by ${keys}`
  return { rows, tells: true }
}

/**
 * The sum of these parts, which have these `columns`: `from …`, and whether the chains answer. Where no read tells of a
 * chain that all rows are there, all parts that tell have to.
 */
export function added(
  chains: readonly Chain[],
  parts: readonly Amounts[],
  columns: Fragment = sql`of_value, amount`,
): { readonly from: Fragment; readonly answers: Fragment } {
  const answers = answersOf(chains)
  if (answers)
    return { from: sql`from ${union(parts.map(({ rows }) => sql`select ${columns} from (${rows})`))}`, answers }
  const bits = parts.map(({ tells }, place) => (tells ? 2 ** place : 0))
  const held = parts.map(({ rows, tells }, place) => {
    const bit = tells ? sql`holds * ${uint8(bits[place]!)}` : sql`0`
    return sql`select ${columns}, ${bit} as held from (${rows})`
  })
  const told = uint8(bits.reduce((sum, bit) => sum + bit, 0))
  return {
    from: sql`from (select ${columns}, groupBitOr(held) over () = ${told} as of_all from ${union(held)})`,
    answers: sql`max(of_all)`,
  }
}

/** The sum of the sessions of these parts. */
export const addedSessions = (
  chains: readonly Chain[],
  parts: readonly Amounts[],
  keys = sql`of_value`,
): ChainedValues => ({
  ...added(chains, parts, sql`${keys}, amount`),
  sessions: sql`sum(amount)`,
})

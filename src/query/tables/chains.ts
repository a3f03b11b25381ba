import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { allFilters, isFiltered, type Scope, type Selection } from '../language/scope.ts'
import {
  all,
  type CheaperStatement,
  type Fragment,
  type Given,
  type Result,
  type Statement,
  sql,
  uint32,
  uint64,
} from '../language/sql.ts'
import {
  type AllNotes,
  changes,
  hasNotedCounts,
  hasNotedRows,
  isNoted,
  isShared,
  type Notes,
  noNotes,
  notedDays,
  notesOf,
  notesWithin,
  unlocked,
} from './chain-notes.ts'
import { chooseTable, type TableChoice } from './choose.ts'
import { fewRows, isAction, isView, outside, rows } from './rows.ts'
import { type CountKind, chainedValues, events } from './tables.ts'
import { unfiltered } from './views.ts'
import { fieldConditions } from './where.ts'

/**
 * What a chain is. A row of a chain says in which hour its session, its visit or its session's value was seen the last
 * time before. In a range that begins with hour A, the first rows are those with an hour before A; 0 means never. So
 * distinct sessions of a range are counted by comparing a number: no ids are read, and no set of them is made. A row
 * never looks forward, so what comes later changes none.
 *
 * `weir seal` makes the rows of a day that is over, and then notes it in `seals`. A range is answered by chains if:
 *
 * - each of its days with actions has a note, and the note has as many as `daily_shapes` counts now: views and custom
 *   events;
 * - each day was sealed after the days before it: after late events, their day and then all later ones are made anew,
 *   because rows of later days look back on it;
 * - all events of these days lie on one shard, if this is a cluster: a seal knows no rows of other shards, and a
 *   session may have rows on several;
 * - no session changes a filtered column on these days: then all rows of a session pass a filter, or none;
 * - the rows that were read hold as many actions as the notes say: notes and rows are read at two moments.
 *
 * A first statement reads the notes of the range. The isolate keeps them, because notes stay true: rows of a seal never
 * change. The second statement reads rows, and tells whether they are those of these seals, and whether counts are
 * still those of the notes. Where anything differs, the whole statement answers, by `hourly_visits`.
 *
 * Chains answer the whole hours of a range that are sealed. What is left are its ends: parts of an hour, and the
 * current day. The events answer them. Rows of chains have keys, 64 bits of a hash of an id: by them a statement finds
 * what the few sessions with views at the ends did in the sealed hours.
 */
export interface Chain {
  /**
   * A subquery of the rows of the sealed hours that pass the filters. Where `few` is undefined, of all rows: with
   * `passed`, whether a row passes the filters, and with `shown`, whether it passes the locked ones.
   */
  readonly rows: (columns: Fragment) => Fragment
  /** A condition on `rows`: they pass the filters. Undefined where all of them do. */
  readonly passed: Fragment | undefined
  /**
   * A subquery of the few rows that meet a condition and pass the filters, or only the locked ones; with `passed`.
   * Undefined if each read has to tell itself whether all rows were there.
   */
  readonly few: ((columns: Fragment, condition: Fragment, which: WhichRows) => Fragment) | undefined
  /** How many rows of hours meet a condition. */
  readonly count: (condition: Fragment) => Fragment
  /** A condition on a column `…_before`: not within the sealed hours of the range, or at least before `start`. */
  readonly isBefore: (hour: Fragment, start?: Fragment) => Fragment
  /**
   * Whether a read of `rows` says that the chain answers: `views` are those in all of them, and so are `customs`, if
   * custom events were read. True if `told` says it.
   */
  readonly holds: (views: Fragment, customs?: Fragment) => Fragment
  /** Scalars: whether all noted rows are there, and whether the notes count all actions. */
  readonly told: { readonly areThere: Fragment; readonly areCurrent: Fragment } | undefined
  /** Undefined if the sealed hours are the whole range. */
  readonly ends: ChainEnds | undefined
}

/** Rows that pass the filters, or those that pass the locked ones. */
export type WhichRows = 'passed' | 'shown'

/** The parts of a range that are not sealed. */
export interface ChainEnds {
  /** `from … where …`: their shown views. */
  readonly views: Fragment
  /** `from … where …`: their shown actions. */
  readonly shown: Fragment
  /** `from … where …`: their actions that pass the filters. */
  readonly actions: Fragment
  /** A condition on such a view: it passes the filters. */
  readonly passes: Fragment
  /** The moment from which on the range is sealed, in milliseconds since 1970. */
  readonly sealedFrom: number
}

type ChainKind = Extract<CountKind, 'chained visits' | 'chained values' | 'chained days'>

/** Where a chain may answer: the notes decide. */
export interface ChainChoice extends TableChoice {
  readonly selection: Selection
}

/** The choice of a chain; undefined if another table has to answer. */
export function chooseChain(kind: ChainKind, selection: Selection): ChainChoice | undefined {
  const choice = chooseTable(kind, selection)
  return choice && { ...choice, selection }
}

/** The chain that these notes allow. `condition` says which rows of it; `filter` is a further filter on them. */
export function chainOf(
  { table, whole, hasEnds, selection }: ChainChoice,
  notes: Notes,
  condition?: Fragment,
  filter?: Fragment,
): Chain {
  const scope = unlocked(selection.scope)
  const passes = [...allFilters(selection).flatMap(fieldConditions), filter]
  const shows = selection.scope.only.flatMap(fieldConditions)
  const firstHour = uint32(Math.max(1, whole.startAt / hourLength))
  const conditions = [condition, isNoted(table, notes)]
  const selected = { scope, period: whole, filters: noFilters }
  const withPasses = (columns: Fragment, read: Fragment): Fragment =>
    sql`(select ${columns}, ${all(...passes)} as passed, ${all(...shows)} as shown ${read})`
  const allRows = (columns: Fragment) => withPasses(columns, rows(table, selected, conditions))
  const areCurrent = hasNotedCounts(notes, whole, scope)
  const common = {
    count: (condition: Fragment) => sql`countIf(${condition})`,
    isBefore: (hour: Fragment, start?: Fragment) =>
      sql`${hour} < ${start ? sql`greatest(${firstHour}, ${start})` : firstHour}`,
    ends: hasEnds ? endsOf(selection, whole) : undefined,
  }
  if (!notes.isHere) {
    return {
      ...common,
      rows: allRows,
      passed: sql`passed`,
      few: undefined,
      told: undefined,
      holds: (views, customs) =>
        all(sql`${views} = ${uint64(notes.views)}`, customs && sql`${customs} = ${uint64(notes.customs)}`, areCurrent),
    }
  }
  const areThere = hasNotedRows(table, notes, whole, scope, table.name === chainedValues.name ? condition : undefined)
  return {
    ...common,
    rows: (columns) => sql`(select ${columns} ${rows(table, selected, [...conditions, ...passes])})`,
    passed: undefined,
    few: (columns, first, which) =>
      withPasses(columns, fewRows(table, selected, first, [...conditions, ...(which === 'passed' ? passes : shows)])),
    holds: () => sql`true`,
    told: { areThere, areCurrent },
  }
}

/** Whether these chains of one range answer; undefined where their reads have to tell. */
export function answersOf(chains: readonly Chain[]): Fragment | undefined {
  const told = chains.map((chain) => chain.told)
  return told.every((one) => one) ? all(...told.map((one) => one?.areThere), told[0]?.areCurrent) : undefined
}

function endsOf(selection: Selection, whole: Period): ChainEnds {
  return {
    views: rows(events, unfiltered(selection), [isView, outside(whole)]),
    shown: rows(events, unfiltered(selection), [isAction, outside(whole)]),
    actions: rows(events, selection, [isAction, outside(whole)]),
    passes: all(...fieldConditions(selection.filters)),
    sealedFrom: whole.startAt,
  }
}

/** Over this many days, the notes cost little beside the whole statement of any website. */
const alwaysFrom = 32

const isShort = (period: Period, { chainsFrom }: Scope): boolean =>
  chainsFrom === undefined && daysIn(period) < alwaysFrom

const daysIn = ({ startAt, endAt }: Period): number => Math.round((endAt + 1 - startAt) / dayLength)

/**
 * Small websites must not pay for notes of short ranges. So a range goes without chains until the whole statement of
 * one as long has read many rows. It reads one for each view, or one for some four views from `hourly_visits`.
 */
const largeUnder = (period: Period, { websiteId }: Scope, leastViews: number) => ({
  key: [websiteId, 'large', daysIn(period), leastViews].join(' '),
  rows: Math.floor(leastViews / 8),
})

/** How long an isolate keeps notes, in milliseconds. They stay true, but days are sealed each minute. */
const kept = { holding: 600_000, open: 60_000 } as const

/** Whether the last of these days is noted, and its note not withdrawn. */
const hasLast = ({ rows: [all] }: Result<AllNotes>, { startAt, endAt }: Period): boolean =>
  endAt > startAt && all?.days.at(-1) === Math.floor(endAt / dayLength) && all.views.at(-1)! + all.customs.at(-1)! > 0

/** The most seals that a statement names. */
const mostSeals = 2_000

/** Numbers of views of two kinds of questions: without filters and with them, unless their names say otherwise. */
export interface LeastViews {
  readonly sealed: readonly [first: number, second: number]
  readonly withEnds: readonly [first: number, second: number]
}

/** The number of views for a choice. */
export const leastFor = (
  least: LeastViews,
  { hasEnds, selection }: ChainChoice,
  isSecond = isFiltered(selection),
): number => least[hasEnds ? 'withEnds' : 'sealed'][isSecond ? 1 : 0]

/** Figures that a chain gives. */
export interface Chained<Figures> {
  readonly choice: ChainChoice
  /** The views in the sealed hours from which on it is cheaper than the whole statement, though dearer to plan. */
  readonly leastViews: number
  /** Further columns that no session may change. */
  readonly reads?: readonly Field[]
  /** Whether only one server can answer: several reads of a statement have to see the same rows. */
  readonly isLocal?: true
  readonly figures: (notes: Notes) => Figures
}

/** From this many views on, a chain with ends is cheaper than a whole statement that looks for few visits first. */
const leastBesideSearch = 750_000

/** From this many views on, to look for few visits first is cheaper over a longer range. */
const leastOfLarge = 300_000

/** Up to this many views, to look for few visits first is dearer, however long the range. */
const mostOfSmall = 150_000

/** Whole statements that are cheaper than the usual one for a large website, or for a small one. */
export interface BySize<Whole> {
  readonly ofLarge?: Whole
  readonly ofSmall?: Whole
}

const asWhole = <Row>(statement: Statement<Row>): CheaperStatement<Row> => ({ statement, result: (found) => found })

/**
 * The cheaper statement over these figures. Each of its rows has `answers`: whether the chain answers. Where it does
 * not, `ofLarge` and `ofSmall` are whole statements that are cheaper for websites of these sizes.
 */
export function byChain<Own extends { readonly answers: number }, Figures>(
  { choice: { whole, selection, hasEnds }, leastViews, reads = [], isLocal, figures }: Chained<Figures>,
  statementOf: (figures: Figures) => Statement<Own>,
  { ofLarge, ofSmall }: BySize<Statement<Omit<Own, 'answers'>>> = {},
): CheaperStatement<Omit<Own, 'answers'>> {
  const made = (notes: Notes) => ({
    statement: statementOf(figures(notes)),
    // Without a row, nothing says whether the chain answers.
    result: ({ rows, total }: Result<Own>) =>
      rows[0]?.answers ? { rows: rows.map(({ answers: _, ...row }) => row), total } : undefined,
    needs: { rows: 1, isUnsure: isShort(whole, selection.scope) },
  })
  const asked = [...reads, ...allFilters(selection).flatMap(({ fields }) => fields.map(({ field }) => field))]
  const relevant = asked.reduce((bits, field) => bits | (1 << changes.indexOf(field)), isShared)
  const notesIn = ({ rows: [all] }: Result<AllNotes>): Notes => (all ? notesWithin(all, whole) : noNotes)
  const measured = ofLarge && hasEnds ? Math.max(leastBesideSearch, leastViews) : leastViews
  const least = Math.max(1, selection.scope.chainsFrom ?? measured)
  const days = notedDays(whole, selection.scope)
  const areAll = (found: Result<AllNotes>): boolean => notesIn(found).holds && hasLast(found, days)
  const { websiteId } = selection.scope
  const given: Given<Omit<Own, 'answers'>> = {
    key: [websiteId, 'notes', days.startAt, days.endAt].join(' '),
    statement: notesOf(days, selection.scope),
    lasts: (found) => (areAll(found) ? kept.holding : kept.open),
    cheaper(found) {
      const notes = notesIn(found)
      const isSealed = notes.holds && notes.seals.length <= mostSeals && (notes.changed & relevant) === 0
      const canAnswer = isSealed && (notes.isHere || !isLocal)
      if (!canAnswer || notes.views < least) {
        const isLarge = isShort(whole, selection.scope) || notes.views >= leastOfLarge
        if (ofLarge && isLarge) return asWhole(ofLarge)
        return ofSmall && areAll(found) && notes.views < mostOfSmall ? asWhole(ofSmall) : undefined
      }
      return { ...made(notes), triedAs: [websiteId, 'chains', whole.startAt, whole.endAt].join(' ') }
    },
    after: isShort(whole, selection.scope) ? largeUnder(whole, selection.scope, least) : undefined,
  }
  return { ...made({ ...noNotes, isHere: isLocal ? 1 : 0 }), given }
}

import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { allFilters, type Scope, type Selection } from '../language/scope.ts'
import {
  all,
  type CheaperStatement,
  type Fragment,
  type Given,
  milliseconds,
  type Result,
  type Statement,
  select,
  sql,
  text,
  uint32,
  uint64,
  uint64s,
} from '../language/sql.ts'
import { chooseTable, type TableChoice } from './choose.ts'
import { fewRows, isAction, isView, outside, rows } from './rows.ts'
import { type CountKind, chainedHours, dailyShapes, events, seals } from './tables.ts'
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
 * change. The second statement reads the rows of these seals, and tells whether counts and rows are still those of the
 * notes. Where anything differs, the whole statement answers, by `hourly_visits`.
 *
 * Chains answer the whole hours of a range that are sealed. What is left are its ends: parts of an hour, and the
 * current day. The events answer them. Rows of chains have keys, 64 bits of a hash of an id: by them a statement finds
 * what the few sessions with views at the ends did in the sealed hours.
 */
export interface Chain {
  /**
   * A subquery of the rows of the range that belong to the noted seals, with these columns; with `passed`, whether a
   * row passes the filters; and with `shown`, whether it passes the locked ones.
   */
  readonly rows: (columns: Fragment) => Fragment
  /** The same of the few rows that meet a condition. Undefined if no other read could tell whether all were read. */
  readonly few: ((columns: Fragment, condition: Fragment) => Fragment) | undefined
  /** A condition on a column `…_before`: not within the sealed hours of the range, or at least before `start`. */
  readonly isBefore: (hour: Fragment, start?: Fragment) => Fragment
  /** Whether the chain answers: `views` are those in all rows, and so are `customs`, if custom events were read. */
  readonly answers: (views: Fragment, customs?: Fragment) => Fragment
  /** Undefined if the sealed hours are the whole range. */
  readonly ends: ChainEnds | undefined
}

/** The parts of a range that are not sealed. */
export interface ChainEnds {
  /** `from … where …`: their shown views. */
  readonly views: Fragment
  /** `from … where …`: their actions that pass the filters. */
  readonly actions: Fragment
  /** A condition on such a view: it passes the filters. */
  readonly passes: Fragment
  /** The moment from which on the range is sealed, in milliseconds since 1970. */
  readonly sealedFrom: number
}

type ChainKind = Extract<CountKind, 'chained visits' | 'chained values'>

/** Where a chain may answer: the notes decide. */
export interface ChainChoice extends TableChoice {
  readonly selection: Selection
}

/** The choice of a chain; undefined if another table has to answer. */
export function chooseChain(kind: ChainKind, selection: Selection): ChainChoice | undefined {
  const choice = chooseTable(kind, selection)
  return choice && { ...choice, selection }
}

/** The chain that these notes allow. `condition` says which rows of it. */
export function chainOf({ table, whole, hasEnds, selection }: ChainChoice, notes: Notes, condition?: Fragment): Chain {
  const scope = unlocked(selection.scope)
  const passes = all(...allFilters(selection).flatMap(fieldConditions))
  const shows = all(...selection.scope.only.flatMap(fieldConditions))
  // Nearly all rows pass the conditions. To read their columns first takes longer, but not where values are texts.
  const settings = table.name === chainedHours.name ? sql`settings optimize_move_to_prewhere = 0` : sql``
  const firstHour = uint32(Math.max(1, whole.startAt / hourLength))
  const isNoted = sql`seal in ${uint64s(notes.seals)}`
  const selected = { scope, period: whole, filters: noFilters }
  const withPasses = (columns: Fragment, read: Fragment): Fragment =>
    sql`(select ${columns}, ${passes} as passed, ${shows} as shown ${read})`
  const counts = sql`(select ${digest(sql`events`)} ${rows(dailyShapes, daysOf(whole, scope), [isAction])})`
  return {
    rows: (columns) => withPasses(columns, sql`${rows(table, selected, [condition, isNoted])} ${settings}`),
    few: notes.isHere
      ? (columns, first) => withPasses(columns, fewRows(table, selected, first, [condition, isNoted]))
      : undefined,
    isBefore: (hour, start) => sql`${hour} < ${start ? sql`greatest(${firstHour}, ${start})` : firstHour}`,
    answers: (views, customs) =>
      all(
        sql`${views} = ${uint64(notes.views)}`,
        customs && sql`${customs} = ${uint64(notes.customs)}`,
        sql`${counts} = ${text(notes.days)}`,
      ),
    ends: hasEnds ? endsOf(selection, whole) : undefined,
  }
}

function endsOf(selection: Selection, whole: Period): ChainEnds {
  return {
    views: rows(events, unfiltered(selection), [isView, outside(whole)]),
    actions: rows(events, selection, [isAction, outside(whole)]),
    passes: all(...fieldConditions(selection.filters)),
    sealedFrom: whole.startAt,
  }
}

/** Filters, and locked ones, are conditions on what is counted: all rows are read, to count their actions. */
const unlocked = ({ websiteId, since }: Scope): Scope => ({
  websiteId,
  since,
  only: [],
  hidesDistinctIds: false,
  hidesSessionProperties: false,
})

/** The days of UTC that a period touches, with all of their actions, before a reset too: a note is of a whole day. */
const daysOf = ({ startAt, endAt }: Period, scope: Scope): Selection => ({
  scope: { ...scope, since: undefined },
  period: {
    startAt: Math.floor(startAt / dayLength) * dayLength,
    endAt: Math.ceil((endAt + 1) / dayLength) * dayLength - 1,
  },
  filters: noFilters,
})

/**
 * The sum of the actions of days, and one that weighs each day by its hash, as a text. No day has fewer than its note
 * says, so equal sums mean that all days are equal. The second one would tell, too, if somebody deleted rows by
 * hand.
 */
const digest = (actions: Fragment): Fragment =>
  sql`concat(toString(sum(toInt64(${actions}))), ' ', toString(sum(toInt64(${actions}) * cityHash64(day))))`

/** What the notes of the days that a range touches say. */
const Notes = () =>
  z.object({
    /** The `digest` of the noted actions. */
    days: z.string(),
    /** Whether each day was sealed after the days before it, and all of them by one shard. */
    holds: z.number(),
    /** Whether this server sealed them. A front of a cluster did not. */
    isHere: z.number(),
    /** The bits of `changes`. */
    changed: z.number(),
    /** The noted views of the sealed hours of the range. */
    views: z.number(),
    /** The noted custom events of the sealed hours of the range. */
    customs: z.number(),
    seals: z.array(z.number()),
  })

export type Notes = ValueOf<typeof Notes>

const noNotes: Notes = { days: '', holds: 0, isHere: 0, changed: 0, views: 0, customs: 0, seals: [] }

/** The bits of `changed` in `seals`; the last one: a visit belongs to two sessions. */
const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
const isShared = 1 << changes.length

function notesOf(whole: Period, scope: Scope): Statement<Notes> {
  const days = daysOf(whole, unlocked(scope))
  const isWhole = whole.startAt === days.period.startAt && whole.endAt === days.period.endAt
  const hourOfDay = sql`(toInt64(toInt32(day)) * 24 + place - 1) * ${milliseconds(hourLength)}`
  const isWithin = sql`${hourOfDay} between ${milliseconds(whole.startAt)} and ${milliseconds(whole.endAt)}`
  const within = (amounts: Fragment) =>
    sql`arraySum((amount, place) -> if(${isWithin}, amount, 0), ${amounts}, arrayEnumerate(${amounts}))`
  const ofWhole = (amounts: Fragment) => sql`sum(${isWhole ? sql`arraySum(${amounts})` : within(amounts)})`
  return select(Notes)`
    select ${digest(sql`noted`)} as days,
      uniqExactIf(note.2, noted > 0) <= 1
        and arrayAll(
          (one, next) -> one.2 = next.2 or one.3 <= next.2,
          arrayPopBack(arraySort(groupArrayIf((toInt32(day), note.4, note.5), noted > 0)) as sealed_days),
          arrayPopFront(sealed_days)) as holds,
      countIf(not startsWith(note.2, concat(currentDatabase(), '/'))) = 0 as isHere,
      groupBitOr(note.3) as changed, ${ofWhole(sql`note.1`)} as views,
      ${ofWhole(sql`note.6`)} as customs,
      groupArrayIf(latest, noted > 0) as seals
    from (
      select day, max(seal) as latest, argMax((views, shard, changed, began, done, customs), seal) as note,
        arraySum(note.1) + arraySum(note.6) as noted
      ${rows(seals, days)}
      group by day
    )`
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

/** The most seals that a statement names. */
const mostSeals = 2_000

/** Figures that a chain gives. */
export interface Chained<Figures> {
  readonly choice: ChainChoice
  /** The views in the sealed hours from which on it is cheaper than the whole statement, though dearer to plan. */
  readonly leastViews: number
  /** Further columns that no session may change. */
  readonly reads?: readonly Field[]
  readonly figures: (notes: Notes) => Figures
}

/** The cheaper statement over these figures. Each of its rows has `answers`: whether the chain answers. */
export function byChain<Own extends { readonly answers: number }, Figures>(
  { choice: { whole, selection }, leastViews, reads = [], figures }: Chained<Figures>,
  statementOf: (figures: Figures) => Statement<Own>,
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
  const notesIn = ({ rows: [notes = noNotes] }: Result<Notes>): Notes => notes
  const least = Math.max(1, selection.scope.chainsFrom ?? leastViews)
  const given: Given<Omit<Own, 'answers'>> = {
    key: [selection.scope.websiteId, whole.startAt, whole.endAt].join(' '),
    statement: notesOf(whole, selection.scope),
    lasts: (found) => (notesIn(found).holds ? kept.holding : kept.open),
    cheaper(found) {
      const notes = notesIn(found)
      const canAnswer = notes.holds && notes.seals.length <= mostSeals && (notes.changed & relevant) === 0
      return canAnswer && notes.views >= least ? made(notes) : undefined
    },
    after: isShort(whole, selection.scope) ? largeUnder(whole, selection.scope, least) : undefined,
  }
  return { ...made(noNotes), given }
}

import { noFilters } from '../../request/filters.ts'
import { dayLength } from '../../request/time-zone.ts'
import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, texts, uint64, uint64s } from '../language/sql.ts'
import { millisecondsIn } from '../language/time.ts'
import { hasNotedCounts, type Notes, unlocked } from './chain-notes.ts'
import type { DailyField } from './chained-fields.ts'
import { type Chain, type ChainChoice, chainOf, chooseChain, type LeastViews, leastFor } from './chains.ts'
import { rows } from './rows.ts'
import { chainedDays } from './tables.ts'

/**
 * Rows of hours, or their sums by day. A row of days has the days before of its sessions and visits in place of the
 * hours. So it tells as well whether they were seen before a range of whole days. The rest of a range are its ends.
 */
export interface VisitsChoice {
  /** The part of the range that rows answer. */
  readonly choice: ChainChoice
  /** Whether rows of days answer it. */
  readonly isByDay: boolean
  readonly chainsOf: (notes: Notes) => { readonly sealed: Chain; readonly hours: Chain }
}

/** Ends read rows of hours anyway. With them, hours alone are cheaper over fewer days: docs/benchmarks.md. */
const leastDaysWithEnds = 120

/** As for notes, `CHAINS_FROM` switches this off. */
const isShort = ({ whole, hasEnds, selection }: ChainChoice): boolean =>
  hasEnds && selection.scope.chainsFrom === undefined && millisecondsIn(whole) < leastDaysWithEnds * dayLength

/**
 * The choice of rows of days where they can answer, bring no ends and are cheaper, else of hours. `ofDays` are the
 * fields of these. Undefined if no chain can answer.
 */
export function chooseVisits(
  selection: Selection,
  condition: Fragment | undefined,
  ...ofDays: readonly (DailyField | undefined)[]
): VisitsChoice | undefined {
  const hours = chooseChain('chained visits', selection)
  if (!hours) return undefined
  const days = chooseChain('chained days', selection)
  const fields = ofDays.filter((field) => field !== undefined)
  if (fields.length > 0 && days?.hasEnds === hours.hasEnds && !isShort(days)) {
    const ofWholeDays = { ...hours, whole: days.whole }
    return {
      choice: days,
      isByDay: true,
      chainsOf(notes) {
        const chain = chainOf(ofWholeDays, notes, condition)
        return { sealed: daysOf(days, notes, chain, fields), hours: chain }
      },
    }
  }
  return {
    choice: hours,
    isByDay: false,
    chainsOf(notes) {
      const chain = chainOf(hours, notes, condition)
      return { sealed: chain, hours: chain }
    },
  }
}

/** The number of views for a choice. Rows of days have numbers of their own where `ofDays` says one. */
export function leastOfVisits(
  { choice, isByDay }: VisitsChoice,
  ofHours: LeastViews,
  ofDays: { readonly sealed: number; readonly withEnds?: number },
): number {
  const own = isByDay ? ofDays[choice.hasEnds ? 'withEnds' : 'sealed'] : undefined
  return own ?? leastFor(ofHours, choice)
}

/** The chain of days. Its rows are few: each statement names the seals, and counts the views of all of them. */
function daysOf({ whole, selection }: ChainChoice, notes: Notes, hours: Chain, fields: readonly DailyField[]): Chain {
  const scope = unlocked(selection.scope)
  const conditions = [sql`field in ${texts(fields)}`, sql`seal in ${uint64s(notes.seals)}`]
  return {
    ...hours,
    rows: (columns) =>
      sql`(select ${columns}, hours ${rows(chainedDays, { scope, period: whole, filters: noFilters }, conditions)})`,
    passed: undefined,
    few: undefined,
    told: undefined,
    count: (condition) => sql`sumIf(hours, ${condition})`,
    holds: (views, customs) =>
      all(
        sql`${views} = ${uint64(notes.views)}`,
        customs && sql`${customs} = ${uint64(notes.customs)}`,
        hours.ends && hours.told?.areThere,
        hasNotedCounts(notes, whole, scope),
      ),
  }
}

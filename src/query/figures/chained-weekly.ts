import { hasWholeHours } from '../../request/time-zone.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, sql, union } from '../language/sql.ts'
import { answersOf, type Chained, chainOf, chooseChain, leastFor } from '../tables/chains.ts'
import { hourOfWeek } from './buckets.ts'
import { hasViews, keyOfId } from './chained-ends.ts'
import { ofVisits } from './figures.ts'

/** Sessions by hour of the week, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement, without and with a filter. */
const leastOfWeekly = { sealed: [1_600_000, 2_500_000], withEnds: [2_500_000, 3_500_000] } as const

interface ChainedWeekly {
  /** `from …`: rows of an `of_hour`. */
  readonly from: Fragment
  readonly sessions: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/**
 * Sessions with a view by local hour of the week; undefined if no chain can answer. An hour before says nothing about
 * those of other weeks, so sets of keys count them: they are half as long as ids.
 */
export function chainedWeekly(selection: Selection, zone: string): Chained<ChainedWeekly> | undefined {
  const choice = chooseChain('chained visits', selection)
  if (!choice || !hasWholeHours(zone, visiblePeriod(selection))) return undefined
  return {
    choice,
    leastViews: leastFor(leastOfWeekly, choice),
    isLocal: true,
    figures(notes) {
      const chain = chainOf(choice, notes, hasViews)
      const hourOf = (moment: Fragment) => sql`${hourOfWeek(zone, moment)} as of_hour`
      const sealed = sql`select ${hourOf(sql`hour`)}, session_key as session from ${chain.rows(sql`hour, session_key`)}`
      const ends =
        chain.ends &&
        sql`select ${hourOf(sql`created_at`)}, ${keyOfId(sql`session_id`)} as session
          ${chain.ends.views} and ${chain.ends.passes}`
      return {
        from: sql`from ${union([sealed, ...(ends ? [ends] : [])])}`,
        sessions: ofVisits.visitors,
        answers: answersOf([chain])!,
      }
    },
  }
}

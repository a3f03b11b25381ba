import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, union } from '../language/sql.ts'
import { chooseVisits } from '../tables/chained-days.ts'
import { type Chain, type ChainEnds, type Chained, leastFor } from '../tables/chains.ts'
import { added } from './chained.ts'
import { lastOfSession } from './chained-actions.ts'
import { type Amounts, holdsOf, keyOfId, knownRows } from './chained-ends.ts'

/** The number of sessions with an action, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement, without and with a filter. */
const leastOfVisitors = { sealed: [550_000, 1_000_000], withEnds: [1_500_000, 3_000_000] } as const

interface ChainedVisitors {
  /** `from …`: rows to be counted. */
  readonly from: Fragment
  readonly visitors: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The sessions with an action that passes; undefined if no chain can answer. */
export function chainedVisitors(selection: Selection): Chained<ChainedVisitors> | undefined {
  const chosen = chooseVisits(selection, undefined, 'actions')
  if (!chosen) return undefined
  const { choice, isByDay } = chosen
  return {
    choice,
    leastViews: leastFor(leastOfVisitors, choice),
    figures(notes) {
      const { sealed: chain, hours } = chosen.chainsOf(notes)
      const parts = [firstOfSealed(chain, isByDay), ...(hours.ends ? [firstAtEnds(hours, hours.ends)] : [])]
      return { ...added([chain], parts, sql`new_sessions`), visitors: sql`sum(new_sessions)` }
    },
  }
}

/** The first rows of sessions, which had no action of any kind before in the sealed hours. */
const firstOfSealed = (chain: Chain, isByDay: boolean): Amounts => ({
  rows: sql`
    select toInt64(${chain.count(all(chain.passed, chain.isBefore(sql`session_last`)))}) as new_sessions,
      ${holdsOf(chain)} as holds
    from ${chain.rows(sql`events, customs, ${isByDay ? sql`session_before` : lastOfSession} as session_last`)}`,
  tells: true,
})

/** The sessions that have an action at the ends, and none in the sealed hours. */
function firstAtEnds(chain: Chain, { actions }: ChainEnds): Amounts {
  const known = knownRows(chain, {
    of: actions,
    columns: sql`session_key, session_before, session_acted, events, customs`,
    wanted: [
      [sql`session_key`, sql`session`],
      [sql`true`, sql`is_before`],
    ],
    which: 'passed',
    condition: chain.isBefore(lastOfSession),
    none: sql`(0, true)`,
    holds: holdsOf(chain),
  })
  const parts = [
    sql`select session, is_before, holds from ${known.rows}`,
    sql`select ${keyOfId(sql`session_id`)} as session, false as is_before, false as holds ${actions}`,
  ]
  const rows = sql`
    select toInt64(countIf(is_new)) as new_sessions, ${known.tells ? sql`max(held)` : sql`true`} as holds
    from (
      select session, not max(is_before) as is_new, max(holds) as held from ${union(parts)} group by session
    )`
  return { rows, tells: known.tells }
}

import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, sumWhere, union } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { chooseVisits, leastOfVisits } from '../tables/chained-days.ts'
import { answersOf, type Chain, type ChainEnds, type Chained } from '../tables/chains.ts'
import { differing, holdsOf, keyOfId, knownRows, signs } from './chained-ends.ts'

/** Statements over the chain of actions, which are views and custom events: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement, without and with a filter. */
const least = { sealed: [300_000, 600_000], withEnds: [450_000, 700_000] } as const
const leastOfDays = { sealed: 150_000 } as const

interface ChainedActions {
  /** `from …`: rows whose sums are the figures. */
  readonly from: Fragment
  readonly views: Fragment
  readonly visitors: Fragment
  readonly visits: Fragment
  readonly countries: Fragment
  readonly customs: Fragment
  /** Whether the chain answers. */
  readonly answers: Fragment
}

/** The figures of actions; undefined if no chain can answer them. */
export function chainedActions(selection: Selection): Chained<ChainedActions> | undefined {
  const chosen = chooseVisits(selection, undefined, 'actions')
  if (!chosen) return undefined
  const { choice, isByDay } = chosen
  return {
    choice,
    leastViews: leastOfVisits(chosen, least, leastOfDays),
    figures(notes) {
      const { sealed: chain, hours } = chosen.chainsOf(notes)
      const answers = answersOf([chain])
      if (!hours.ends) {
        const from = sql`from (${sealedActions(chain, isByDay, sql`uniqExactIf`)})`
        return { from, ...actions((column) => column), countries: sql`countries`, answers: answers ?? sql`holds` }
      }
      const parts = [sealedActions(chain, isByDay, sql`groupUniqArrayIf`), actionsOfEnds(hours, hours.ends)]
      const sums = actions((column) => sql`sum(${column})`)
      return {
        from: sql`from ${union(parts)}`,
        ...sums,
        countries: sql`uniqExactArray(countries)`,
        answers: answers ?? sql`min(holds)`,
      }
    },
  }
}

const actions = (added: (column: Fragment) => Fragment) => ({
  views: added(sql`views`),
  visitors: added(sql`visitors`),
  visits: added(sql`visits`),
  customs: added(sql`custom_events`),
})

/** The hour of the last action of a session before a row of hours. */
export const lastOfSession = sql`greatest(session_before, session_acted)`

/** One row: the figures of the sealed hours, with an aggregate of the countries. */
function sealedActions(chain: Chain, isByDay: boolean, ofCountries: Fragment): Fragment {
  const { passed, isBefore } = chain
  const countOf = (condition: Fragment) => sql`toInt64(${chain.count(all(passed, condition))})`
  const columns = isByDay
    ? sql`value as country, session_before as session_last, visit_before as visit_last`
    : sql`country, ${lastOfSession} as session_last, greatest(visit_before, visit_acted) as visit_last`
  return sql`
    select toInt64(${sumWhere(sql`events`, passed)}) as views,
      ${countOf(isBefore(sql`session_last`))} as visitors,
      ${countOf(isBefore(sql`visit_last`))} as visits,
      ${ofCountries}(${hashOfText(sql`country`)}, ${all(passed, sql`country != ''`)}) as countries,
      toInt64(${sumWhere(sql`customs`, passed)}) as custom_events, ${holdsOf(chain)} as holds
    from ${chain.rows(sql`events, customs, ${columns}`)}`
}

/** One row: what the ends add to the figures of the sealed hours. */
function actionsOfEnds(chain: Chain, { actions }: ChainEnds): Fragment {
  const known = knownRows(chain, {
    of: actions,
    columns: sql`visit_key, session_key, events, customs`,
    wanted: [
      [sql`visit_key`, sql`visit`],
      [sql`session_key`, sql`session`],
    ],
    none: sql`(0, 0)`,
    which: 'passed',
    holds: holdsOf(chain),
  })
  const parts = [
    sql`select visit, session, 0 as views, 0 as customs, '' as country, ${signs} as sign, holds from ${known.rows}`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session, event_type != 2 as views,
        event_type = 2 as customs, country, 1 as sign, false as holds
      ${actions}`,
  ]
  return sql`
    select toInt64(sum(viewed)) as views, ${differing(sql`session`)} as visitors, toInt64(sum(sign)) as visits,
      groupUniqArrayArray(seen_in) as countries, toInt64(sum(acted)) as custom_events, ${known.tells ? sql`max(held)` : sql`true`} as holds
    from (
      select visit, sign, any(session) as session, sum(views) as viewed, sum(customs) as acted,
        groupUniqArrayIf(${hashOfText(sql`country`)}, country != '') as seen_in, max(holds) as held
      from ${union(parts)}
      group by visit, sign
    )`
}

import { isFiltered, type Selection } from '../language/scope.ts'
import { type Fragment, sql, uint32, union } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { type Chain, type ChainEnds, type Chained, chainOf, chooseChain } from '../tables/chains.ts'
import { isOfSessionsIn, keyOfId } from './chained.ts'

/** Statements over the chain of actions, which are views and custom events: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement, without and with a filter. */
const least = { sealed: [300_000, 600_000], withEnds: [550_000, 1_200_000] } as const

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
  const choice = chooseChain('chained visits', selection)
  if (!choice) return undefined
  return {
    choice,
    leastViews: least[choice.hasEnds ? 'withEnds' : 'sealed'][isFiltered(selection) ? 1 : 0],
    figures(notes) {
      const chain = chainOf(choice, notes)
      return chain.ends ? withEnds(chain, chain.ends) : sealed(chain)
    },
  }
}

const actionFigures = sql`events, customs, country, session_before, session_acted, visit_before, visit_acted`

/** Figures of the rows of sealed hours. */
const figuresOf = ({ isBefore }: Chain) => ({
  visitors: sql`toInt64(countIf(passed and ${isBefore(sql`greatest(session_before, session_acted)`)}))`,
  visits: sql`toInt64(countIf(passed and ${isBefore(sql`greatest(visit_before, visit_acted)`)}))`,
})

const ofCountries = sql`${hashOfText(sql`country`)}, passed and country != ''`

function sealed(chain: Chain): ChainedActions {
  const { visitors, visits } = figuresOf(chain)
  return {
    from: sql`from (
      select toInt64(sumIf(events, passed)) as views, ${visitors} as visitors, ${visits} as visits,
        uniqExactIf(${ofCountries}) as in_countries, toInt64(sumIf(customs, passed)) as custom_events,
        ${chain.answers(sql`sum(events)`, sql`sum(customs)`)} as holds
      from ${chain.rows(actionFigures)}
    )`,
    views: sql`views`,
    visitors: sql`visitors`,
    visits: sql`visits`,
    countries: sql`in_countries`,
    customs: sql`custom_events`,
    answers: sql`holds`,
  }
}

/**
 * The ends add their visits and sessions, less those that the sealed hours have counted. Rows of sessions with actions
 * at the ends are grouped by visit, all others as one, whose key is 0.
 */
function withEnds(chain: Chain, ends: ChainEnds): ChainedActions {
  const { visitors, visits } = figuresOf(chain)
  const never = uint32(2 ** 32 - 1)
  const parts = [
    sql`select if(passed and ${isOfSessionsIn(ends.actions)}, visit_key, 0) as visit, session_key, passed, false as is_end, ${actionFigures}
      from ${chain.rows(sql`${actionFigures}, session_key, visit_key`)}`,
    sql`select ${keyOfId(sql`visit_id`)} as visit, ${keyOfId(sql`session_id`)} as session_key, true as passed,
        true as is_end, toUInt64(event_type != 2) as events, toUInt64(event_type = 2) as customs, country,
        ${never} as session_before, 0 as session_acted, ${never} as visit_before, 0 as visit_acted
      ${ends.actions}`,
  ]
  const isKnown = sql`visit != 0`
  return {
    from: sql`from (
      select visit, any(session_key) as session, toInt64(sumIf(events, passed)) as views,
        toInt64(sumIf(customs, passed)) as custom_events, ${visitors} as sealed_visitors, ${visits} as sealed_visits,
        countIf(not is_end) > 0 as is_sealed, groupUniqArrayIf(${ofCountries}) as countries,
        sumIf(events, not is_end) as sealed, sumIf(customs, not is_end) as sealed_customs
      from ${union(parts)}
      group by visit
    )`,
    views: sql`sum(views)`,
    visitors: sql`sum(sealed_visitors) + toInt64(uniqExactIf(session, ${isKnown}))
      - toInt64(uniqExactIf(session, ${isKnown} and is_sealed))`,
    visits: sql`sum(sealed_visits) + toInt64(countIf(${isKnown} and not is_sealed))`,
    countries: sql`uniqExactArray(countries)`,
    customs: sql`sum(custom_events)`,
    answers: chain.answers(sql`sum(sealed)`, sql`sum(sealed_customs)`),
  }
}

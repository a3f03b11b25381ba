import type { Field } from '../../request/fields.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, union } from '../language/sql.ts'
import { type Chain, type ChainEnds, type Chained, chainOf, chooseChain } from '../tables/chains.ts'
import { chainedHours } from '../tables/tables.ts'
import { clientValue, isByCountry, type MetricType } from './breakdowns.ts'
import type { ChainedValues } from './chained.ts'
import { hasViews, isOfSessionsIn, keyOfId } from './chained-ends.ts'

/** Sessions by a value of their visitors that none of them changes, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement. */
const leastOfClients = { sealed: 450_000, withEnds: 800_000 } as const

/** Sessions by a metric of visitors; undefined if no chain can answer it. */
export function chainedClients(type: MetricType, selection: Selection): Chained<ChainedValues> | undefined {
  const value = clientValue(type)
  const reads = (isByCountry(type) ? [type, 'country'] : [type]) as Field[]
  const choice = value && chooseChain('chained visits', selection)
  if (!choice || !reads.every((field) => chainedHours.fields.has(field))) return undefined
  return {
    choice,
    leastViews: choice.hasEnds ? leastOfClients.withEnds : leastOfClients.sealed,
    reads,
    figures: (notes) => clients(chainOf(choice, notes, hasViews), value, isByCountry(type)),
  }
}

/**
 * The first rows of sessions are counted. Those of sessions with views at the ends bear their keys, as these views do,
 * because a session may have another value there; of others the key is 0.
 */
function clients(chain: Chain, value: Fragment, hasCountry: boolean): ChainedValues {
  const isNew = sql`(passed and ${chain.isBefore(sql`session_before`)})`
  const columns = hasCountry ? sql`${value} as of_value, country` : sql`${value} as of_value`
  const keys = hasCountry ? sql`of_value, country` : sql`of_value`
  const { ends } = chain
  const sealed = sql`
    select ${keys}, ${isNew} as is_new, events as weight,
      ${ends ? sql`if(${isNew} and ${isOfSessionsIn(ends.views)}, session_key, 0)` : sql`toUInt64(0)`} as key
    from ${chain.rows(sql`${columns}, session_before, session_key, events`)}`
  return {
    from: sql`from (
      select ${keys}, ${chain.answers(sql`sum(sum(weight)) over ()`)} as holds,
        countIf(is_new and key = 0) + uniqExactIf(key, is_new and key != 0) as amount
      from ${ends ? union([sealed, atEnds(ends, columns)]) : sql`(${sealed})`}
      group by ${keys}
    )`,
    sessions: sql`sum(amount)`,
    answers: sql`max(holds)`,
  }
}

const atEnds = ({ views, passes }: ChainEnds, columns: Fragment): Fragment => sql`
  select ${columns}, ${passes} as is_new, 0 as weight, ${keyOfId(sql`session_id`)} as key
  ${views}`

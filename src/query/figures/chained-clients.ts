import type { Field } from '../../request/fields.ts'
import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql, union } from '../language/sql.ts'
import type { Notes } from '../tables/chain-notes.ts'
import { chooseVisits, leastOfVisits, type VisitsChoice } from '../tables/chained-days.ts'
import { isDaily } from '../tables/chained-fields.ts'
import type { Chain, ChainEnds, Chained } from '../tables/chains.ts'
import { chainedHours } from '../tables/tables.ts'
import { clientValue, isByCountry, type MetricType } from './breakdowns.ts'
import { addedSessions, type ChainedValues, sealedSessions } from './chained.ts'
import { type Amounts, hasViews, keyOfId, knownRows } from './chained-ends.ts'

/** Sessions by a value of their visitors that none of them changes, over chains: see `src/query/tables/chains.ts`. */

/** From this many views on, the chain is cheaper than the whole statement. */
const leastOfClients = { sealed: [1_000_000, 1_600_000], withEnds: [1_800_000, 3_500_000] } as const
const leastOfDays = { sealed: 500_000 } as const

/** Sessions by a metric of visitors; undefined if no chain can answer it. */
export function chainedClients(type: MetricType, selection: Selection): Chained<ChainedValues> | undefined {
  const value = clientValue(type)
  const reads = (isByCountry(type) ? [type, 'country'] : [type]) as Field[]
  const chosen = value && chooseVisits(selection, hasViews, isDaily(type) ? type : undefined)
  if (!chosen || !reads.every((field) => chainedHours.fields.has(field))) return undefined
  return {
    choice: chosen.choice,
    leastViews: leastOfVisits(chosen, leastOfClients, leastOfDays),
    reads,
    figures: (notes) => clients(chosen, notes, value, isByCountry(type)),
  }
}

/**
 * The first rows of sessions are counted. A session with views at the ends may have another value there. Then it counts
 * for both.
 */
function clients(chosen: VisitsChoice, notes: Notes, value: Fragment, hasCountry: boolean): ChainedValues {
  const { sealed: chain, hours } = chosen.chainsOf(notes)
  const isNew = all(chain.passed, chain.isBefore(sql`session_before`))
  const country = hasCountry ? sql`, country` : sql``
  const keys = sql`of_value${country}`
  const columns = sql`${chosen.isByDay ? sql`value` : value} as of_value${country}, session_before, events as weight`
  const sealed = sealedSessions(chain, columns, chain.count(isNew), keys)
  return addedSessions(
    [chain],
    [sealed, ...(hours.ends ? [newClients(hours, hours.ends, value, hasCountry)] : [])],
    keys,
  )
}

/** The sessions that have a value at the ends, and not within the sealed hours. */
function newClients(chain: Chain, { views, passes }: ChainEnds, value: Fragment, hasCountry: boolean): Amounts {
  const ofCountry = (column: Fragment): Fragment => (hasCountry ? sql`, ${column} as country` : sql``)
  const known = knownRows(chain, {
    of: views,
    columns: sql`${value} as of_value${hasCountry ? sql`, country` : sql``}, session_key, session_before, events`,
    wanted: [
      [sql`session_key`, sql`session`],
      [sql`toString(of_value)`, sql`seen_value`],
      ...(hasCountry ? [[sql`toString(country)`, sql`seen_country`] as const] : []),
    ],
    which: 'passed',
    condition: chain.isBefore(sql`session_before`),
    none: hasCountry ? sql`(0, '', '')` : sql`(0, '')`,
    holds: chain.holds(sql`sum(events)`),
  })
  const keys = hasCountry ? sql`of_value, country` : sql`of_value`
  const parts = [
    sql`select session, seen_value as of_value${ofCountry(sql`seen_country`)}, true as is_before, holds from ${known.rows}`,
    sql`select ${keyOfId(sql`session_id`)} as session, toString(${value}) as of_value${ofCountry(sql`toString(country)`)},
        false as is_before, false as holds
      ${views} and ${passes}`,
  ]
  const rows = sql`
    select ${keys}, toInt64(countIf(is_new)) as amount, max(max(held)) over () as holds
    from (
      select session, ${keys}, not max(is_before) as is_new, max(holds) as held
      from ${union(parts)}
      group by session, ${keys}
    )
    group by ${keys}`
  return { rows, tells: known.tells }
}

import type { Selection } from '../language/scope.ts'
import { all, sql, text, union } from '../language/sql.ts'
import { chainedFields, hashedFields } from '../tables/chained-fields.ts'
import { answersOf, type Chained, chainOf, chooseChain, leastFor } from '../tables/chains.ts'
import { rowsAround } from '../tables/rows.ts'
import { chainedValues } from '../tables/tables.ts'
import { type ChainedValues, isChained } from './chained.ts'
import { hasViews, keyOfId } from './chained-ends.ts'

/** Sessions by hashes of the values of their views, which rows of hours have: see `src/query/tables/chains.ts`. */

/**
 * From this many views on, the chain is cheaper than the whole statement, which reads the events; second: of referrers,
 * which `hourly_visits` has.
 */
const leastOfHashes = { sealed: [380_000, 1_400_000], withEnds: [480_000, 2_600_000] } as const

/**
 * Sessions by a value of their views, under filters on visitors, which rows of values know nothing of; undefined if no
 * chain can answer. Rows of values have the texts of the hashes, those of other hours or seals, too. The statement
 * does not answer if one is missing.
 */
export function hashedSessions(type: string, selection: Selection): Chained<ChainedValues> | undefined {
  const hours = chooseChain('chained visits', selection)
  if (!hours || !isChained(type)) return undefined
  const [hashes, value] = [hashedFields[type], sql`toString(${chainedFields[type]})`]
  return {
    choice: hours,
    leastViews: leastFor(leastOfHashes, hours, type === 'referrer'),
    isLocal: true,
    figures(notes) {
      const chain = chainOf(hours, notes, hasViews)
      const texts = rowsAround(chainedValues, { ...selection, period: hours.whole }, sql`field = ${text(type)}`)
      const ends = chain.ends && sql`${chain.ends.views} and ${chain.ends.passes}`
      // One grouping by key puts sessions and texts together: where values are many, a join takes far longer. Windows
      // are made after `having`.
      const parts = [
        sql`select reinterpretAsUInt64(toString(arrayJoin(${hashes}))) as key, session_key, true as is_seen, '' as value
          from ${chain.rows(sql`${hashes}, session_key`)}`,
        sql`select sipHash64(toString(one)) as key, 0 as session_key, false as is_seen, toString(one) as value
          from (select value as one ${texts} group by one)`,
        ...(ends
          ? [
              sql`select sipHash64(of_view) as key, ${keyOfId(sql`session_id`)} as session_key, true as is_seen,
                ${value} as of_view ${ends}`,
            ]
          : []),
      ]
      return {
        from: sql`from (
          select max(value) as of_value, uniqExactIf(session_key, is_seen) as visitors,
            min(of_value != '' or key = sipHash64('')) over () as are_named
          from ${union(parts)}
          group by key having visitors > 0
        )`,
        sessions: sql`max(visitors)`,
        answers: all(answersOf([chain]), sql`max(are_named)`),
      }
    },
  }
}

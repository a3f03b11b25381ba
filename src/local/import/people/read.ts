import type { Postgres } from '../postgres.ts'
import type { SourceRow } from '../source.ts'
import type { Family } from './families.ts'

/** The number of rows in a page. */
const page = 200

const epoch = "coalesce(created_at, 'epoch')"

/** Whether the source has this family. Older versions lack some tables and columns. */
export const hasFamily = ({ columns }: Postgres, { from, id, needs = id[0]! }: Family): boolean =>
  columns.get(from)?.has(needs) === true

/** The rows of a family in pages. A column that this version lacks is `null`. */
export async function* pagesOf(postgres: Postgres, family: Family): AsyncGenerator<readonly SourceRow[]> {
  const { from, id, columns, byAge } = family
  const has = postgres.columns.get(from)!
  const age = byAge && has.has('created_at') ? [`${epoch}::text AS age`] : []
  const listed = [...id, ...columns].map((name) => (has.has(name) ? `"${name}"` : `NULL AS "${name}"`))
  const order = age.length > 0 ? [epoch, ...id] : id
  for (let after: readonly (string | null)[] = []; ; ) {
    const places = order.map((_, at) => `$${at + 1}`).join(', ')
    const found = await postgres.rows(
      `SELECT ${[...listed, ...age].join(', ')} FROM "${from}"
       ${after.length > 0 ? `WHERE (${order.join(', ')}) > (${places})` : ''} ORDER BY ${order.join(', ')} LIMIT ${page}`,
      after,
    )
    if (found.length > 0) yield found
    const last = found.at(-1)
    if (last === undefined || found.length < page) return
    after = [...(age.length > 0 ? [last.age!] : []), ...id.map((name) => last[name]!)]
  }
}

/** The Umami users who sign in with two factors. */
export async function usersWithTwoFactors(postgres: Postgres): Promise<ReadonlySet<string>> {
  const has = postgres.columns.get('two_factor_auth')
  if (!has?.has('user_id') || !has.has('is_enabled')) return new Set()
  const rows = await postgres.rows('SELECT user_id FROM two_factor_auth WHERE is_enabled')
  return new Set(rows.map(({ user_id }) => user_id!))
}

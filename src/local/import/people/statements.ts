import type { Sql } from '../../../metadata/store.ts'
import type { Put, Thing } from './thing.ts'

/** Columns that reference rows of other tables, by table. */
const needs: Partial<Readonly<Record<Put['table'], Readonly<Record<string, string>>>>> = {
  team_members: { team_id: 'teams', user_id: 'users' },
  api_keys: { user_id: 'users' },
  board_subjects: { board_id: 'boards' },
}

/**
 * Inserts a row, unless an earlier run imported it, its referenced rows are missing, or it violates a unique
 * constraint.
 */
function insertOf({ table, values }: Put): Sql {
  const columns = Object.keys(values)
  const place = (column: string): string => `?${columns.indexOf(column) + 1}`
  const wasBrought =
    table === 'seen_replays'
      ? []
      : [
          `NOT EXISTS (SELECT 1 FROM moved_in WHERE thing = '${table === 'board_subjects' ? 'boards' : table}' AND id = ?1)`,
        ]
  const isThere = Object.entries(needs[table] ?? {}).map(
    ([column, other]) => `EXISTS (SELECT 1 FROM ${other} WHERE id = ${place(column)})`,
  )
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(place).join(', ')}
     WHERE ${[...wasBrought, ...isThere, 'TRUE'].join(' AND ')} ON CONFLICT DO NOTHING`,
    ...Object.values(values),
  ]
}

/**
 * The inserts for an object: its row, a replacement for the case that the row's name is taken, and its dependent rows.
 */
export const insertsOf = ({ put, otherwise, also = [] }: Thing): Sql[] =>
  [put, ...(otherwise ? [otherwise.put] : []), ...also].map(insertOf)

/** Records these rows as imported. */
export const markOf = (table: Put['table'], ids: readonly string[]): Sql => [
  `INSERT INTO moved_in (thing, id) SELECT '${table}', id FROM ${table}
   WHERE id IN (SELECT value FROM json_each(?1)) ON CONFLICT DO NOTHING`,
  JSON.stringify(ids),
]

/** The maximum size of a row's values, in bytes. A D1 statement may have at most 100,000. */
const longest = 60_000

export const isTooLarge = ({ put, also = [] }: Thing): boolean =>
  [put, ...also].some(({ values }) => Buffer.byteLength(Object.values(values).join('').replaceAll("'", "''")) > longest)

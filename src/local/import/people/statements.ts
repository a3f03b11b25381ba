import type { Sql } from '../../../metadata/store.ts'
import type { Put, Thing } from './thing.ts'

/** The rows that have to be there, by the table and the column of the value that names them. */
const needs: Partial<Readonly<Record<Put['table'], Readonly<Record<string, string>>>>> = {
  team_members: { team_id: 'teams', user_id: 'users' },
  api_keys: { user_id: 'users' },
  board_subjects: { board_id: 'boards' },
}

/** Puts a row, unless it, or what it belongs to, was brought before, or another one has what has to be unique. */
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

/** The statements of a thing: the row, the one in its place if that is taken, and what belongs to it. */
export const insertsOf = ({ put, otherwise, also = [] }: Thing): Sql[] =>
  [put, ...(otherwise ? [otherwise.put] : []), ...also].map(insertOf)

/** Remembers that these rows are there. */
export const markOf = (table: Put['table'], ids: readonly string[]): Sql => [
  `INSERT INTO moved_in (thing, id) SELECT '${table}', id FROM ${table}
   WHERE id IN (SELECT value FROM json_each(?1)) ON CONFLICT DO NOTHING`,
  JSON.stringify(ids),
]

/** The longest value of a row, in bytes: a statement of D1 has 100,000 at most. */
const longest = 60_000

export const isTooLarge = ({ put, also = [] }: Thing): boolean =>
  [put, ...also].some(({ values }) => Buffer.byteLength(Object.values(values).join('').replaceAll("'", "''")) > longest)

import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'

/** A row of D1, and the name of its table. */
export interface Thing {
  readonly table: string
  readonly row: Readonly<Record<string, string | number | null>>
}

/** Tables about the database file itself, such as its migrations; they are not copied. */
const ofTheFile = /^(_cf_|sqlite_|d1_migrations$|migration_checksums$)/

/** The tables of a D1 in the order of their creation, so each table comes after those that it references. */
async function tablesIn(database: D1Database): Promise<string[]> {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
  const { results } = await database.prepare(query).all<{ name: string }>()
  return results.map(({ name }) => name).filter((name) => !ofTheFile.test(name))
}

/** All rows of a D1 at one moment, except those of the tables in `without`. */
export async function thingsIn(database: D1Database, without: readonly string[] = []): Promise<Thing[]> {
  const tables = (await tablesIn(database)).filter((name) => !without.includes(name))
  const found = await database.batch<Thing['row']>(tables.map((name) => database.prepare(`SELECT * FROM "${name}"`)))
  return found.flatMap(({ results }, place) => results.map((row) => ({ table: tables[place]!, row })))
}

/** The maximum number of rows that one transaction writes. */
const atOnce = 200

/**
 * Replaces all rows here with the rows of another D1. Returns how many were written, and the tables and columns that
 * this version lacks. Values for these are left out.
 */
export async function bringThings(
  database: D1Database,
  things: readonly Thing[],
): Promise<{ written: number; unknown: readonly string[] }> {
  const tables = await tablesIn(database)
  await deleteAll(database, tables)
  const statements: D1PreparedStatement[] = []
  const unknown = new Set(things.flatMap(({ table }) => (tables.includes(table) ? [] : [table])))
  for (const table of tables) {
    const { results } = await database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<{ name: string }>()
    const known = results.map(({ name }) => name)
    const own = things.filter((thing) => thing.table === table)
    for (const { row } of own) {
      for (const name in row) if (row[name] !== null && !known.includes(name)) unknown.add(`${table}.${name}`)
    }
    statements.push(...own.map(({ row }) => insert(database, table, row, known)))
  }
  for (let start = 0; start < statements.length; start += atOnce) {
    await database.batch(statements.slice(start, start + atOnce))
  }
  return { written: statements.length, unknown: [...unknown] }
}

/** Deletes all rows of the tables in one step, including rows that a trigger protects from deletion. */
async function deleteAll(database: D1Database, tables: readonly string[]): Promise<void> {
  const query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
  const triggers = (await database.prepare(query).all<{ name: string; sql: string }>()).results
  const statements = [
    ...triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
    ...tables.toReversed().map((name) => `DELETE FROM "${name}"`),
    ...triggers.map(({ sql }) => sql),
  ]
  await database.batch(statements.map((statement) => database.prepare(statement)))
}

function insert(database: D1Database, table: string, row: Thing['row'], known: readonly string[]): D1PreparedStatement {
  const names = Object.keys(row).filter((name) => known.includes(name))
  const places = names.map((_, place) => `?${place + 1}`)
  return database
    .prepare(`INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${places.join(', ')})`)
    .bind(...names.map((name) => row[name]!))
}

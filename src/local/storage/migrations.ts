import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import type { Server } from '../../clickhouse/server.ts'
import { quoted } from '../engine/literal.ts'
import { OtherVersion } from '../machine/version-file.ts'
import { root } from '../paths.ts'
import { weirCommand } from '../told/weir-command.ts'
import { type ClusterNames, clusterStart, forCluster, namesOf } from './cluster.ts'
import { selected } from './selected.ts'

/** A numbered file in `sql/`. Each statement ends with `;` at the end of a line; comments are ignored. */
interface Migration {
  readonly name: string
  readonly checksum: string
  readonly statements: readonly string[]
}

/** The numbered files of a folder, in order. */
export function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(`${folder}/${name}`, 'utf8')
      const statements = text.split(/(?<=^(?:(?!--).)*);[ \t]*(?:--.*)?\n/m).map((one) => one.trim())
      return { name, checksum: createHash('sha256').update(text).digest('hex'), statements: statements.filter(Boolean) }
    })
}

/**
 * Applies new migrations in order to a server, or to all servers of a cluster. Returns their names. Throws if an
 * applied file has changed.
 */
export async function migrateEvents(
  client: ClickHouseClient,
  server: Server,
  folder = `${root}/sql/events`,
  cluster?: string,
): Promise<string[]> {
  const command = (query: string, query_params: Record<string, unknown> = {}) =>
    client.command({ query, query_params, clickhouse_settings: ofMigrations })
  const names = cluster === undefined ? undefined : namesOf(cluster, server.database)
  const files = migrationsIn(folder)
  const forms = names ? forCluster(files, names) : files
  await refuseOtherForm(server, names !== undefined)
  for (const statement of names ? clusterStart(names) : singleStart(server)) await commandOutside(server, statement)
  const applied = await selected<Pick<Migration, 'name' | 'checksum'>>(client, 'SELECT name, checksum FROM migrations')
  const known = new Map(applied.map((row) => [row.name, row.checksum]))
  const pending = unapplied(`The database ${server.database}`, forms, known)
  for (const { name, checksum, statements } of pending) {
    for (const statement of statements) await command(statement)
    await command('INSERT INTO migrations (name, checksum) VALUES ({name:String}, {checksum:String})', {
      name,
      checksum,
    })
  }
  return pending.map(({ name }) => name)
}

/** A file that fills a table from the events may write a block with any number of months. */
const ofMigrations = { allow_suspicious_low_cardinality_types: 1, max_partitions_per_insert_block: '0' } as const

/** Creates the database of a server, and the table of applied files. */
const singleStart = ({ database }: Server): string[] => [
  `CREATE DATABASE IF NOT EXISTS ${quoted(database)}`,
  `CREATE TABLE IF NOT EXISTS ${quoted(database)}.migrations
     (name String, checksum String, applied_at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name`,
]

/**
 * Refuses to migrate a part of a cluster as a single server, because the front's views would store every event twice.
 * Also refuses to migrate a single server as a cluster. A cluster that was created by hand has no table of applied
 * files.
 */
async function refuseOtherForm(server: Server, isCluster: boolean): Promise<void> {
  const { ingest, events = '', migrations } = await enginesOf(server)
  if (ingest === undefined) return
  const refuse = (what: string): never => {
    throw new Error(`${server.database}.${what}. See docs/clusters.md.`)
  }
  if (ingest !== 'Null' && !isCluster) {
    refuse(`ingest is a ${ingest} table, the front of a cluster: migrate it with --cluster NAME`)
  }
  if (ingest === 'Null' && isCluster) refuse('ingest is not the front of a cluster: migrate it without --cluster')
  if (migrations !== undefined) return
  if (isCluster) refuse('migrations is missing: this cluster was created by hand')
  if (events.startsWith('Replicated')) refuse('events is a shard of a cluster: migrate its front with --cluster NAME')
}

/** The engines of the tables that show whether a database belongs to a cluster. */
async function enginesOf(server: Server): Promise<Partial<Record<string, string>>> {
  const query = `SELECT name, engine FROM system.tables
    WHERE database = {database:String} AND name IN ('ingest', 'events', 'migrations')`
  return outside(server, async (client) => {
    const tables = await selected<{ name: string; engine: string }>(client, query, { database: server.database })
    return Object.fromEntries(tables.map(({ name, engine }) => [name, engine]))
  })
}

/** Runs a statement outside of any database. */
const commandOutside = (server: Server, query: string): Promise<unknown> =>
  outside(server, (client) => client.command({ query }))

/** Runs `work` with a client for the database `default`, because the server's own may not exist yet. */
export async function outside<Result>(
  { timeout: _, ...server }: Server,
  work: (client: ClickHouseClient) => Promise<Result>,
): Promise<Result> {
  // A statement for a cluster waits for all of its servers.
  const log = { level: ClickHouseLogLevel.OFF }
  const client = createClient({ ...server, database: 'default', request_timeout: 600_000, log })
  return work(client).finally(() => client.close())
}

/** The migrations that have not been applied to `where`. Throws if `where` was migrated with different files. */
function unapplied(where: string, migrations: readonly Migration[], known: ReadonlyMap<string, string>): Migration[] {
  const unknown = [...known.keys()].filter((name) => !migrations.some((migration) => migration.name === name))
  const changed = migrations.filter(({ name, checksum }) => (known.get(name) ?? checksum) !== checksum)
  const other = unknown.sort().at(-1) ?? changed[0]?.name
  if (other !== undefined) {
    throw new OtherVersion(
      `${where} was made by another version of Weir (its ${other} differs). Bring everything from this folder into a ` +
        `new one: ${weirCommand} upgrade --from THIS --data-dir NEW, as docs/one-server.md says.`,
    )
  }
  return migrations.filter(({ name }) => !known.has(name))
}

/**
 * Applies the metadata migrations to D1 and returns their names. It records them in the table that `wrangler d1
 * migrations apply` uses, and their checksums in another one. Throws if an applied file has changed.
 */
export async function migrateMetadata(database: D1Database, folder = `${root}/sql/metadata`): Promise<string[]> {
  await database.batch([
    database.prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
         id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    ),
    database.prepare('CREATE TABLE IF NOT EXISTS migration_checksums (name TEXT PRIMARY KEY, checksum TEXT NOT NULL)'),
  ])
  const { results } = await database
    .prepare('SELECT name, checksum FROM d1_migrations LEFT JOIN migration_checksums USING (name)')
    .all<{ name: string; checksum: string | null }>()
  const migrations = migrationsIn(folder)
  const fileOf = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  const known = new Map(results.map(({ name, checksum }) => [name, checksum ?? fileOf.get(name) ?? '']))
  const applied: string[] = []
  for (const { name, checksum, statements } of unapplied('The metadata', migrations, known)) {
    const all = [
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      database.prepare('INSERT INTO migration_checksums (name, checksum) VALUES (?, ?)').bind(name, checksum),
    ]
    if (await isOurs(database, name, () => database.batch(all))) applied.push(name)
  }
  return applied
}

/** Applies a migration completely or not at all. Returns false if another process has already applied it. */
async function isOurs(database: D1Database, name: string, apply: () => Promise<unknown>): Promise<boolean> {
  try {
    await apply()
    return true
  } catch (error) {
    if (await database.prepare('SELECT 1 FROM d1_migrations WHERE name = ?').bind(name).first()) return false
    throw error
  }
}

/**
 * The statements that `migrate --cluster` sends, as SQL: first the databases, then `sql/events` in its form for a
 * cluster. The last statement of each file records it in `migrations`, so that the command can continue after
 * statements sent by hand.
 */
export function clusterScript(names: ClusterNames): string {
  const files = forCluster(migrationsIn(`${root}/sql/events`), names).map(({ name, checksum, statements }) => {
    const record = `INSERT INTO ${quoted(names.front)}.migrations (name, checksum) VALUES ('${name}', '${checksum}')`
    return { name, statements: [...statements, record] }
  })
  return [{ name: 'The databases', statements: clusterStart(names) }, ...files]
    .map(({ name, statements }) => `-- ${name}\n\n${statements.map((one) => `${one};\n`).join('\n')}`)
    .join('\n')
}

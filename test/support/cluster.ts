import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { keptFolder } from '../../src/local/machine/kept-folder.ts'
import { root } from '../../src/local/paths.ts'
import { type ClusterNames, clusterStart, forCluster, shardingKey } from '../../src/local/storage/cluster.ts'
import { migrateEvents, migrationsIn } from '../../src/local/storage/migrations.ts'
import { entryTables, seals, tables as stored } from '../../src/query/tables/tables.ts'
import type { IngestRow } from '../oracle/model.ts'
import { grantAlso } from './clickhouse-users.ts'
import { planPlainly } from './plain-engine.ts'
import { rewriting } from './proxy.ts'

/**
 * The same events in four databases:
 * - `single`: the tables from the migrations.
 * - `sharded`: `Distributed` tables over a cluster of two shards, with each session on one of them.
 * - `twice`: like `single`, with every event inserted twice.
 * - `doubled`: tables over `remote('127.0.0.1,127.0.0.1', …)`, which reads `single` on both of its shards.
 */
export type Database = 'single' | 'sharded' | 'twice' | 'doubled'

export interface Cluster {
  server(database: Database): Server
  /** A server of one of the two shards of `sharded`. */
  shard(number: number): Server
  /** Inserts events into all databases, as a writer does. */
  ingest(rows: readonly IngestRow[]): Promise<void>
  /** Inserts rows into a table of a database. */
  insert(table: string, rows: readonly object[]): Promise<void>
  /** Runs a statement without a result. */
  run(query: string): Promise<unknown>
  /** The lines of a statement's result. */
  ask(database: Database, query: string, query_params?: Record<string, unknown>): Promise<string[]>
  close(): Promise<void>
}

/** The files that determine the databases. */
const sources = ['sql/events', 'src/local/storage', 'src/query/tables', 'test/support/cluster.ts', 'package-lock.json']

/** Starts a separate engine, which is both shards of its own cluster. `isPlain`: see `planPlainly`. */
export async function startCluster(isPlain: boolean): Promise<Cluster> {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-cluster-`)
  // Creating the databases takes several seconds of processor time, so they are created only once, then copied.
  const kept = await keptFolder('weir-cluster', sources, makeDatabases)
  if (kept) cpSync(`${kept}/clickhouse`, `${dataDir}/clickhouse`, { recursive: true, verbatimSymlinks: true })
  if (isPlain) planPlainly(dataDir)
  const engine = await startShards(dataDir)
  if (!kept) await createDatabases(engine)
  // For `sharded`, a shard's tables are views, which reject PREWHERE. `Distributed` over real tables accepts it.
  const front = await rewriting(engine.url, onlyWhere)
  // If the second shard had its own server, its database would have the same name as the first one's.
  const second = await rewriting(engine.url, (sent) => sent.replaceAll('currentDatabase()', `'${shardNames[0]}'`))
  const server = (database: string): Server => {
    const { url } = { sharded: front, [shardNames[1]]: second }[database] ?? engine
    return parseServer({ CLICKHOUSE_URL: `${url}/?database=${database}` })
  }
  // The benchmark copies millions of rows.
  const client = createClient({ url: engine.url, request_timeout: 600_000 })
  return {
    server,
    shard: (number) => server(shardNames[number - 1]!),
    async ingest(values) {
      for (const database of ['single', 'sharded']) await insert(client, `${database}.ingest`, values)
      await insert(client, 'twice.ingest', [...values, ...values])
    },
    insert: (table, values) => insert(client, table, values),
    run: (query) => command(client, query),
    async ask(database, query, query_params = {}) {
      const asking = createClient(server(database))
      const result = await asking.query({ query, query_params, format: 'TabSeparatedRaw' })
      return (await result.text()).trimEnd().split('\n')
    },
    async close() {
      for (const one of [front, second]) one.close()
      await engine.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts an engine that may read other servers. */
function startShards(dataDir: string): Promise<Engine> {
  describeCluster(dataDir)
  grantAlso(dataDir, ['REMOTE ON *.*', 'TABLE ENGINE ON Distributed'])
  return startEngine({ dataDir, password: '' })
}

async function makeDatabases(folder: string): Promise<void> {
  const engine = await startShards(folder)
  await createDatabases(engine)
  await engine.close()
}

async function createDatabases({ url }: Engine): Promise<void> {
  await migrate(parseServer({ CLICKHOUSE_URL: `${url}/?database=single` }))
  const client = createClient({ url })
  for (const database of ['twice', ...shardNames]) await copyTables(client, 'single', database)
  for (const query of [...shards, ...sharded, ...doubled]) await command(client, query)
  await client.close()
}

/** The statement, with each `prewhere` merged into the `where` of the same select. */
function onlyWhere(query: string): string {
  const [before = '', ...others] = query.split(/\bprewhere\b/)
  if (others.length === 0) return query
  const rest = onlyWhere(others.join('prewhere'))
  let depth = 0
  for (const { 0: token, index } of rest.matchAll(/'(?:[^'\\]|\\.)*'|[()]|\b(?:where|select)\b/g)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    if (depth < 0 || (depth === 0 && token === 'select')) break
    if (depth === 0 && token === 'where') return `${before}where${rest.slice(0, index)}and${rest.slice(index + 5)}`
  }
  return `${before}where${rest}`
}

/**
 * ClickHouse merges the files in `config.d` into its configuration. Nothing listens on the port. The Keeper is the
 * in-memory one from ClickHouse's own tests. It allows replicated tables, but they stay read-only, because the engine
 * has no address for replicas.
 */
function describeCluster(dataDir: string): void {
  const shard = '<shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard>'
  mkdirSync(`${dataDir}/configuration/config.d`, { recursive: true })
  writeFileSync(
    `${dataDir}/configuration/config.d/cluster.xml`,
    `<clickhouse>
      <tcp_port>9000</tcp_port>
      <remote_servers><pair>${shard}${shard}</pair></remote_servers>
      <zookeeper><implementation>testkeeper</implementation></zookeeper>
      <macros><cluster>pair</cluster><shard>1</shard><replica>a</replica></macros>
    </clickhouse>`,
  )
}

async function migrate(server: Server): Promise<void> {
  const client = createClient({ url: server.url, database: server.database })
  await migrateEvents(client, server)
  await client.close()
}

/** Copies a database's tables and views, without rows, to another one, which is faster than the migrations. */
export async function copyTables(client: ClickHouseClient, from: string, to: string): Promise<void> {
  const result = await client.query({
    query: `SELECT create_table_query AS statement FROM system.tables WHERE database = {from:String}
      ORDER BY engine = 'MaterializedView', name`,
    query_params: { from },
    format: 'JSONEachRow',
  })
  await command(client, `CREATE DATABASE ${to}`)
  for (const { statement } of await result.json<{ statement: string }>()) {
    await command(client, statement.replaceAll(`${from}.`, `${to}.`))
  }
}

const command = (client: ClickHouseClient, query: string): Promise<unknown> =>
  client.command({ query, clickhouse_settings: { allow_suspicious_low_cardinality_types: 1 } })

async function insert(client: ClickHouseClient, table: string, values: readonly object[]): Promise<void> {
  await client.insert({
    ...{ table, values, format: 'JSONEachRow' },
    // Without its own token, an insert of the same rows would be deduplicated.
    clickhouse_settings: { distributed_foreground_insert: 1, insert_deduplication_token: randomUUID() },
  })
}

/** The statements that `migrate --cluster` sends, without `ON CLUSTER`, since the engine cannot run them elsewhere. */
export function statementsOf(names: ClusterNames): string[] {
  const files = forCluster(migrationsIn(`${root}/sql/events`), names)
  return [...clusterStart(names), ...files.flatMap(({ statements }) => statements)].map((statement) =>
    statement.replaceAll(` ON CLUSTER '${names.cluster}'`, ''),
  )
}

const storedNames = [...stored, seals].map(({ name }) => name)

/** The shards' databases. The first one's name is derived from `sharded`. */
export const shardNames = ['sharded_shard', 'shard_2'] as const

/**
 * The database name for each shard. A read sees its own shard's tables, through `shardNum()`, while a write chooses
 * the shard by the sharding key.
 */
const shards = [
  'CREATE DATABASE shards',
  ...storedNames.map(
    (table) => `CREATE VIEW shards.${table} AS
      ${shardNames.map((shard, place) => `SELECT * FROM ${shard}.${table} WHERE shardNum() = ${place + 1}`).join(' UNION ALL ')}`,
  ),
  ...entryTables.flatMap((door) => [
    `CREATE TABLE shards.${door} AS ${shardNames[0]}.${door}`,
    ...shardNames.map(
      (shard, place) => `CREATE MATERIALIZED VIEW shards.${door}_of_${shard} TO ${shard}.${door} AS
        SELECT * FROM shards.${door} WHERE ${shardingKey} % 2 = ${place}`,
    ),
  ]),
]

/** The statements that create a table or view that no later statement drops. */
export function lasting(statements: readonly string[]): string[] {
  const made = new Map<string, string>()
  for (const statement of statements) {
    const [, what, name] =
      /^(?:--.*\n)*(CREATE|DROP) (?:TABLE|VIEW|MATERIALIZED VIEW) IF (?:NOT )?EXISTS (\w+\.\w+)/.exec(statement) ?? []
    if (what === 'CREATE') made.set(name!, statement)
    if (what === 'DROP') made.delete(name!)
  }
  return [...made.values()]
}

/** The front as `migrate --cluster` creates it. The shards' views lack the columns that are expressions. */
const sharded = [
  'CREATE DATABASE sharded',
  ...lasting(statementsOf({ cluster: 'pair', front: 'sharded', shards: 'shards' }))
    .filter((statement) => statement.includes('ENGINE = Distributed'))
    .map((statement) => statement.replace(' AS shards.', ` AS ${shardNames[0]}.`)),
]

const doubled = [
  'CREATE DATABASE doubled',
  ...storedNames.map((table) => `CREATE TABLE doubled.${table} AS remote('127.0.0.1,127.0.0.1', single.${table})`),
]

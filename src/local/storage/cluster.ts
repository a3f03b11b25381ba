import { shardsSuffix } from '../../query/tables/tables.ts'
import { literal } from '../engine/literal.ts'
import { quoted, Statement } from './sql-statement.ts'

/** How a cluster calls its parts. */
export interface ClusterNames {
  /** The cluster's name in `remote_servers`. A macro such as `{cluster}` is allowed. */
  readonly cluster: string
  /** The database of the `Distributed` tables: the Worker reads it, and writers insert into it. */
  readonly front: string
  /** The database of the tables that store the rows of a shard. */
  readonly shards: string
}

/** The names of a cluster whose front is `database`. */
export const namesOf = (cluster: string, database: string): ClusterNames => ({
  cluster,
  front: database,
  shards: `${database}${shardsSuffix}`,
})

/** Puts all rows of a session on one shard: its events, its identify calls, and all that views derive from them. */
export const shardingKey = 'cityHash64(session_id)'

/** Where a replicated table meets its replicas in Keeper. A table that is created again there finds them again. */
const replicaArguments = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"

/** Creates the databases of a cluster, and the table of applied files, which all servers share. */
export function clusterStart(names: ClusterNames): string[] {
  const on = onCluster(names)
  return [
    `CREATE DATABASE IF NOT EXISTS ${quoted(names.shards)}${on}`,
    `CREATE DATABASE IF NOT EXISTS ${quoted(names.front)}${on}`,
    `CREATE TABLE IF NOT EXISTS ${quoted(names.front)}.migrations${on}
(
    name       String,
    checksum   String,
    applied_at DateTime DEFAULT now()
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}')
ORDER BY name`,
  ]
}

/** A file's statements. */
interface File {
  readonly name: string
  readonly statements: readonly string[]
}

/**
 * The files of `sql/events` for a cluster. A table becomes a replicated one on the shards and a `Distributed` one in
 * front. Views stay on the shards. A file that fills a table from stored rows does so through the front.
 *
 * Throws on a statement whose form is not known here: extend this file then.
 */
export function forCluster<One extends File>(files: readonly One[], names: ClusterNames): One[] {
  /** The tables so far, each with whether it has sessions. */
  const tables = new Map<string, boolean>()
  return files.map((file) => ({
    ...file,
    statements: file.statements.flatMap((statement) => {
      try {
        return converted(new Statement(statement), names, tables)
      } catch (error) {
        const [line] = statement.split('\n').filter((one) => !one.startsWith('--'))
        throw new Error(`${file.name}, "${line}": ${(error as Error).message}`)
      }
    }),
  }))
}

function converted(statement: Statement, names: ClusterNames, tables: Map<string, boolean>): string[] {
  if (statement.begins('CREATE TABLE IF NOT EXISTS')) return table(statement, names, tables)
  if (statement.begins('CREATE MATERIALIZED VIEW IF NOT EXISTS')) return [view(statement, names, tables)]
  if (statement.begins('INSERT INTO')) return [filling(statement, names, tables)]
  if (statement.begins('ALTER TABLE')) return alteration(statement, names, tables)
  if (statement.begins('DROP VIEW IF EXISTS')) {
    const name = statement.nameAt(4)
    return [`DROP VIEW IF EXISTS ${quoted(names.shards)}.${name}${onCluster(names)} SYNC`]
  }
  if (statement.begins('DROP TABLE IF EXISTS')) {
    const name = statement.nameAt(4)
    tables.delete(name)
    return [names.front, names.shards].map(
      (database) => `DROP TABLE IF EXISTS ${quoted(database)}.${name}${onCluster(names)} SYNC`,
    )
  }
  throw new Error('There is no form for a cluster of a statement that begins so.')
}

function table(statement: Statement, names: ClusterNames, tables: Map<string, boolean>): string[] {
  const name = statement.nameAt(5)
  const hasSessions = statement.columns().includes('session_id')
  const isDoor = replicate(statement)
  if (isDoor && !hasSessions) throw new Error('An entry table needs a session_id: it shards by it.')
  place(statement, 5, names)
  placeSources(statement, names.shards, tables)
  tables.set(name, hasSessions)
  const [cluster, shards] = [literal(names.cluster), literal(names.shards)]
  const key = hasSessions ? `, ${shardingKey}` : ''
  return [
    statement.toString(),
    `CREATE TABLE IF NOT EXISTS ${quoted(names.front)}.${name}${onCluster(names)} AS ${quoted(names.shards)}.${name}
ENGINE = Distributed(${cluster}, ${shards}, ${literal(name)}${key})`,
  ]
}

/** Makes a table a replicated one. Returns whether it stores nothing, and so needs no replicas. */
function replicate(statement: Statement): boolean {
  const engine = statement.find((_, at) => statement.isWord(at - 2, 'ENGINE') && statement.own[at - 1]?.text === '=')
  const family = statement.own[engine]?.text ?? ''
  if (family === 'Null') return true
  if (!/^(Summing|Aggregating|Replacing)?MergeTree$/.test(family)) throw new Error(`The engine ${family} is not known.`)
  const isCalled = statement.own[engine + 1]?.text === '('
  const hasOwn = isCalled && statement.own[engine + 2]?.text !== ')'
  statement.replace(engine, `Replicated${family}`)
  if (isCalled) statement.after(engine + 1, `${replicaArguments}${hasOwn ? ', ' : ''}`)
  else statement.after(engine, `(${replicaArguments})`)
  remember(statement)
  return false
}

/** How many blocks a table remembers, to ignore a repeated one. Replicated tables have settings of their own for it. */
function remember(statement: Statement): void {
  const setting = statement.find((_, at) => statement.isWord(at, 'non_replicated_deduplication_window'))
  if (setting === -1) return
  const blocks = statement.own[setting + 2]!.text
  statement.replace(
    setting,
    // A single server forgets no block for its age. ClickHouse's hour here would be short, so it is a week.
    `replicated_deduplication_window = ${blocks}, replicated_deduplication_window_seconds = 604800`,
    setting + 2,
  )
}

function view(statement: Statement, names: ClusterNames, tables: ReadonlyMap<string, boolean>): string {
  place(statement, 6, names)
  statement.nameAt(6)
  if (!statement.isWord(7, 'TO')) throw new Error('A view has to name the table that it fills: TO.')
  placeTable(statement, 8, names.shards, tables)
  placeSources(statement, names.shards, tables)
  return statement.toString()
}

/**
 * Fills a table from the rows of others. `Distributed` tables put each row where its session is. Rows without a session
 * would go to any shard, away from the rows that they count.
 */
function filling(statement: Statement, names: ClusterNames, tables: ReadonlyMap<string, boolean>): string {
  const name = statement.nameAt(2)
  if (tables.get(name) !== true) throw new Error(`${name} has no session_id, so its rows cannot be sharded.`)
  placeTable(statement, 2, names.front, tables)
  placeSources(statement, names.front, tables)
  const select = statement.find(({ depth }, at) => depth === 0 && statement.isWord(at, 'SELECT'))
  if (select === -1) throw new Error('A file fills a table from others: INSERT INTO … SELECT.')
  statement.before(select, 'SETTINGS distributed_foreground_insert = 1\n')
  return statement.toString()
}

/** The tables in front have columns alone: everything else about a table is a matter of the shards. */
function alteration(statement: Statement, names: ClusterNames, tables: ReadonlyMap<string, boolean>): string[] {
  const starts = statement.own.flatMap(({ depth, text }, at) =>
    at === 3 || (depth === 0 && statement.own[at - 1]?.text === ',') ? [`${text} ${statement.own[at + 1]?.text}`] : [],
  )
  const kinds = new Set(starts.map((start) => alterations.get(start.toUpperCase())))
  const [kind] = kinds
  if (kinds.size !== 1 || !kind) throw new Error(`There is no form for a cluster of ${starts.join(' and ')}.`)
  const front = new Statement(statement.toString().replace(/^(?:--.*\n)+/, ''))
  remember(statement)
  for (const [one, database] of [
    [statement, names.shards],
    [front, names.front],
  ] as const) {
    placeTable(one, 2, database, tables)
    one.after(2, onCluster(names))
  }
  return kind === 'columns' ? [statement.toString(), front.toString()] : [statement.toString()]
}

const alterations: ReadonlyMap<string, 'columns' | 'shards'> = new Map([
  ['ADD COLUMN', 'columns'],
  ['ADD INDEX', 'shards'],
  ['ADD PROJECTION', 'shards'],
  ['MATERIALIZE COLUMN', 'shards'],
  ['MATERIALIZE INDEX', 'shards'],
  ['MATERIALIZE PROJECTION', 'shards'],
  ['MODIFY COLUMN', 'columns'],
  ['MODIFY SETTING', 'shards'],
])

/**
 * A statement about users, for all servers of a cluster. Rights to a table are rights to both of its forms: shards may
 * ask for those of the user who asked the front.
 */
export function userOnCluster(query: string, names: ClusterNames): string {
  const statement = new Statement(query)
  const kind = statement.find((_, at) => ['PROFILE', 'USER', 'QUOTA'].some((word) => statement.isWord(at, word)))
  if (statement.begins('GRANT')) grantBoth(statement, names)
  else if (kind > 2 || !(statement.begins('CREATE') || statement.begins('ALTER'))) {
    throw new Error(`There is no form for a cluster of ${query}`)
  } else {
    const name = statement.isWord(kind + 1, 'IF') ? kind + 4 : kind + 1
    statement.after(name, onCluster(names))
  }
  return statement.toString()
}

function grantBoth(statement: Statement, names: ClusterNames): void {
  statement.after(0, onCluster(names))
  for (const [at, { text: right }] of statement.own.entries()) {
    const isOfSystem = statement.isWord(at + 1, 'system')
    if (!statement.isWord(at, 'ON') || isOfSystem) continue
    const table = statement.nameAt(at + 1)
    const what = statement.own[at - 1]!.text
    statement.replace(at - 1, `${what} ${right} ${quoted(names.shards)}.${table}, ${what}`)
    statement.before(at + 1, `${quoted(names.front)}.`)
  }
}

/** Names a new table or view of the shards. */
function place(statement: Statement, at: number, names: ClusterNames): void {
  statement.before(at, `${quoted(names.shards)}.`)
  statement.after(at, onCluster(names))
}

function placeTable(statement: Statement, at: number, database: string, tables: ReadonlyMap<string, boolean>): void {
  const name = statement.nameAt(at)
  if (!tables.has(name)) throw new Error(`There is no table ${name} before it.`)
  statement.before(at, `${quoted(database)}.`)
}

/** What may follow the table of a FROM. A second table after a comma would go unnoticed. */
const afterSource = new Set([
  'ANY',
  'ARRAY',
  'FINAL',
  'GROUP',
  'LIMIT',
  'ORDER',
  'PREWHERE',
  'SETTINGS',
  'UNION',
  'WHERE',
])

/** Names the database of each table that the statement reads. */
function placeSources(statement: Statement, database: string, tables: ReadonlyMap<string, boolean>): void {
  for (const [at, token] of statement.own.entries()) {
    if (!token.isWord || !['FROM', 'JOIN', 'IN'].includes(token.text.toUpperCase())) continue
    if (statement.isWord(at - 1, 'ARRAY') || statement.own[at + 1]?.text === '(') continue
    if (!statement.isWord(at, 'FROM')) throw new Error(`${token.text} of a table is not known here.`)
    placeTable(statement, at + 1, database, tables)
    const next = statement.own[at + 2]
    if (next && next.text !== ')' && !afterSource.has(next.text.toUpperCase())) {
      throw new Error(`${next.text} after FROM ${statement.own[at + 1]!.text} is not known here.`)
    }
  }
}

const onCluster = ({ cluster }: ClusterNames): string => ` ON CLUSTER ${literal(cluster)}`

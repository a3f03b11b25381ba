import { shardsSuffix } from '../../query/tables/tables.ts'
import { literal, quoted } from '../engine/literal.ts'

/** The names that a cluster uses. */
export interface ClusterNames {
  /** The cluster's name in `remote_servers`. A macro such as `{cluster}` is allowed. */
  readonly cluster: string
  /** The database of the `Distributed` tables, which the Worker reads and writers insert into. */
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

/**
 * Puts all rows of a session on one shard, including its events, its identify calls, and everything that views derive
 * from them.
 */
export const shardingKey = 'cityHash64(session_id)'

/** The path in Keeper under which a table finds its replicas, even after it was dropped and created again. */
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

/** A file and its statements. */
interface File {
  readonly name: string
  readonly statements: readonly string[]
}

/** The tables created by earlier statements. The value says whether a table has sessions. */
type Tables = Map<string, boolean>

/**
 * The files of `sql/events` for a cluster, without comments. Each table becomes a replicated table on the shards and a
 * `Distributed` table in front. Views stay on the shards. A file that fills a table from stored rows does so through
 * the front.
 *
 * Throws if a statement is of a kind that is not supported here.
 */
export function forCluster<One extends File>(files: readonly One[], names: ClusterNames): One[] {
  const tables: Tables = new Map()
  return files.map((file) => ({
    ...file,
    statements: file.statements.map(withoutComments).flatMap((statement) => {
      try {
        return converted(statement, names, tables)
      } catch (error) {
        throw new Error(`${file.name}, "${statement.split('\n')[0]}": ${(error as Error).message}`)
      }
    }),
  }))
}

const withoutComments = (statement: string): string => statement.replace(/^ *--.*\n/gm, '')

function converted(statement: string, names: ClusterNames, tables: Tables): string[] {
  const [start, name = ''] =
    /^(?:(?:CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT|DROP (?:TABLE|VIEW) IF) EXISTS|INSERT INTO|ALTER TABLE) (\w+)(?![.\w])/.exec(
      statement,
    ) ?? []
  switch (start?.slice(0, start.lastIndexOf(' '))) {
    case 'CREATE TABLE IF NOT EXISTS':
      return table(statement, name, names, tables)
    case 'CREATE MATERIALIZED VIEW IF NOT EXISTS':
      return [view(statement, names, tables)]
    case 'DROP TABLE IF EXISTS':
      tables.delete(name)
      return [names.front, names.shards].map((database) => `${placed(statement, database, names)} SYNC`)
    case 'DROP VIEW IF EXISTS':
      return [`${placed(statement, names.shards, names)} SYNC`]
    case 'INSERT INTO':
      return [filling(statement, name, names, tables)]
    case 'ALTER TABLE':
      return alteration(statement, name, names, tables)
    default:
      throw new Error('A statement that begins like this cannot be translated for a cluster.')
  }
}

/** The first replacement: qualifies the table or view of a statement with a database, on all servers. */
const placed = (statement: string, database: string, names: ClusterNames): string =>
  statement.replace(/^((?:CREATE|DROP) .*?EXISTS |ALTER TABLE )(\w+)/, `$1${quoted(database)}.$2${onCluster(names)}`)

/** The second replacement: qualifies the tables that a statement reads and fills with a database. */
function placedSources(statement: string, database: string, tables: Tables): string {
  return statement.replace(
    /\b(?<!ARRAY )(FROM|JOIN|IN|INTO|TO)(\s+)([\w.]+)(?=(\s*[,(])?)/g,
    (_, word: string, space: string, name: string, next?: string) => {
      if (word === 'JOIN' || word === 'IN') throw new Error(`${word} with a table is not supported here.`)
      if (!tables.has(name)) throw new Error(`There is no table ${name} before it.`)
      if (word === 'FROM' && next?.trim() === ',') throw new Error(`Two tables after FROM are not known here.`)
      return `${word}${space}${quoted(database)}.${name}`
    },
  )
}

/**
 * The third replacement: turns a table that stores rows into a replicated one, with matching deduplication settings.
 */
const replicated = (statement: string): string =>
  remembering(
    statement.replace(
      /\bENGINE = ((?:Summing|Aggregating|Replacing)?MergeTree)(?:\((\w*)\))?/,
      (_, family: string, own?: string) =>
        `ENGINE = Replicated${family}(${[replicaArguments, ...(own ? [own] : [])].join(', ')})`,
    ),
  )

/**
 * A single server remembers inserted blocks, however old they are. Replicated tables forget them after an hour by
 * default; this sets a week.
 */
const remembering = (statement: string): string =>
  statement.replace(
    /\bnon_replicated_deduplication_window = (\d+)/,
    'replicated_deduplication_window = $1, replicated_deduplication_window_seconds = 604800',
  )

function table(statement: string, name: string, names: ClusterNames, tables: Tables): string[] {
  const hasSessions = /[(,]\s*session_id +[A-Z]/.test(statement)
  const own = replicated(statement)
  const isDoor = /\bENGINE = Null\b/.test(statement)
  if (isDoor && !hasSessions) throw new Error('An entry table needs a session_id as its sharding key.')
  if (!isDoor && !own.includes('ENGINE = Replicated')) throw new Error(`The engine of ${name} is not supported here.`)
  tables.set(name, hasSessions)
  const [cluster, shards] = [literal(names.cluster), literal(names.shards)]
  const key = hasSessions ? `, ${shardingKey}` : ''
  return [
    placed(own, names.shards, names),
    `CREATE TABLE IF NOT EXISTS ${quoted(names.front)}.${name}${onCluster(names)} AS ${quoted(names.shards)}.${name}
ENGINE = Distributed(${cluster}, ${shards}, ${literal(name)}${key})`,
  ]
}

function view(statement: string, names: ClusterNames, tables: Tables): string {
  if (!/^CREATE [A-Z ]+ \w+\s+TO\s/.test(statement)) throw new Error('A view needs a target table, after TO.')
  return placed(placedSources(statement, names.shards, tables), names.shards, names)
}

/**
 * Fills a table from rows of other tables. `Distributed` tables send each row to the shard of its session. Rows without
 * a session would go to an arbitrary shard, away from the rows that they count.
 */
function filling(statement: string, name: string, names: ClusterNames, tables: Tables): string {
  if (tables.get(name) !== true) throw new Error(`${name} has no session_id, so its rows cannot be sharded.`)
  if (!/\bSELECT\b/.test(statement)) throw new Error('Tables must be filled from other tables: INSERT INTO … SELECT.')
  const settled = statement.replace(/\bSELECT\b/, 'SETTINGS distributed_foreground_insert = 1\n$&')
  return placedSources(settled, names.front, tables)
}

/**
 * The forms of a table that each kind of `ALTER` changes. Tables in front have only columns; everything else belongs to
 * the shards.
 */
const alterations: ReadonlyMap<string, 'both' | 'shards'> = new Map([
  ['ADD COLUMN', 'both'],
  ['ADD INDEX', 'shards'],
  ['ADD PROJECTION', 'shards'],
  ['MATERIALIZE COLUMN', 'shards'],
  ['MATERIALIZE INDEX', 'shards'],
  ['MATERIALIZE PROJECTION', 'shards'],
  ['MODIFY COLUMN', 'both'],
  ['MODIFY SETTING', 'shards'],
])

function alteration(statement: string, name: string, names: ClusterNames, tables: Tables): string[] {
  if (!tables.has(name)) throw new Error(`There is no table ${name} before it.`)
  const starts = statement.match(/\b[A-Z]+ (?:COLUMN|INDEX|PROJECTION|SETTING)\b/g) ?? []
  const kinds = new Set(starts.map((start) => alterations.get(start)))
  const [kind] = kinds
  if (kinds.size !== 1 || !kind) throw new Error(`${starts.join(' and ')} cannot be translated for a cluster.`)
  const ofShards = placed(remembering(statement), names.shards, names)
  return kind === 'both' ? [ofShards, placed(statement, names.front, names)] : [ofShards]
}

/**
 * A statement about users, for all servers of a cluster. A grant on a table covers both forms of the table, because a
 * shard may check the rights of the user who queried the front.
 */
export function userOnCluster(query: string, names: ClusterNames): string {
  const statement = withoutComments(query)
  const rights = (_: string, right: string, name: string) =>
    [names.shards, names.front].map((database) => `${right} ON ${quoted(database)}.${name}`).join(', ')
  const found = statement.startsWith('GRANT')
    ? statement.replace(/\b(\w+) ON (\w+)\b(?!\.)/g, rights).replace('GRANT', `$&${onCluster(names)}`)
    : statement.replace(
        /^(?:CREATE|ALTER) (?:SETTINGS PROFILE|USER|QUOTA) (?:IF (?:NOT )?EXISTS )?\w+/,
        `$&${onCluster(names)}`,
      )
  if (!found.includes(onCluster(names))) throw new Error(`This cannot be translated for a cluster: ${query}`)
  return found
}

const onCluster = ({ cluster }: ClusterNames): string => ` ON CLUSTER ${literal(cluster)}`

import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings } from '@clickhouse/client-web'
import { chainedHours, hourlyVisits, shardsSuffix } from '../../query/tables/tables.ts'
import { quoted } from '../engine/literal.ts'
import { type Bounds, isOfNamed } from './chain-earlier.ts'
import { spilling } from './check.ts'
import { type Scope, within } from './derived.ts'
import { frugallySelected } from './selected.ts'

/** A single server, or a shard of a cluster. */
export interface Shard {
  /**
   * Its name in notes: the database through which its rows are queried, the shard's number, and whether it is
   * replicated.
   */
  readonly name: string
  readonly isReplicated: boolean
  /** In a cluster, the database of the `Distributed` tables, quoted. */
  readonly front?: string
  /** The settings of inserts. In a cluster, an insert returns once all replicas of the shard have its rows. */
  readonly inserting: ClickHouseSettings
}

export async function shardOf(client: ClickHouseClient): Promise<Shard> {
  const [found] = await frugallySelected<{ own: string; own_engine: string; front: string }>(
    client,
    `SELECT currentDatabase() AS own, anyIf(engine, database = own) AS own_engine,
       anyIf(database, database != own AND engine = 'Distributed') AS front
     FROM system.tables
     WHERE name = '${chainedHours.name}' AND (database = own OR concat(database, '${shardsSuffix}') = own)`,
  )
  const { own, own_engine: engine, front } = found!
  const isReplicated = engine !== 'MergeTree'
  const name = [front || own, await numberOf(client), ...(isReplicated ? ['replicated'] : [])].join('/')
  if (front === '') return { name, isReplicated, inserting: {} }
  const inserting = isReplicated ? { insert_quorum: await replicasOf(client) } : {}
  return { name, isReplicated, front: quoted(front), inserting }
}

async function numberOf(client: ClickHouseClient): Promise<string> {
  try {
    const [found] = await frugallySelected<{ number: string }>(client, "SELECT getMacro('shard') AS number")
    return found!.number
  } catch (error) {
    if (error instanceof ClickHouseError && error.type === 'NO_ELEMENTS_IN_CONFIG') return ''
    throw error
  }
}

async function replicasOf(client: ClickHouseClient): Promise<string> {
  const [found] = await frugallySelected<{ replicas: number }>(
    client,
    `SELECT max(total_replicas) AS replicas FROM system.replicas
     WHERE database = currentDatabase() AND table = '${chainedHours.name}'`,
  )
  return String(found!.replicas)
}

/** `SELECT website_id, key`: the sessions and visits that have rows on several shards, by one of their two columns. */
const onSeveralShards = (rows: string, [session, visit]: readonly [string, string]): string => `
  SELECT website_id, key
  FROM (SELECT website_id, arrayJoin([${session}, ${visit}]) AS key, shardNum() AS of_shard FROM ${rows})
  GROUP BY website_id, key HAVING uniqExact(of_shard) > 1`

/**
 * The days of a seal with a session or a visit that has sealed rows on another shard, on any day. Each shard checks
 * this after writing its rows and before writing its notes. If two shards seal at the same time, at least one therefore
 * finds the other's rows.
 */
export const splitDays = (
  client: ClickHouseClient,
  { front }: Shard,
  isOfSeal: string,
  bounds: Bounds & { readonly number: number },
): Promise<{ websiteId: string; day: number }[]> => {
  const own = (key: string) => `(SELECT ${key} FROM ${chainedHours.name} WHERE ${isOfSeal})`
  const rows = `${front}.${chainedHours.name} WHERE ${isOfNamed}
    AND (session_key GLOBAL IN ${own('session_key')} OR visit_key GLOBAL IN ${own('visit_key')})`
  return frugallySelected(
    client,
    `SELECT DISTINCT toString(website_id) AS websiteId, toInt32(toDate32(hour)) AS day
     FROM (
       SELECT website_id, hour, arrayJoin([session_key, visit_key]) AS key FROM ${chainedHours.name} WHERE ${isOfSeal})
     WHERE (website_id, key) IN (${onSeveralShards(rows, ['session_key', 'visit_key'])})`,
    bounds,
  )
}

/** Sessions of this shard with rows on another one, by website and month. */
export async function splitSessions(
  client: ClickHouseClient,
  scope: Scope,
): Promise<{ websiteId: string; month: number; sessions: number }[]> {
  const { front } = await shardOf(client)
  if (front === undefined) return []
  const ofWebsites = within({ month: '' }, { websiteIds: scope.websiteIds })
  const rows = `${front}.${hourlyVisits.name} WHERE ${ofWebsites}`
  return frugallySelected(
    client,
    `SELECT toString(website_id) AS websiteId, toUInt32(toYYYYMM(hour)) AS month, uniqExact(session_id) AS sessions
     FROM (
       SELECT website_id, hour, session_id, arrayJoin([session_id, visit_id]) AS key FROM ${hourlyVisits.name}
       WHERE ${within({ month: 'toYYYYMM(hour)' }, scope)})
     WHERE (website_id, key) IN (${onSeveralShards(rows, ['session_id', 'visit_id'])})
     GROUP BY websiteId, month ORDER BY websiteId, month SETTINGS ${spilling}`,
  )
}

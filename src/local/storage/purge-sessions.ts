import type { ClickHouseClient } from '@clickhouse/client-web'
import type { PurgedSessions } from '../../metadata/sessions.ts'
import { replayVisits } from '../../query/tables/tables.ts'
import { literal } from '../engine/literal.ts'
import type { DeletedSessions } from './delete-sessions.ts'
import { purge } from './purge.ts'
import { texts } from './selected.ts'

/** Deletes sessions of a website from all ClickHouse tables, and waits until they are deleted. */
export async function purgeSessionsOf(
  client: ClickHouseClient,
  websiteId: string,
  sessionIds: readonly string[],
): Promise<PurgedSessions> {
  const visitIds = await recordedVisits(client, { websiteId, sessionIds })
  return { visitIds, tables: await purge(client, [], [{ websiteId, sessionIds }]) }
}

/** The recorded visits of these sessions. */
export const recordedVisits = (
  client: ClickHouseClient,
  { websiteId, sessionIds }: DeletedSessions,
): Promise<string[]> =>
  texts(
    client,
    `SELECT DISTINCT toString(visit_id) AS text FROM ${replayVisits.name}
     WHERE website_id = toUUID(${literal(websiteId)}) AND session_id IN (${sessionIds.map(literal).join(', ')})`,
  )

import { randomUUID } from 'node:crypto'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { running } from './weir.ts'

/**
 * Creates a database with all tables on the shared engine, for tests that break tables. It takes a second, a fifth of
 * a separate engine. `migrations` is the folder with the tables' files.
 */
export async function ownDatabase(migrations?: string): Promise<Server> {
  const url = new URL(running.clickhouse)
  url.searchParams.set('database', `own_${randomUUID().slice(0, 8)}`)
  const server = parseServer({ CLICKHOUSE_URL: url.href })
  const client = clientOf(server)
  await migrateEvents(client, server, migrations)
  await client.close()
  return server
}

export const clientOf = ({ url, username, password, database }: Server): ClickHouseClient =>
  createClient({ url, username, password, database, request_timeout: 60_000 })

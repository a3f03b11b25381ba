import { readFileSync } from 'node:fs'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import type { Server } from '../../src/clickhouse/server.ts'

/** Clients for the databases of both layouts. */
export interface Layouts {
  readonly weir: ClickHouseClient
  readonly naive: ClickHouseClient
}

export type Layout = keyof Layouts

/** The maximum number of events in a data set that also has the naive layout. */
export const mostOfNaive = 20_000_000

export type Beside<Value> = Readonly<Record<Layout, Value>>

/** Creates the naive layout's database and tables if they are missing. */
export async function naiveTables(client: ClickHouseClient, { timeout: _, ...server }: Server): Promise<void> {
  const outside = createClient({ ...server, database: 'default' })
  await outside.command({ query: `create database if not exists ${server.database}` })
  await outside.close()
  const ddl = readFileSync(new URL('./compare/naive.sql', import.meta.url), 'utf8')
  for (const query of ddl.split(/;\n/).filter((text) => text.replace(/--.*\n/g, '').trim() !== '')) {
    await client.command({ query })
  }
}

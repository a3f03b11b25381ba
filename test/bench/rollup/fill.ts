import { readFileSync } from 'node:fs'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import type { Server } from '../../../src/clickhouse/server.ts'
import { closed, settled } from '../data.ts'
import { clientOf } from '../datasets.ts'

/**
 * The hourly rollup of the main data set, in a database of its own: it is no part of the naive layout's storage. It is
 * filled from the naive layout, once.
 */
export async function rollupOf(main: Server, progress: (line: string) => void): Promise<ClickHouseClient> {
  const { timeout: _, ...outside } = { ...main, database: 'default' }
  const maker = createClient(outside)
  await maker.command({ query: 'create database if not exists rollup' })
  await maker.close()
  const client = clientOf({ ...main, database: 'rollup' })
  const ddl = readFileSync(new URL('./rollup.sql', import.meta.url), 'utf8')
  await client.command({ query: ddl.trim().replace(/;$/, '') })
  const months = await monthsOf(client)
  for (const [index, month] of months.entries()) {
    progress(`filling the rollup, month ${index + 1} of ${months.length}`)
    await client.command({ query: fill, query_params: { month } })
  }
  await settled(client, progress)
  await closed(client, progress)
  return client
}

/** The months of the events that the rollup does not have yet. */
async function monthsOf(client: ClickHouseClient): Promise<readonly number[]> {
  const result = await client.query({
    query: `select distinct toYYYYMM(created_at) as month from naive.events
      where month not in (select toYYYYMM(created_at) from hourly) order by month`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ month: number }>()).map(({ month }) => month)
}

const lists = [
  ...['hostname', 'url_path', 'url_query', 'page_title', 'referrer_domain', 'utm_source', 'utm_medium'],
  ...['utm_campaign', 'utm_content', 'utm_term', 'event_name', 'tag'],
]

const values = ['browser', 'os', 'device', 'screen', 'language', 'country', 'region', 'city', 'distinct_id']

/** A visit is one session's, so its values are those of any of its events. */
const fill = `
  insert into hourly (website_id, session_id, visit_id, event_type, created_at, ${values.join(', ')},
    entry_page, exit_page, ${lists.join(', ')}, views, first_at, last_at)
  select website_id, any(session_id), visit_id, event_type, toDateTime(toStartOfHour(at), 'UTC') as hour,
    ${values.map((name) => `any(${name})`).join(', ')},
    argMinState(url_path, at), argMaxState(url_path, at), ${lists.map((name) => `groupArray(${name})`).join(', ')},
    countIf(event_type in (1, 3, 4)), min(at), max(at)
  from (select *, created_at as at from naive.events where toYYYYMM(created_at) = {month:UInt32})
  group by website_id, visit_id, event_type, hour
  settings max_bytes_before_external_group_by = 2000000000`

import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import { weirCommand } from '../told/weir-command.ts'
import { selected } from './selected.ts'

/** A message if D1 seems to be lost, because it has no website although ClickHouse has events. Otherwise undefined. */
export async function lostWebsites(client: ClickHouseClient, database: D1Database): Promise<string | undefined> {
  if (await database.prepare('SELECT 1 FROM websites LIMIT 1').first()) return undefined
  const query = 'SELECT toString(count()) AS events, toString(uniqExact(website_id)) AS websites FROM events'
  const [{ events, websites } = { events: '0', websites: '0' }] = await selected<Record<string, string>>(client, query)
  if (events === '0') return undefined
  return (
    `D1 has no website, but ClickHouse has ${events} events of ${websites}: their senders get a 400. Stop Weir, and put ` +
    'the folder metadata back from a copy of the data folder. Without one, create the websites again: ' +
    `${weirCommand} website create --id …`
  )
}

import type { ClickHouseClient } from '@clickhouse/client-web'
import * as z from 'zod'
import { nameSchema } from '../../endpoints/bodies.ts'
import { id } from '../../endpoints/ids.ts'

const text = z.string().max(2000, { error: 'Must be at most 2000 characters long.' })

/** The arguments of `send`. A name makes it a custom event; without one it is a page view. */
export const NewEvent = z.object({
  website: id(),
  name: nameSchema(200).optional(),
  path: text.optional(),
  hostname: text.optional(),
})

export type NewEvent = z.infer<typeof NewEvent>

/** Inserts one event through `ingest`, as any writer does. Returns its id. */
export async function sendEvent(
  client: ClickHouseClient,
  { website, name, path, hostname }: NewEvent,
): Promise<string> {
  const event_id = crypto.randomUUID()
  const event = {
    website_id: website,
    event_id,
    created_at: new Date().toISOString().replace('T', ' ').replace('Z', ''),
    event_name: name ?? '',
    url_path: path ?? '/',
    hostname: hostname ?? '',
  }
  await client.insert({
    table: 'ingest',
    values: [event],
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: event_id },
  })
  return event_id
}

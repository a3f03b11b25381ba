import type { ClickHouseClient } from '@clickhouse/client-web'
import * as z from 'zod'
import { readSubmission, sentNames } from '../../collect/payload.ts'
import { eventRow } from '../../collect/row.ts'
import { readSent } from '../../collect/sent.ts'
import { id } from '../../endpoints/ids.ts'
import { JsonReader } from '../../request/json-reader.ts'

const text = z.string().max(2000, { error: 'Must be at most 2000 characters long.' })

/** The arguments of `send`. An event with a name is a custom event; without a name it is a page view. */
export const NewEvent = z.object({
  website: id(),
  name: text.optional(),
  path: text.optional(),
  hostname: text.optional(),
})

export type NewEvent = z.infer<typeof NewEvent>

const nobody = { browser: '', os: '', device: '', country: '', region: '', city: '' }

/** Inserts one event into `ingest`, with the same checks as a collected event. Returns its id and the corrections. */
export async function sendEvent(
  client: ClickHouseClient,
  { website, name, path = '/', hostname }: NewEvent,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> {
  const now = Date.now()
  const event = JSON.stringify({ type: 'event', payload: { website, name, url: path, hostname } })
  const submission = readSubmission(readSent(new JsonReader(event), sentNames), now)
  const eventId = crypto.randomUUID()
  const row = eventRow(submission, nobody, { eventId, createdAt: now })
  await client.insert({
    table: 'ingest',
    values: [row],
    format: 'JSONEachRow',
    clickhouse_settings: { insert_deduplication_token: eventId },
  })
  const warnings = submission.warnings.map((warning) => `${warning.path.replace('payload.', '--')}: ${warning.message}`)
  return { id: eventId, warnings }
}

import { randomUUID } from 'node:crypto'
import type { IngestRow } from '../oracle/model.ts'
import { ingest, insert, newWebsite, withoutProperties } from './weir.ts'

/** The whole day of 15 October 2025 in UTC. */
export const day = { startAt: 1_760_486_400_000, endAt: 1_760_572_799_999 } as const

/** Creates a website with exactly these events. */
export async function websiteWith(...rows: readonly IngestRow[]): Promise<string> {
  const websiteId = await newWebsite()
  await add(websiteId, ...rows)
  return websiteId
}

/** Inserts these events for a website, whose id replaces their own website ids. */
export async function add(websiteId: string, ...rows: readonly IngestRow[]): Promise<void> {
  if (rows.length > 0) await ingest(rows.map((row) => ({ ...row, website_id: websiteId })))
}

/** Creates a website with events that `ingest` refuses because of their times or their numbers without a value. */
export async function websiteOfRefused(...rows: readonly IngestRow[]): Promise<string> {
  const website_id = await newWebsite()
  const all = rows.map((row) => ({ ...row, website_id }))
  await insert(
    'events',
    all.map((row) => ({ ...withoutProperties(row), has_data: row['properties.key'].length > 0 ? 1 : 0 })),
  )
  const custom = all.filter(({ event_type }) => event_type === 2)
  await insert(
    'custom_events',
    custom.map(({ referrer_path: _, referrer_query: __, ...row }) => ({ ...row, shape: shapeOf(row) })),
  )
  return website_id
}

/** The `shape` that the view for `custom_events` computes. */
const shapeOf = (row: Pick<IngestRow, 'event_name' | 'properties.key' | 'properties.data_type'>): string =>
  row['properties.key'].length === 0
    ? ''
    : JSON.stringify([row.event_name, row['properties.key'], row['properties.data_type']])

export const newId = (): string => randomUUID()

/** A time in the format of the column `created_at`. */
export const columnTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '')

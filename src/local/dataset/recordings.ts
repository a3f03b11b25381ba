import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { timeText } from '../../collect/row.ts'

/** Visits of a real browser to the page `/demo`, as its recorder recorded them. */

/** A row of an entry table. */
type Row = Readonly<Record<string, unknown>>

/**
 * A recorded visit. All times, including those inside its events, are milliseconds since its start; `chunk_index` is in
 * seconds.
 */
export interface DemoVisit {
  readonly events: readonly Row[]
  readonly chunks: readonly (Row & { readonly chunk_index: number; readonly events: string })[]
  readonly heatmap: readonly Row[]
}

/** One line of JSON for each visit, newest first. The locations of the visitors are invented. */
export const recordingsFile = new URL('./recordings.ndjson.gz', import.meta.url)

/** The id of the website in the file. */
const recordedWebsite = '00000000-0000-4000-8000-0000000000de'

/** The columns that contain a time. */
const timeColumns = ['created_at', 'arrived_at', 'first_at', 'last_at'] as const

/** Settings that record every visit to the demo website. */
export const demoReplayConfig = { replayEnabled: true, sampleRate: 1, heatmapEnabled: true, heatmapSampleRate: 1 }

/** Milliseconds between the starts of two visits. */
const apart = 5 * 3_600_000

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/** Inserts the recorded visits into a website, with new ids. The newest visit began ten minutes before `now`. */
export async function insertRecordings(client: ClickHouseClient, websiteId: string, now: number): Promise<void> {
  const ids = new Map([[recordedWebsite, websiteId]])
  const newId = (id: string): string => {
    const made = ids.get(id) ?? randomUUID()
    ids.set(id, made)
    return made
  }
  const lines = gunzipSync(readFileSync(recordingsFile)).toString().trim().split('\n')
  const visits = lines.map((line, index) =>
    movedTo(JSON.parse(line.replace(uuid, newId)) as DemoVisit, now - 600_000 - index * apart),
  )
  const insert = (table: string, values: Row[]) => client.insert({ table, values, format: 'JSONEachRow' })
  await insert(
    'ingest',
    visits.flatMap(({ events }) => events),
  )
  await insert(
    'ingest_replay_chunks',
    visits.flatMap(({ chunks }) => chunks),
  )
  await insert(
    'ingest_heatmap_events',
    visits.flatMap(({ heatmap }) => heatmap),
  )
}

/** The visit, moved so that it begins at this moment. */
function movedTo({ events, chunks, heatmap }: DemoVisit, began: number): DemoVisit {
  const moved = <One extends Row>(row: One): One => ({
    ...row,
    ...Object.fromEntries(
      timeColumns.flatMap((name) => (name in row ? [[name, timeText(began + Number(row[name]))]] : [])),
    ),
  })
  return {
    events: events.map(moved),
    chunks: chunks.map((chunk) => {
      const parts = chunk.events.split('\n').map((line) => JSON.parse(line) as { timestamp: number })
      const shifted = parts.map((event) => ({ ...event, timestamp: began + event.timestamp }))
      const text = shifted.map((event) => JSON.stringify(event)).join('\n')
      return {
        ...moved(chunk),
        chunk_index: Math.floor(began / 1000) + chunk.chunk_index,
        hash: createHash('sha256').update(text).digest('hex'),
        times: shifted.map(({ timestamp }) => timestamp),
        events: text,
      }
    }),
    heatmap: heatmap.map(moved),
  }
}

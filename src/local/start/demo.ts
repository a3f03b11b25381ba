import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { metadata } from '../../metadata/metadata.ts'
import { ofOperator } from '../../metadata/websites.ts'
import { tables } from '../../query/tables/tables.ts'
import { callsStep, type DatasetStep, datasetSteps, demoPlan, heatmapStep } from '../dataset/index.ts'
import { demoReplayConfig, insertRecordings } from '../dataset/recordings.ts'
import { places } from '../paths.ts'
import { deleteRows } from '../storage/delete-rows.ts'
import { selected } from '../storage/selected.ts'
import { explained } from '../told/explained.ts'
import { saveDemoThings } from './demo-things.ts'
import type { Progress } from './progress.ts'
import type { OpenMetadata } from './workerd.ts'

/**
 * Returns the demo website's id. If this data folder has none, creates one with this many events, for the first admin.
 * If an earlier run was interrupted, its events are deleted and all are inserted again. Returns null if the website was
 * deleted, because it is never filled again.
 */
export async function demoWebsite(
  dataDir: string,
  client: ClickHouseClient,
  database: OpenMetadata['metadata'],
  events: number,
  progress: (events: number) => Progress,
): Promise<string | null> {
  const { demo: marker, demoFilling: mark } = places(dataDir)
  const filled = existsSync(marker) ? readFileSync(marker, 'utf8') : undefined
  const now = Date.now()
  const stored = metadata(database, now)
  const { users, websites } = stored
  if (filled && (await isDeleted(database, filled))) return null
  if (filled && (await hasEvents(client, filled))) return (await websites.read(filled)) ? filled : null
  if (existsSync(mark)) await deleteInterrupted(client, readFileSync(mark, 'utf8'))
  const id = crypto.randomUUID()
  writeFileSync(mark, id)
  const steps = [...datasetSteps(demoPlan(id, events, now)), callsStep(id), heatmapStep(id)]
  const shown = progress(steps.reduce((sum, { events }) => sum + events, 0))
  await insertAll(client, steps, (events) => shown.advance(events))
  await insertRecordings(client, id, now)
  const userId = (await users.firstAdmin())?.id ?? null
  await websites.create({ id, name: 'Demo', domain: 'demo.example', ...ofOperator, userId })
  const made = await websites.read(id)
  if (made) {
    await websites.update(made, { replayConfig: demoReplayConfig })
    await saveDemoThings(stored, made)
  }
  writeFileSync(marker, id)
  rmSync(mark)
  shown.done('The demo website is filled.')
  return id
}

/** Deletes the events of an interrupted run, because no website would show them. A cluster keeps them. */
async function deleteInterrupted(client: ClickHouseClient, websiteId: string): Promise<void> {
  try {
    const condition = 'website_id = {websiteId:UUID}'
    await deleteRows(
      client,
      tables.map(({ name }) => ({ table: name, condition })),
      { websiteId },
    )
  } catch (error) {
    console.error(`The events of the interrupted fill stay: ${explained(error)}`)
  }
}

async function isDeleted(database: OpenMetadata['metadata'], websiteId: string): Promise<boolean> {
  const query = 'SELECT 1 FROM websites WHERE id = ?1 AND deleted_at IS NOT NULL'
  return (await database.prepare(query).bind(websiteId).first()) !== null
}

/** Whether this ClickHouse has the events. They may be in another one. */
async function hasEvents(client: ClickHouseClient, websiteId: string): Promise<boolean> {
  const query = 'SELECT 1 AS one FROM events WHERE website_id = {websiteId:UUID} LIMIT 1'
  return (await selected(client, query, { websiteId })).length > 0
}

/** Runs the steps of a dataset one after the other. */
async function insertAll(
  client: ClickHouseClient,
  steps: readonly DatasetStep[],
  inserted: (events: number) => void,
): Promise<void> {
  for (const { query, query_params, events } of steps) {
    await client.command({ query, query_params })
    inserted(events)
  }
}

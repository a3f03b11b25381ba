import { readFileSync, rmSync } from 'node:fs'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { engineFile } from '../../src/local/engine/process.ts'
import { places } from '../../src/local/paths.ts'
import { check } from '../../src/local/storage/check.ts'
import { comparedTables } from '../../src/local/storage/derived.ts'
import { ask, type Sent, sent } from '../collect/senders.ts'
import { until } from '../collect/world.ts'
import { emptyDirectory } from '../local/engine.ts'
import { family, npm } from '../support/process.ts'
import { type Recorded, recordedCopies, recordVisits } from './recording-sender.ts'

/** Rounds of four kills, 20 in all. Each kill ends workerd, the engine, or both. Rounds share a data folder. */
const turns = [1, 2, 3, 4, 5]

/** `npm start` gives up on a process that exits five times in a row. */
const kills = 4

interface Line {
  readonly url: string
  readonly clickhouse: string
  readonly websiteId: string
  readonly apiKey: string
}

/** Enables recordings of a website. */
async function recordAll({ url, websiteId, apiKey }: Line): Promise<void> {
  const replayConfig = { replayEnabled: true, heatmapEnabled: true, maxDuration: 3_600_000 }
  const answer = await fetch(`${url}/api/websites/${websiteId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ replayConfig }),
  })
  expect(answer.status).toBe(200)
}

const folder = emptyDirectory()

/** The process ids of `npm start` by what they run. */
function victims(start: number, kind: 'workerd' | 'engine'): number[] {
  if (kind === 'engine') {
    const { pid } = JSON.parse(readFileSync(engineFile(places(folder).clickhouse), 'utf8')) as { pid: number }
    return [pid]
  }
  return family(start).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
}

const acknowledged: Sent[] = []
const recorded: Recorded[] = []

/** Sends events until `isOver`. Adds accepted ones to `acknowledged` and the others to `unheard`. */
async function sendOn(url: string, websiteId: string, isOver: () => boolean, unheard: Sent[]): Promise<void> {
  while (!isOver()) {
    const events = Array.from({ length: 1 + Math.floor(5 * Math.random()) }, () =>
      sent(websiteId, { data: { price: 1 } }, Math.random() < 0.1 ? 'identify' : 'event'),
    )
    const answer = await ask({ url }, 'none', events)
    const text = await answer?.text().catch(() => undefined)
    const body = text?.startsWith('{') ? (JSON.parse(text) as { errors?: number }) : undefined
    const isTaken = answer?.ok && body && !body.errors
    ;(isTaken ? acknowledged : unheard).push(...events)
    if (!isTaken) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Kills workerd, the engine or both, and waits until events are acknowledged again. */
async function killOnce(parent: number, clickhouse: string, number: number): Promise<void> {
  const had = acknowledged.length
  await until(async () => acknowledged.length > had + 100 || undefined)
  const kinds = ([['workerd'], ['engine'], ['workerd', 'engine']] as const)[number % 3]!
  // The engine of the round before may still start.
  await until(async () => (await fetch(`${clickhouse}&query=SELECT+1`).catch(() => undefined))?.ok || undefined)
  const pids = kinds.flatMap((kind) => victims(parent, kind))
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  const since = acknowledged.length
  await until(async () => acknowledged.length > since + 100 || undefined)
}

/** How often ClickHouse has each event and call. */
async function copiesIn(client: ClickHouseClient): Promise<ReadonlyMap<string, number>> {
  const result = await client.query({
    query: `SELECT event_name AS id, toInt32(count()) AS copies FROM events GROUP BY id
      UNION ALL SELECT distinct_id, toInt32(count()) FROM session_data GROUP BY distinct_id`,
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ id: string; copies: number }>()
  return new Map(rows.map((row) => [row.id, row.copies]))
}

/** Waits until all of these are stored. Returns the number of copies of each. */
const allOf = (some: readonly { readonly id: string }[], copies: () => Promise<ReadonlyMap<string, number>>) =>
  until(async () => {
    const found = await copies().catch(() => undefined)
    return found && some.every(({ id }) => found.has(id)) ? found : undefined
  })

it.each(turns)('kill -9 of workerd, of the engine and of both loses and doubles nothing: turn %i', async (turn) => {
  const { child, firstLine, ended } = npm(
    ['start', '--', '--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', folder, '--demo-events', '1000'],
    { ...process.env, COLLECT_LOGS: '2' },
  )
  const line = JSON.parse(await firstLine) as Line
  const { url, clickhouse, websiteId } = line
  await recordAll(line)
  let isOver = false
  const recorders = Array.from({ length: 4 }, () => recordVisits(url, websiteId, () => isOver))
  const unheard: Sent[] = []
  const sending = Array.from({ length: 8 }, () => sendOn(url, websiteId, () => isOver, unheard))
  for (let kill = 0; kill < kills; kill++) await killOnce(child.pid!, clickhouse, turn + kill)
  isOver = true
  await Promise.all([...sending, ...recorders.map(({ end }) => end)])
  recorded.push(...recorders.flatMap(({ taken }) => taken))
  for (const event of unheard.slice(0, 100)) {
    await until(async () => (await ask({ url }, 'none', [event]))?.ok || undefined)
    acknowledged.push(event)
  }
  const { url: server, username, password, database } = parseServer({ CLICKHOUSE_URL: clickhouse })
  const client = createClient({ url: server, username, password, database, request_timeout: 600_000 })
  const stored = await allOf(acknowledged, () => copiesIn(client))
  const kept = await allOf(recorded, () => recordedCopies(client))
  expect(acknowledged.filter(({ id }) => stored.get(id) !== 1)).toEqual([])
  expect(recorded.filter(({ id }) => kept.get(id) !== 1)).toEqual([])
  expect(unheard.filter(({ id }) => (stored.get(id) ?? 0) > 1)).toEqual([])
  for (const table of comparedTables)
    expect([table.table, await check(client, table, { websiteIds: [] })]).toEqual([table.table, []])
  await client.close()
  child.kill('SIGTERM')
  await ended
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

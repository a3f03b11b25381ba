import { readFileSync, rmSync } from 'node:fs'
import { createClient } from '@clickhouse/client-web'
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

/** Turns of four kills, 20 in all. Each kill ends workerd, the engine, or both. Turns share their data folder. */
const turns = [1, 2, 3, 4, 5]

/** `npm start` gives a process up that ends five times in a row. */
const kills = 4

interface Line {
  readonly url: string
  readonly clickhouse: string
  readonly websiteId: string
  readonly apiKey: string
}

/** Switches recordings of a website on. */
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

it.each(turns)(
  'kill -9 of workerd, of the engine and of both loses nothing, and stores nothing twice: turn %i',
  async (turn) => {
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
    const sending = Array.from({ length: 8 }, async () => {
      while (!isOver) {
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
    })
    for (let kill = 0; kill < kills; kill++) {
      const had = acknowledged.length
      await until(async () => acknowledged.length > had + 100 || undefined)
      const kinds = ([['workerd'], ['engine'], ['workerd', 'engine']] as const)[(turn + kill) % 3]!
      // The engine of the round before may still start.
      await until(async () => (await fetch(`${clickhouse}&query=SELECT+1`).catch(() => undefined))?.ok || undefined)
      const pids = kinds.flatMap((kind) => victims(child.pid!, kind))
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      const since = acknowledged.length
      await until(async () => acknowledged.length > since + 100 || undefined)
    }
    isOver = true
    await Promise.all([...sending, ...recorders.map(({ end }) => end)])
    recorded.push(...recorders.flatMap(({ taken }) => taken))
    const again = unheard.slice(0, 100)
    for (const event of again) {
      await until(async () => (await ask({ url }, 'none', [event]))?.ok || undefined)
      acknowledged.push(event)
    }
    const server = parseServer({ CLICKHOUSE_URL: clickhouse })
    const { username, password, database } = server
    const client = createClient({ url: server.url, username, password, database, request_timeout: 600_000 })
    const copies = async () => {
      const result = await client.query({
        query: `SELECT event_name AS id, toInt32(count()) AS copies FROM events GROUP BY id
          UNION ALL SELECT distinct_id, toInt32(count()) FROM session_data GROUP BY distinct_id`,
        format: 'JSONEachRow',
      })
      const rows = await result.json<{ id: string; copies: number }>()
      return new Map(rows.map((row) => [row.id, row.copies]))
    }
    const stored = await until(async () => {
      const found = await copies().catch(() => undefined)
      return found && acknowledged.every(({ id }) => found.has(id)) ? found : undefined
    })
    const kept = await until(async () => {
      const found = await recordedCopies(client).catch(() => undefined)
      return found && recorded.every(({ id }) => found.has(id)) ? found : undefined
    })
    console.log(
      `turn ${turn}, ${kills} kills: ${acknowledged.length} acknowledged, ${unheard.length} unheard, ${recorded.length} recordings`,
    )
    expect(acknowledged.filter(({ id }) => stored.get(id) !== 1)).toEqual([])
    expect(recorded.filter(({ id }) => kept.get(id) !== 1)).toEqual([])
    expect(unheard.filter(({ id }) => (stored.get(id) ?? 0) > 1)).toEqual([])
    for (const table of comparedTables)
      expect([table.table, await check(client, table, { websiteIds: [] })]).toEqual([table.table, []])
    await client.close()
    child.kill('SIGTERM')
    await ended
  },
)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { ask, type Sent, sent } from '../collect/senders.ts'
import { differencesIn, until } from '../collect/world.ts'
import { emptyDirectory } from '../local/engine.ts'
import { family, npm, run } from '../support/process.ts'

/** Checks the stored data after a restart that follows a loss of engine files or a purge. */

interface Started {
  readonly folder: string
  readonly url: string
  readonly websiteId: string
  readonly key: string
  readonly client: ClickHouseClient
  /** Kills all processes at the same moment. */
  kill(): Promise<void>
}

async function started(folder = emptyDirectory()): Promise<Started> {
  const flags = ['--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', folder, '--demo-events', '1000']
  const { child, firstLine, ended } = npm(['start', '--', ...flags])
  const line = JSON.parse(await firstLine) as { url: string; clickhouse: string; websiteId: string; apiKey: string }
  const { url, username, password, database } = parseServer({ CLICKHOUSE_URL: line.clickhouse })
  const client = createClient({ url, username, password, database })
  // These are listed first, because listing takes a while, during which a log may write something.
  const pids = family(child.pid!)
  return {
    ...{ folder, url: line.url, websiteId: line.websiteId, key: line.apiKey, client },
    async kill() {
      for (const pid of pids.toReversed()) process.kill(pid, 'SIGKILL')
      await ended
      await client.close()
    },
  }
}

const eventsFor = (website: string): Sent[] =>
  Array.from({ length: 50 }, () => sent(website, { data: { price: 1, plan: 'pro' } }))

async function take(weir: Started, events: readonly Sent[]): Promise<void> {
  const answer = await ask(weir, undefined, events)
  expect(await answer?.json()).toMatchObject({ errors: 0 })
}

/** How many of the events are stored, and in how many rows. */
async function stored({ client }: Started, events: readonly Sent[]): Promise<readonly [events: number, rows: number]> {
  const query = 'SELECT event_name AS id, toInt32(count()) AS rows FROM events GROUP BY id'
  const result = await client.query({ query, format: 'JSONEachRow' })
  const found = new Map((await result.json<{ id: string; rows: number }>()).map(({ id, rows }) => [id, rows]))
  const rows = events.map(({ id }) => found.get(id) ?? 0)
  return [rows.filter((count) => count > 0).length, rows.reduce((sum, count) => sum + count, 0)]
}

/** Resolves once the events are stored. A start wakes the logs, whose alarm otherwise fires only a minute later. */
const isStored = (weir: Started, events: readonly Sent[]): Promise<true> =>
  until(async () => (await stored(weir, events))[0] === events.length || undefined, 0.5)

/** Resolves with the folder of the events' part, once they are stored. */
async function partOf(weir: Started, events: readonly Sent[]): Promise<string> {
  const { id } = events.at(-1)!
  const query = `SELECT concat(data_paths[1], (SELECT any(_part) FROM events WHERE event_name = {id:String})) AS path,
    (SELECT count() FROM events WHERE event_name = {id:String}) AS rows
    FROM system.tables WHERE database = currentDatabase() AND name = 'events'`
  return until(async () => {
    const result = await weir.client.query({ query, query_params: { id }, format: 'JSONEachRow' })
    const [row] = await result.json<{ path: string; rows: number }>()
    return Number(row!.rows) === 1 ? row!.path : undefined
  })
}

const differences = ({ client }: Started) => differencesIn(client)

/** Kills everything once the events are stored, removes their part, and restarts. */
async function startedWithout(weir: Started, events: readonly Sent[]): Promise<Started> {
  const part = await partOf(weir, events)
  await weir.kill()
  rmSync(part, { recursive: true })
  return started(weir.folder)
}

/** A time in milliseconds that is longer than a log takes to record that ClickHouse has everything. */
const settled = 5000

async function command({ folder }: Started, ...words: string[]) {
  const { code, stdout, stderr } = await run(['run', 'weir', '--', ...words, '--data-dir', folder])
  return { code, text: stdout + stderr }
}

it('if the newest part is lost, the log resends it, and rebuild repairs the other tables', async () => {
  let weir = await started()
  const events = eventsFor(weir.websiteId)
  await take(weir, events)
  weir = await startedWithout(weir, events)
  await isStored(weir, events)
  await take(weir, events)
  await pause(settled)
  expect(await stored(weir, events)).toEqual([50, 50])
  console.log(`after the start: ${(await differences(weir)).length} differences`)
  const rebuilt = await command(weir, 'rebuild')
  expect(rebuilt).toMatchObject({ code: 0 })
  expect(await differences(weir)).toEqual([])
  expect(await stored(weir, events)).toEqual([50, 50])
  await weir.kill()
})

it('if a part is lost that the log had recorded, check reports the loss, and nothing counts twice', async () => {
  let weir = await started()
  const events = eventsFor(weir.websiteId)
  await take(weir, events)
  await isStored(weir, events)
  await pause(settled)
  weir = await startedWithout(weir, events)
  await take(weir, events)
  await pause(settled)
  const [found, rows] = await stored(weir, events)
  const differs = await differences(weir)
  console.log(`after the start: ${found} of 50 events, ${differs.length} differences`)
  expect(rows).toBe(found)
  expect(differs.length > 0).toBe(found < 50)
  expect(await command(weir, 'check')).toMatchObject({ code: found < 50 ? 1 : 0 })
  expect(await command(weir, 'rebuild', '--orphans', 'remove')).toMatchObject({ code: 0 })
  expect(await differences(weir)).toEqual([])
  await weir.kill()
})

it('purged events do not reappear after a kill right after the purge', async () => {
  let weir = await started()
  const events = eventsFor(weir.websiteId)
  await take(weir, events)
  await isStored(weir, events)
  await pause(settled)
  const answer = await fetch(`${weir.url}/api/websites/${weir.websiteId}/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${weir.key}` },
  })
  expect(answer.status).toBe(200)
  const purged = await command(weir, 'purge')
  expect(purged).toMatchObject({ code: 0 })
  expect(await stored(weir, events)).toEqual([0, 0])
  await weir.kill()
  weir = await started(weir.folder)
  await take(weir, events)
  await pause(settled)
  expect(await stored(weir, events)).toEqual([0, 0])
  expect(await differences(weir)).toEqual([])
  const later = eventsFor(weir.websiteId)
  await take(weir, later)
  await isStored(weir, later)
  expect(await differences(weir)).toEqual([])
  await weir.kill()
})

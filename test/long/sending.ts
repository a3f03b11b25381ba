import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { expect } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { check } from '../../src/local/storage/check.ts'
import { comparedTables } from '../../src/local/storage/derived.ts'
import { ask, type Sent, sent } from '../collect/senders.ts'
import { until } from '../collect/world.ts'
import { npm, type Script } from '../support/process.ts'

/** `npm start` on a data folder. */
export interface Started {
  readonly script: Script
  readonly url: string
  readonly clickhouse: string
  readonly websiteId: string
  readonly apiKey: string
  readonly client: ClickHouseClient
  stop(): Promise<void>
}

export async function startOn(folder: string, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const flags = ['--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', folder, '--demo-events', '1000']
  const script = npm(['start', '--', ...flags], { ...process.env, COLLECT_LOGS: '2', ...env })
  const line = JSON.parse(await script.firstLine) as Pick<Started, 'url' | 'clickhouse' | 'websiteId' | 'apiKey'>
  const { url, username, password, database } = parseServer({ CLICKHOUSE_URL: line.clickhouse })
  const client = createClient({ url, username, password, database, request_timeout: 600_000 })
  const stop = async () => {
    await client.close()
    script.child.kill('SIGTERM')
    await script.ended
  }
  return { ...line, script, client, stop }
}

/** The results of sending: events answered with 200, all others, unanswered requests, and the slowest answer in ms. */
export interface Told {
  readonly acknowledged: Sent[]
  readonly unheard: Sent[]
  unanswered: number
  slowest: number
}

export const nothingTold = (): Told => ({ acknowledged: [], unheard: [], unanswered: 0, slowest: 0 })

/** The address of one of 200 visitors. */
const anybody = () => `198.51.100.${Math.floor(200 * Math.random())}`

/** Sends events and identify calls of many visitors until `isOver`. */
export async function sendOn({ url, websiteId }: Started, isOver: () => boolean, told: Told): Promise<void> {
  while (!isOver()) {
    const events = Array.from({ length: 1 + Math.floor(5 * Math.random()) }, () =>
      sent(websiteId, { data: { price: 1 }, ip: anybody() }, Math.random() < 0.1 ? 'identify' : 'event'),
    )
    const since = performance.now()
    const answer = await ask({ url }, 'none', events)
    const text = await answer?.text().catch(() => undefined)
    const body = text?.startsWith('{') ? (JSON.parse(text) as { errors?: number }) : undefined
    told.slowest = Math.max(told.slowest, performance.now() - since)
    if (!answer) told.unanswered++
    const isTaken = answer?.ok && body && !body.errors
    ;(isTaken ? told.acknowledged : told.unheard).push(...events)
    if (!isTaken) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Resends some of the events that were not acknowledged. */
export async function sendAgain({ url }: Started, { acknowledged, unheard }: Told): Promise<void> {
  for (const event of unheard.slice(0, 100)) {
    await until(async () => (await ask({ url }, 'none', [event]))?.ok || undefined)
    acknowledged.push(event)
  }
}

/** Waits until all of these are stored. Returns how many copies of each are stored. */
export const allOf = (some: readonly { readonly id: string }[], copies: () => Promise<ReadonlyMap<string, number>>) =>
  until(async () => {
    const found = await copies().catch(() => undefined)
    return found && some.every(({ id }) => found.has(id)) ? found : undefined
  })

/** How often each event and call is stored in ClickHouse. */
async function copiesIn(client: ClickHouseClient): Promise<ReadonlyMap<string, number>> {
  const result = await client.query({
    query: `SELECT event_name AS id, toInt32(count()) AS copies FROM events GROUP BY id
      UNION ALL SELECT distinct_id, toInt32(count()) FROM session_data GROUP BY distinct_id`,
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ id: string; copies: number }>()
  return new Map(rows.map((row) => [row.id, row.copies]))
}

/** Waits until no log has rows that wait, not even events whose sender got no answer. */
const nothingWaits = ({ url, apiKey }: Started) =>
  until(async () => {
    const answer = await fetch(`${url}/ready`, { headers: { authorization: `Bearer ${apiKey}` } }).catch(
      () => undefined,
    )
    // Logs that do not respond in time are left out of the answer.
    const { logs = [] } = ((await answer?.json()) ?? {}) as { logs?: readonly { readonly waiting?: number }[] }
    return (logs.length > 0 && logs.every(({ waiting }) => waiting === 0)) || undefined
  }, 5)

/** Expects everything acknowledged exactly once, everything else at most once, and no differences between tables. */
export async function expectOnce(weir: Started, { acknowledged, unheard }: Told): Promise<void> {
  const { client } = weir
  await nothingWaits(weir)
  const stored = await allOf(acknowledged, () => copiesIn(client))
  expect(acknowledged.filter(({ id }) => stored.get(id) !== 1)).toEqual([])
  expect(unheard.filter(({ id }) => (stored.get(id) ?? 0) > 1)).toEqual([])
  for (const table of comparedTables) {
    const found = await check(client, table, { websiteIds: [] })
    expect(found, `${table.table}: ${JSON.stringify(found)}`).toEqual([])
  }
}

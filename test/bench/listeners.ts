import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clickhouse/client-web'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { bearer, type Headers } from './access.ts'
import { processorClock } from './processor.ts'
import { websitesAndKey, withWorker } from './through.ts'

/** The cost of live listeners to one website for ClickHouse, with an event each second. */
export interface Listeners {
  readonly seconds: number
  /** Events of the last half hour. */
  readonly events: number
  readonly cells: readonly ListenerCell[]
}

export interface ListenerCell {
  readonly listeners: number
  /** The processor time of ClickHouse beyond that of the inserts, in milliseconds a second. */
  readonly processor: number
  /** Messages that the listeners got together. */
  readonly messages: number
}

const seconds = 20
const events = 20_000
const many = 500

/** The milliseconds after which the places of former listeners are free. */
const lease = 5000

export async function listenersOf(dir: string, progress: (line: string) => void): Promise<Listeners> {
  rmSync(dir, { recursive: true, force: true })
  const { server, close } = await startClickHouse(dir, 0)
  const { timeout: _, ...connection } = server
  const client = createClient(connection)
  try {
    await migrateEvents(client, server)
    const websiteId = randomUUID()
    const row = `'${websiteId}', generateUUIDv4(number % 4000), generateUUIDv4(number), if(number % 5 = 0, 2, 1), concat('/', number % 300)`
    const insert = (count: number, moment: string) =>
      client.command({
        query: `insert into ingest (website_id, session_id, visit_id, event_type, url_path, created_at)
          select ${row}, ${moment} from numbers(${count})`,
      })
    await insert(events, `now64(3) - toIntervalMillisecond(number * ${(30 * 60_000) / events})`)
    return await withWorker(dir, server, async ({ url, metadata }) => {
      const headers = bearer(await websitesAndKey(metadata, [websiteId]))
      const clock = await processorClock(client)
      const writing = async () => {
        for (let second = 0; second < seconds; second++) {
          await insert(1, 'now64(3)')
          await pause(1000)
        }
      }
      const idle = await clock.of(writing)
      const cells: ListenerCell[] = []
      for (const listeners of [1, many]) {
        progress(`measuring ${listeners} listeners`)
        let messages = 0
        const listening = await Promise.all(
          Array.from({ length: listeners }, () =>
            listen(`${url}/api/realtime/${websiteId}`, headers, () => messages++),
          ),
        )
        messages = 0
        const milliseconds = await clock.of(writing)
        cells.push({ listeners, processor: Math.max(0, milliseconds - idle) / seconds, messages })
        for (const stop of listening) stop()
        await pause(lease)
      }
      return { seconds, events, cells }
    })
  } finally {
    await client.close()
    await close()
  }
}

/** Listens until the returned function is called; `heard` is called for each message. */
async function listen(url: string, headers: Headers, heard: () => void): Promise<() => void> {
  const controller = new AbortController()
  const init = { headers: { ...headers, accept: 'text/event-stream' }, signal: controller.signal }
  const { status, body } = await fetch(url, init)
  if (status !== 200) throw new Error(`A listener got ${status}.`)
  const read = async () => {
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
      if (Buffer.from(bytes).includes('data: ')) heard()
    }
  }
  read().catch(() => {})
  return () => controller.abort()
}

/** The cost of many listeners, as a multiple of that of one. */
export const listenersRatio = ({ cells }: Listeners): number => cells.at(-1)!.processor / cells[0]!.processor

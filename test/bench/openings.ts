import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createClient } from '@clickhouse/client-web'
import type { Server } from '../../src/clickhouse/server.ts'
import { defaultLimits } from '../../src/clickhouse/turns.ts'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { bundled, startBundled } from '../../src/local/start/workerd.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { bearer, type Headers, post } from './access.ts'
import { websitesAndKey } from './through.ts'

/** What readers of a public website take from a signed-in reader of another one. */
export interface Openings {
  readonly readers: number
  readonly events: number
  readonly pattern: string
  readonly cells: readonly OpeningsCell[]
}

/** Times of the signed-in reader in milliseconds: 95 of 100 took at most that. */
export interface OpeningsCell {
  /** The turns of openings; undefined for as many as the website may have, as in a Worker without this share. */
  readonly turns: number | undefined
  readonly alone: number
  readonly beside: number
  /** The answers that the others got meanwhile, by status. */
  readonly answers: Readonly<Record<string, number>>
}

const readers = 50
const events = 200_000
const requests = 60
const day = 86_400_000

/**
 * The worst that an opening allows: a hundred repetitions, and texts between which RE2 tells only with a state for each
 * place where an `a` may begin.
 */
const pattern = 'a(.?.?a?.?.?){40}z'
const besides = [`a${'.'.repeat(198)}z`, `b${'.'.repeat(198)}z`]

export async function openingsOf(dir: string, progress: (line: string) => void): Promise<Openings> {
  rmSync(dir, { recursive: true, force: true })
  const { server, close } = await startClickHouse(dir, 0)
  const { timeout: _, ...connection } = server
  const client = createClient(connection)
  try {
    await migrateEvents(client, server)
    const [own, open] = [randomUUID(), randomUUID()]
    for (const websiteId of [own, open]) {
      const text = `arrayStringConcat(arrayMap(place -> char(97 + (cityHash64(number, place) % 4)), range(50)))`
      await client.command({
        query: `insert into ingest (website_id, session_id, visit_id, event_type, url_path, url_query, created_at)
          select '${websiteId}', generateUUIDv4(number % 20000), generateUUIDv4(number), 1, concat('/', number % 300),
            ${text}, now64(3) - toIntervalSecond(number * ${(30 * 86_400) / events})
          from numbers(${events})`,
      })
    }
    await bundle(places(dir).bundle)
    const cells: OpeningsCell[] = []
    for (const turns of [defaultLimits.openings, 1, 4, undefined]) {
      progress(`measuring ${readers} readers of a public website, ${turns ?? 'all'} turns`)
      const cell = await measuredWith(turns, { dir, server, own, open })
      progress(`${turns ?? 'all'} turns: ${cell.alone.toFixed()} ms alone, ${cell.beside.toFixed()} ms beside them`)
      cells.push(cell)
    }
    return { readers, events, pattern, cells }
  } finally {
    await client.close()
    await close()
  }
}

interface Place {
  readonly dir: string
  readonly server: Server
  readonly own: string
  readonly open: string
}

async function measuredWith(turns: number | undefined, { dir, server, own, open }: Place): Promise<OpeningsCell> {
  const { bindings, ...options } = bundled(dir, 0, server)
  const limits = { ...defaultLimits, openings: turns ?? defaultLimits.website }
  rmSync(places(dir).metadata, { recursive: true, force: true })
  const {
    url,
    metadata: database,
    close,
  } = await startBundled({
    ...options,
    bindings: { ...bindings, CONCURRENCY: { ...limits } },
  })
  try {
    const headers = bearer(await websitesAndKey(database, [own, open]))
    await post(`${url}/api/websites/${open}`, { public: { overview: true } }, headers)
    const alone = await signedIn(url, own, headers)
    const answers: Record<string, number> = {}
    const over = new AbortController()
    const visits = Array.from({ length: readers }, (_, reader) => visiting(url, open, reader, answers, over.signal))
    // Until the first of them have ended, the line is not full yet.
    await new Promise((resolve) => setTimeout(resolve, 6000))
    const beside = await signedIn(url, own, headers)
    over.abort()
    await Promise.all(visits)
    return { turns, alone, beside, answers }
  } finally {
    await close()
  }
}

let asked = 0

/** A range that no other request has, so that nothing comes from a cache. */
const range = (): string => `startAt=${Date.now() - 30 * day + asked++}&endAt=${Date.now()}`

async function signedIn(url: string, websiteId: string, headers: Headers): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < requests; request++) {
    const began = performance.now()
    const response = await fetch(`${url}/api/websites/${websiteId}/stats?${range()}`, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The signed-in reader got ${response.status}.`)
    times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)[Math.ceil(0.95 * requests) - 1]!
}

/** Asks again and again, each time from another address. */
async function visiting(
  url: string,
  websiteId: string,
  reader: number,
  answers: Record<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const filters = [pattern, ...besides].map((one, place) => `query${place || ''}=${encodeURIComponent(`re.${one}`)}`)
  while (!signal.aborted) {
    const headers = { 'cf-connecting-ip': `10.${reader}.${asked % 250}.${(asked >> 8) % 250}` }
    const path = `/api/websites/${websiteId}/stats?${range()}&match=any&${filters.join('&')}`
    await fetch(url + path, { headers, signal }).then(
      async (response) => {
        answers[response.status] = (answers[response.status] ?? 0) + 1
        await response.arrayBuffer()
      },
      () => {},
    )
  }
}

/** The reader's time beside the others, as a multiple of the time alone, with the turns of a deployment. */
export const openingsRatio = ({ cells: [usual] }: Openings): number => usual!.beside / usual!.alone

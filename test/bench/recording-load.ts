import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Headers } from './access.ts'
import { sent } from './collect.ts'
import type { SentFindings } from './collect-sender.ts'
import { residentMiB } from './processes.ts'
import { type RecordedChunk, userAgent } from './recorder.ts'

/** A visit that is recorded, with its token. */
interface Visit {
  readonly visitId: string
  readonly headers: Headers
}

export interface Site {
  readonly url: string
  readonly websiteId: string
}

/** A page view of a visitor of this number: the token is of one browser. */
export async function visitOf({ url, websiteId }: Site, number: number): Promise<Visit> {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent(number) }
  const payload = { website: websiteId, hostname: 'recorded.example', url: '/' }
  const response = await fetch(`${url}/api/send`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ type: 'event', payload }) },
  })
  const { cache, visitId } = (await response.json()) as { cache: string; visitId: string }
  return { visitId, headers: { ...headers, 'x-umami-cache': cache, 'content-encoding': 'gzip' } }
}

/** Sends what a recorder sends; throws unless it is taken. */
export async function record({ url, websiteId }: Site, { headers }: Visit, events: RecordedChunk): Promise<void> {
  const payload = { website: websiteId, events, timestamp: Math.floor(Date.now() / 1000) }
  const body = gzipSync(JSON.stringify({ type: 'record', payload }))
  const response = await fetch(`${url}/api/record`, { method: 'POST', headers, body })
  const answer = await response.text()
  if (answer !== '{"ok":true}') throw new Error(`A recording was answered with ${response.status}: ${answer}`)
}

/** The resident memory of workerd in MiB: before, and the most during some work. */
export interface Held {
  readonly before: number
  readonly most: number
}

/** `pid`: of workerd. */
export async function heldDuring(pid: number, work: () => Promise<unknown>): Promise<Held> {
  const before = residentMiB(pid)
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB(pid))
  }, 20)
  await work().finally(() => clearInterval(looking))
  return { before, most }
}

/** Answers to events, in milliseconds, alone and while many visits are recorded. */
export interface Flood {
  readonly events: number
  readonly chunks: number
  readonly kilobytes: number
  readonly alone: SentFindings
  readonly beside: SentFindings
  readonly recorded: number
}

const [eventsPerSecond, chunksPerSecond, visitors] = [250, 50, 100]

/** The size of a chunk of the contract's pages. */
const chunkBytes = 19_000

/** A chunk like no other. Its text compresses as pages do: to a sixth or so. */
const chunk = (number: number): RecordedChunk =>
  Array.from({ length: 50 }, (_, place) => ({
    ...{ type: 3, timestamp: Date.now() + place },
    data: {
      source: 1,
      positions: [{ x: number % 1000, y: place, id: 4, timeOffset: 0 }],
      text: textOf(number + place),
    },
  }))

const textOf = (number: number): string =>
  Array.from({ length: 40 }, (_, place) => ((number * 7919 + place * 104_729) % 99_991).toString(36))
    .join(' ')
    .slice(0, chunkBytes / 50 - 90)

export async function flooded(site: Site, seconds: number): Promise<Flood> {
  const visits = await Promise.all(Array.from({ length: visitors }, (_, number) => visitOf(site, 1000 + number)))
  const sending = {
    ...{ url: site.url, websiteIds: [site.websiteId] },
    ...{ rate: eventsPerSecond, batch: 1, seconds },
  }
  const alone = await sent(sending)
  let [isOver, recorded, number] = [false, 0, 0]
  const flood = async () => {
    const since = performance.now()
    const open = new Set<Promise<void>>()
    while (!isOver) {
      for (; number < ((performance.now() - since) * chunksPerSecond) / 1000; number++) {
        const one = record(site, visits[number % visitors]!, chunk(number)).then(() => {
          recorded++
          open.delete(one)
        })
        open.add(one)
      }
      await pause(5)
    }
    await Promise.all(open)
  }
  const flooding = flood()
  const beside = await sent(sending)
  isOver = true
  await flooding
  const kilobytes = JSON.stringify(chunk(1)).length / 1000
  return { events: eventsPerSecond, chunks: chunksPerSecond, kilobytes, alone, beside, recorded }
}

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until, type World, world } from '../collect/world.ts'
import { family } from '../support/process.ts'

/** A million events, each with a path, an id and a visitor of its own: what a log remembers of them is bounded. */

const events = 1_000_000
const batch = 500
const senders = 4

/** Batches between two looks at the memory. */
const betweenLooks = 100

let weir: World
beforeAll(async () => {
  weir = await world('src/worker.ts')
})
afterAll(() => weir?.close())

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

async function send(website: string, start: number): Promise<void> {
  const body = Array.from({ length: batch }, (_, index) => {
    const number = start + index
    const ip = `2001:db8::${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}`
    return {
      type: 'event',
      payload: { website, eventId: randomUUID(), ip, url: `/path/${number}`, title: `Page ${number}` },
    }
  })
  const answer = await fetch(`${weir.url}/api/batch`, {
    method: 'POST',
    headers: { 'user-agent': userAgent },
    body: JSON.stringify(body),
  })
  expect([answer.status, await answer.json()]).toMatchObject([200, { processed: batch, errors: 0 }])
}

/** The resident memory of workerd, in MiB. */
function memory(): number {
  const pids = family(process.pid).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
  expect(pids).toHaveLength(1)
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pids[0]}/status`, 'utf8'))![1]) / 1024
}

const count = async (website: string): Promise<Record<'events' | 'ids' | 'paths' | 'sessions', number>> => {
  const result = await weir.client.query({
    query: `SELECT toUInt32(count()) AS events, toUInt32(uniqExact(event_id)) AS ids,
        toUInt32(uniqExact(url_path)) AS paths, toUInt32(uniqExact(session_id)) AS sessions
      FROM events WHERE website_id = {website:UUID}`,
    query_params: { website },
    format: 'JSONEachRow',
  })
  return (await result.json<Record<'events' | 'ids' | 'paths' | 'sessions', number>>())[0]!
}

it('a million ids, paths and visitors are stored once, and the memory of the log stays bounded', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const looks: number[] = []
  let sent = 0
  const sendAll = async () => {
    while (sent < events) {
      const start = sent
      sent += batch
      await send(website, start)
      if ((start / batch) % betweenLooks === 0) looks.push(memory())
    }
  }
  await Promise.all(Array.from({ length: senders }, sendAll))
  const stored = await until(async () => {
    const found = await count(website)
    return found.events >= events ? found : undefined
  }, 10)
  looks.push(memory())
  console.log(`memory of workerd in MiB, each ${batch * betweenLooks} events: ${looks.map(Math.round).join(' ')}`)
  expect(stored).toEqual({ events, ids: events, paths: events, sessions: events })
  // What is remembered of a million takes some 60 MiB.
  expect(looks.at(-1)! - looks[1]!).toBeLessThan(200)
})

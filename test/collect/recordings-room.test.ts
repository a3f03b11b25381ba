import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firefox } from '../support/collecting.ts'
import { inTurn, runs } from '../support/long.ts'
import { everything, moved } from '../support/recording.ts'
import { seed } from '../support/seed.ts'
import { until, type World, world } from './world.ts'

/** Tests how much space recordings take in the log and in ClickHouse, and a website's daily limit. */

let weir: World
let websiteIds: readonly string[]

beforeAll(async () => {
  weir = await world('room.ts')
  websiteIds = await weir.websites(3)
  await weir.metadata.prepare('UPDATE websites SET replay_config = ?1').bind(JSON.stringify(everything)).run()
})

afterAll(() => weir.close())

let visitors = 0

/** Sends one visit's gzipped requests. Returns the number of bytes sent and the responses. */
async function sent(type: string, requests: readonly (readonly object[])[], website = websiteIds[0]!) {
  const headers = { 'user-agent': firefox, 'cf-connecting-ip': `192.0.2.${++visitors}` }
  const event = JSON.stringify({ type: 'event', payload: { website, url: '/' } })
  const { cache } = (await (await fetch(`${weir.url}/api/send`, { method: 'POST', headers, body: event })).json()) as {
    cache: string
  }
  let bytes = 0
  const answers = []
  for (const [index, events] of requests.entries()) {
    const body = gzipSync(JSON.stringify({ type, payload: { website, events, timestamp: index } }), { level: 9 })
    const init = { method: 'POST', headers: { ...headers, 'x-umami-cache': cache, 'content-encoding': 'gzip' }, body }
    answers.push(await (await fetch(`${weir.url}/api/record`, init)).json())
    bytes += body.length
  }
  return { bytes, answers }
}

const taken = { ok: true }

/** Requests that gzip compresses to a thousandth or a hundredth of their size. */
const hidden = {
  'one letter': ['record', (place: number) => [moved(place, 'x'.repeat(4_900_000))]],
  'a text of quotes': ['record', (place: number) => [moved(place, '"'.repeat(2_400_000))]],
  'a nested page': ['record', (place: number) => [{ type: 2, timestamp: place, data: nodes(60_000) }]],
  'equal clicks': ['heatmap', (y: number) => Array.from({ length: 200 }, () => ({ type: 'click', url: '/', y }))],
} as const

const nodes = (count: number) =>
  Array.from({ length: count }, () => ({ type: 2, tagName: 'div', attributes: {}, childNodes: [] }))

const onDisk = async (): Promise<number> => {
  const query = `SELECT sum(bytes_on_disk) AS bytes FROM system.parts
    WHERE database = currentDatabase() AND table IN ('replay_chunks', 'replays', 'heatmap_events')`
  const result = await weir.client.query({ query, format: 'JSONEachRow' })
  const [row] = await result.json<{ bytes: string }>()
  return Number(row!.bytes)
}

/** Waits until ClickHouse contains this many of a website's rows. */
const arrived = (table: string, website: string, rows: number) =>
  until(async () => {
    const query = `SELECT count() AS rows FROM ${table} WHERE website_id = {website:UUID}`
    const result = await weir.client.query({ query, format: 'JSONEachRow', query_params: { website } })
    const [row] = await result.json<{ rows: string }>()
    return Number(row!.rows) === rows ? true : undefined
  })

/** The size of the recording log in SQLite, in bytes. */
const room = async () => (await (await fetch(`${weir.url}/room`)).json()) as number

const noAnswer = async (_: string, response: { destroy(): void }) => void response.destroy()

/** How often each kind is sent. */
const times = runs(2, 10)

describe('recordings that gzip compresses to almost nothing', () => {
  it('are all accepted, and take at most 30 times their size in the log and in ClickHouse', async () => {
    weir.behave(noAnswer)
    let [all, before] = [0, await room()]
    const stored = await onDisk()
    const chosen = inTurn(Object.entries(hidden), seed, 4)
    for (const [name, [type, events]] of chosen) {
      const { bytes, answers } = await sent(
        type,
        Array.from({ length: times }, (_, place) => events(place)),
      )
      expect(answers, name).toEqual(Array.from({ length: times }, () => taken))
      expect(((await room()) - before) / bytes, name).toBeLessThan(30)
      before = await room()
      all += bytes
    }
    await weir.restart()
    weir.behave(undefined)
    await sent('record', [[moved(1)]])
    const replays = chosen.filter(([, [type]]) => type === 'record').length
    await arrived('replay_chunks', websiteIds[0]!, replays * times + 1)
    await arrived('heatmap_events', websiteIds[0]!, (chosen.length - replays) * times * 200)
    expect(((await onDisk()) - stored) / all).toBeLessThan(30)
    expect(await weir.differences()).toEqual([])
  })
})

describe('a website’s daily recordings', () => {
  const full = { ok: false, reason: 'recorder_full' }

  it('stop at RECORD_DAILY, even after a restart, while other websites are still recorded', async () => {
    await weir.restart({ RECORD_DAILY: 1_000_000 })
    const [large, small] = [[moved(1, 'x'.repeat(700_000))], [moved(2)]]
    const website = websiteIds[1]!
    expect((await sent('record', [large, [moved(3, 'y'.repeat(700_000))], small], website)).answers).toEqual([
      taken,
      taken,
      full,
    ])
    expect((await sent('record', [small], websiteIds[2]!)).answers).toEqual([taken])
    await weir.restart()
    expect((await sent('record', [small], website)).answers).toEqual([full])
    expect((await sent('heatmap', [[{ type: 'click', url: '/', x: 1 }]], website)).answers).toEqual([full])
  })
})

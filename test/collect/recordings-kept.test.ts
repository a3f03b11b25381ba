import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { curl, firefox, startCollecting } from '../support/collecting.ts'
import { moved, newVisit, record, recordedWebsite } from '../support/recording.ts'
import { until, type World, world } from './world.ts'

/** Recordings answered with 200 are kept, whatever happens to ClickHouse and the Worker. */

let weir: World
let websiteId: string

beforeAll(async () => {
  weir = await world()
  ;[websiteId] = (await weir.websites(1)) as [string]
  await weir.metadata
    .prepare('UPDATE websites SET replay_config = ?1')
    .bind(JSON.stringify({ replayEnabled: true, heatmapEnabled: true }))
    .run()
})

afterAll(() => weir.close())

const headers = (place: number) => ({ 'user-agent': firefox, 'cf-connecting-ip': `192.0.2.${place}` })

async function sent(path: string, body: object, place: number, cache = ''): Promise<Record<string, string>> {
  const answer = await fetch(weir.url + path, {
    method: 'POST',
    headers: { ...headers(place), 'x-umami-cache': cache },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, string>
}

const recorded = (type: string, events: readonly object[], place: number, cache: string) =>
  sent('/api/record', { type, payload: { website: websiteId, events, timestamp: 1 } }, place, cache)

const counts = async () => {
  const query = `SELECT (SELECT count() FROM replay_chunks) AS chunks, (SELECT sum(length(times)) FROM replay_chunks) AS events,
    (SELECT sum(chunks) FROM replays) AS counted, (SELECT count() FROM heatmap_events) AS clicks,
    (SELECT sum(length(events)) FROM replay_chunks) AS bytes`
  const result = await weir.client.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const [found] = await result.json<Record<'chunks' | 'events' | 'counted' | 'clicks' | 'bytes', number>>()
  return found!
}

describe('while ClickHouse is gone', () => {
  it('recordings are taken, also across a restart, and come once when it is back', async () => {
    weir.behave(async (_, response) => void response.destroy())
    const large = moved(Date.now(), 'x'.repeat(900_000))
    const clicks = [{ type: 'click', url: '/', x: 1, y: 1, viewportW: 9, viewportH: 9 }]
    const tokens: string[] = []
    for (const place of [1, 2, 3]) {
      const { cache } = await sent('/api/send', { type: 'event', payload: { website: websiteId, url: '/' } }, place)
      tokens.push(cache!)
      expect(await recorded('record', [large], place, cache!)).toEqual({ ok: true })
      expect(await recorded('record', [moved(1, 'a'), moved(2, 'b')], place, cache!)).toEqual({ ok: true })
      expect(await recorded('heatmap', clicks, place, cache!)).toEqual({ ok: true })
    }
    await weir.restart()
    // Earlier requests are still known.
    for (const [index, cache] of tokens.entries()) {
      expect(await recorded('record', [large], index + 1, cache)).toEqual({ ok: true })
      expect(await recorded('heatmap', clicks, index + 1, cache)).toEqual({ ok: true })
    }
    // A successful insert with a lost answer is repeated.
    let lost = 0
    weir.behave(async (_, response, pass) => {
      const { status, headers, text } = await pass()
      if (lost++ < 3) response.destroy()
      else response.writeHead(status, headers).end(text)
    })
    const found = await until(async () => {
      const now = lost > 4 ? await counts() : undefined
      return now && now.chunks >= 6 && now.clicks >= 3 ? now : undefined
    })
    expect(found).toMatchObject({ chunks: 6, events: 9, counted: 6, clicks: 3 })
    expect(found.bytes).toBeGreaterThan(2_700_000)
    weir.behave(undefined)
    expect(await recorded('record', [moved(3, 'c')], 1, tokens[0]!)).toEqual({ ok: true })
    await until(async () => ((await counts()).chunks >= 7 ? true : undefined))
    expect(await counts()).toMatchObject({ chunks: 7, events: 10, clicks: 3 })
    expect(await weir.differences()).toEqual([])
  })
})

describe('a setting', () => {
  it('refuses addresses and bots, after the token and the switch', async () => {
    const visit = await newVisit(await recordedWebsite())
    const other = await startCollecting({ IGNORE_IP: '2001:db8::/32', DISABLE_BOT_CHECK: '1' })
    const body = { type: 'record', payload: { website: visit.websiteId, events: [moved(Date.now())] } }
    const refused = await other.post('/api/record', body, { ...visit.headers, 'x-umami-cache': visit.cache })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    const robot = { 'user-agent': curl, 'cf-connecting-ip': '192.0.2.9' }
    const event = { type: 'event', payload: { website: visit.websiteId, url: '/' } }
    const { cache } = (await other.post('/api/send', event, robot)).body
    await other.beside.close()
    expect((await record({ ...visit, headers: robot, cache }, 'record', [moved(1)])).body).toEqual({
      beep: 'boop',
      reason: 'bot',
    })
  })
})

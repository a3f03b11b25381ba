import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firefox } from '../support/collecting.ts'
import { moved } from '../support/recording.ts'
import { setHurry } from './senders.ts'
import { until, type World, world } from './world.ts'

/** Tests that recordings accepted with 200 are never lost, whatever happens to ClickHouse and the Worker. */

let weir: World
let websiteId: string

beforeAll(async () => {
  weir = await world('faulty.ts')
  ;[websiteId] = (await weir.websites(1)) as [string]
  await weir.metadata
    .prepare('UPDATE websites SET replay_config = ?1')
    .bind(JSON.stringify({ replayEnabled: true, heatmapEnabled: true }))
    .run()
})

beforeEach(() => setHurry(weir, 10))
afterAll(() => weir.close())

const headers = (place: number) => ({ 'user-agent': firefox, 'cf-connecting-ip': `192.0.2.${place}` })

const post = (path: string, body: object, place: number, cache = ''): Promise<Response> =>
  fetch(weir.url + path, {
    method: 'POST',
    headers: { ...headers(place), 'x-umami-cache': cache },
    body: JSON.stringify(body),
  })

async function sent(path: string, body: object, place: number, cache = ''): Promise<Record<string, string>> {
  const answer = await post(path, body, place, cache)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, string>
}

const recorded = (type: string, events: readonly object[], place: number, cache: string) =>
  sent('/api/record', { type, payload: { website: websiteId, events, timestamp: 1 } }, place, cache)

const counts = async () => {
  const query = `SELECT count() AS chunks, sum(length(times)) AS events, sum(length(replay_chunks.events)) AS bytes,
    (SELECT sum(chunks) FROM replays WHERE website_id = {websiteId:UUID}) AS counted,
    (SELECT count() FROM heatmap_events WHERE website_id = {websiteId:UUID}) AS clicks
    FROM replay_chunks WHERE website_id = {websiteId:UUID}`
  const result = await weir.client.query({
    ...{ query, query_params: { websiteId } },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const [found] = await result.json<Record<'chunks' | 'events' | 'counted' | 'clicks' | 'bytes', number>>()
  return found!
}

describe('while ClickHouse is unavailable', () => {
  it('recordings are accepted, even after a restart, and stored once when it is back', async () => {
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
    await setHurry(weir, 10)
    // Earlier requests are still recognised.
    for (const [index, cache] of tokens.entries()) {
      expect(await recorded('record', [large], index + 1, cache)).toEqual({ ok: true })
      expect(await recorded('heatmap', clicks, index + 1, cache)).toEqual({ ok: true })
    }
    // An insert that succeeded, but whose response was lost, is repeated.
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

/** An event in two pieces, as Umami's recorders send it. */
function inTwo(event: object): [object, object] {
  const [text, id] = [JSON.stringify(event), randomUUID()]
  const piece = (index: number, value: string) => {
    const data = { id, index, total: 2, value }
    return { type: 'umami:rrweb-event-fragment', timestamp: 1, data }
  }
  return [piece(0, text.slice(0, 9)), piece(1, text.slice(9))]
}

describe('recordings that ClickHouse refuses while it accepts others', () => {
  it('are set aside; if they are too long for that, they wait, and their website’s requests get 503', async () => {
    weir.behave(async (body, response, pass) => {
      const isWrong = body.includes('wrong')
      const answer = isWrong
        ? { status: 500, headers: { 'x-clickhouse-exception-code': '469' }, text: 'Code: 469. DB::Exception: Not now' }
        : await pass()
      response.writeHead(answer.status, answer.headers).end(answer.text)
    })
    const view = { type: 'event', payload: { website: websiteId, url: '/' } }
    const [{ cache }, before] = [await sent('/api/send', view, 9), await counts()]
    let taken = 0
    const sendOne = async (event: object): Promise<number> => {
      const payload = { website: websiteId, events: [event] }
      return (await post('/api/record', { type: 'record', payload }, 9, cache)).status
    }
    const send = async (text: string): Promise<number> => {
      const status = await sendOne(moved(Date.now(), text))
      if (status === 200) taken++
      return status
    }
    const pieces = inTwo(moved(Date.now()))
    const isStored = (chunks: number) =>
      until(async () => (await counts()).chunks === before.chunks + chunks || undefined)
    for (const text of ['wrong', 'good']) expect(await send(text)).toBe(200)
    await isStored(1)
    const rows = async () => (await weir.metadata.prepare('SELECT entry_table, row FROM set_aside_rows').all()).results
    const kept = { entry_table: 'ingest_replay_chunks', row: expect.stringContaining('wrong') }
    await expect.poll(rows).toEqual([kept])
    // A quote takes four bytes in a row.
    expect(await send(`wrong${'"'.repeat(400_000)}`)).toBe(200)
    await until(async () => (await send(randomUUID())) === 503 || undefined)
    expect([await sendOne(pieces[0]), await sendOne(pieces[1])]).toEqual([200, 503])
    weir.behave(undefined)
    // The last piece is repeated until it is taken, and completes the event.
    await until(async () => (await sendOne(pieces[1])) === 200 || undefined)
    taken++
    await isStored(taken - 1)
    expect(await send(randomUUID())).toBe(200)
    await isStored(taken - 1)
  })
})

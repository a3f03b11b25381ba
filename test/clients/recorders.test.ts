import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { UmamiClient } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { eventually, newVisit, recordedWebsite, replayOf, type Visit } from '../support/recording.ts'
import { read, running } from '../support/weir.ts'

/** Sends the requests of each version of Umami's recorders, then reads the recordings with the official client. */

const websiteId = await recordedWebsite()

const now = Date.now()

/** A page as rrweb sends it, with its URL and nodes. */
const page = (text: string) => [
  { type: 4, data: { href: 'https://example.com/', width: 1280, height: 720 }, timestamp: now },
  {
    type: 2,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [
          { type: 1, name: 'html', publicId: '', systemId: '', id: 2 },
          { type: 2, tagName: 'body', attributes: {}, id: 3, childNodes: [{ type: 3, textContent: text, id: 4 }] },
        ],
      },
      initialOffset: { left: 0, top: 0 },
    },
    timestamp: now + 1,
  },
]

const moves = [
  { type: 3, data: { source: 1, positions: [{ x: 5, y: 5, id: 3, timeOffset: 0 }] }, timestamp: now + 500 },
]

/** Sends a body like this visit's browser. */
async function sent(visit: Visit, body: object, more: Record<string, string> = {}): Promise<unknown> {
  const text = JSON.stringify(body)
  const answer = await fetch(`${running.url}/api/record`, {
    method: 'POST',
    headers: { ...visit.headers, 'x-umami-cache': visit.cache, ...more },
    body: more['content-encoding'] ? gzipSync(text) : text,
  })
  return answer.json()
}

const seconds = Math.floor(now / 1000)

describe('an Umami recorder', () => {
  it('3.1 sends replay chunks as JSON, with a time in seconds', async () => {
    const visit = await newVisit(websiteId)
    const headers = { 'content-type': 'application/json' }
    for (const [index, events] of [page('Hello'), moves].entries()) {
      const payload = { website: websiteId, events, timestamp: seconds + index }
      expect(await sent(visit, { type: 'record', payload }, headers)).toEqual({ ok: true })
    }
    expect((await replayOf(visit, 2)).body.events).toEqual([...page('Hello'), ...moves])
  })

  it('3.2 sends heatmaps separately, with or without their time', async () => {
    const visit = await newVisit(websiteId)
    const sizes = { pageW: 1280, pageH: 3000, viewportW: 1280, viewportH: 720 }
    const click = { type: 'click', url: 'https://example.com/pricing', x: 10, y: 20, pageX: 10, pageY: 920, ...sizes }
    const scroll = { type: 'scroll', url: 'https://example.com/pricing', scrollPct: 42, ...sizes }
    const payload = { website: websiteId, events: [{ ...click, timestamp: now }, scroll] }
    expect(await sent(visit, { type: 'heatmap', payload })).toEqual({ ok: true })
    const range = { startAt: now - 3_600_000, endAt: now + 3_600_000, urlPath: '/pricing' }
    const ask = (mode: string) => read(websiteId, 'heatmaps', { ...range, mode } as never)
    const { body } = await eventually(
      () => ask('click'),
      ({ body }) => body.points.length > 0,
    )
    expect(body.points).toEqual([{ x: 10, y: 20, pageX: 10, pageY: 920, ...sizes, count: 1 }])
    expect((await ask('scroll')).body.scroll).toEqual({
      ...{ buckets: [{ depth: 40, sessions: 1, ...sizes }], totalSessions: 1, ...sizes },
    })
  })

  it('3.3 and later versions send large events in pieces, from pages with extra headers', async () => {
    const visit = await newVisit(websiteId)
    const events = page('x'.repeat(700_000))
    const text = JSON.stringify(events[1])
    const [id, half] = [randomUUID(), Math.ceil(text.length / 2)]
    const piece = (index: number) => ({
      type: 'umami:rrweb-event-fragment',
      timestamp: now,
      data: { id, index, total: 2, value: text.slice(index * half, (index + 1) * half) },
    })
    const headers = { 'x-umami-website-id': websiteId, 'x-umami-hostname': 'example.com' }
    const send = (some: object[], timestamp: number) =>
      sent(visit, { type: 'record', payload: { website: websiteId, events: some, timestamp } }, headers)
    expect(await send([events[0]!, piece(0)], seconds)).toEqual({ ok: true })
    expect(await send([piece(1), ...moves], seconds + 1)).toEqual({ ok: true })
    expect((await replayOf(visit, 2)).body.events).toEqual([...events, ...moves])
  })

  it('may compress its requests', async () => {
    const visit = await newVisit(websiteId)
    const payload = { website: websiteId, events: page('Hello'), timestamp: String(seconds) }
    expect(await sent(visit, { type: 'record', payload }, { 'content-encoding': 'gzip' })).toEqual({ ok: true })
    expect((await replayOf(visit, 1)).body.events).toEqual(page('Hello'))
  })
})

describe('the official client', () => {
  it('can read, save and find replays and heatmaps', async () => {
    const visit = await newVisit(websiteId)
    const payload = { website: websiteId, events: [...page('Hello'), ...moves], timestamp: seconds }
    await sent(visit, { type: 'record', payload })
    await replayOf(visit, 1)
    const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })
    const [replayId, range] = [visit.visitId, { startAt: now - 3_600_000, endAt: now + 3_600_000 }]
    const { data } = await client.getWebsiteReplays({ websiteId, ...range, pageSize: 1000 })
    const times = { startedAt: new Date(now).toISOString(), endedAt: new Date(now + 500).toISOString() }
    expect(data.find(({ id }) => id === replayId)).toMatchObject({
      ...{ id: replayId, sessionId: visit.sessionId, websiteId, eventCount: 3, chunkCount: 1, duration: 500, ...times },
    })
    const ofSession = await client.getWebsiteSessionReplays({ websiteId, sessionId: visit.sessionId, ...range })
    expect(ofSession.count).toBe(1)
    expect(await client.getWebsiteReplay({ websiteId, replayId })).toEqual({
      ...{ sessionId: visit.sessionId, events: payload.events, eventCount: 3, chunkCount: 1, ...times },
    })
    expect(await client.saveWebsiteReplay({ websiteId, replayId, isSaved: true, name: 'Hello' })).toEqual({ ok: true })
    expect(await client.getWebsiteReplaySaved({ websiteId, replayId })).toEqual({ isSaved: true })
    const saved = await client.getWebsiteSavedReplays({ websiteId, search: 'hello' })
    expect(saved.data).toMatchObject([{ name: 'Hello', visitId: replayId, websiteId }])
    const heatmap = await client.getWebsiteHeatmaps({ websiteId, ...range, mode: 'scroll', urlPath: '/nowhere' })
    expect(heatmap).toMatchObject({ mode: 'scroll', points: [], scroll: { totalSessions: 0 }, snapshot: null })
  })
})

import { describe, expect, it } from 'vitest'
import { moved, newVisit, record, recordedWebsite, replayOf } from '../support/recording.ts'

/** Tests replays of the maximum size. */

describe('a large replay', () => {
  it.each([
    [1000, 50_000],
    [120, 400_000],
  ])('is stored and read completely with %d chunks of %d bytes; afterwards its visit is full', async (parts, bytes) => {
    const visit = await newVisit(await recordedWebsite({ replayEnabled: true, maxDuration: 3_600_000 }))
    const now = Date.now()
    const text = 'x'.repeat(bytes - 200)
    for (let part = 0; part < parts; part++) {
      const { body } = await record(visit, 'record', [moved(now + part, `${part} ${text}`)], { timestamp: part })
      expect([part, body]).toEqual([part, { ok: true }])
    }
    const { body } = await replayOf(visit, parts)
    expect([body.eventCount, body.chunkCount, body.events.length]).toEqual([parts, parts, parts])
    const order = body.events.map(({ data }: { data: { text: string } }) => Number(data.text.split(' ')[0]))
    expect(order).toEqual(Array.from({ length: parts }, (_, part) => part))
    const more = () => record(visit, 'record', [moved(now, 'y'.repeat(900_000)), moved(now, 'z')])
    let last = (await more()).body
    for (let sent = 0; sent < 5 && last.ok; sent++)
      last = (await record(visit, 'record', [moved(now), moved(now, 'y'.repeat(900_000))])).body
    expect(last).toEqual({ ok: false, reason: 'visit_full' })
  })
})

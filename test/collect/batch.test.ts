import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { curl, eventsOf, person, sendMany, sendOne, stored, storedOf } from '../support/collecting.ts'
import { newWebsite, running } from '../support/weir.ts'

/** Tests batches and repeated events, sections 15.5 and 15.6 of the contract. */

const shared = await newWebsite()

describe('a batch', () => {
  it.concurrent('is validated object by object, in order', async () => {
    const website = await newWebsite()
    const at = Math.floor(Date.now() / 1000) - 5
    const reply = await sendMany([
      ...[
        { website, tag: '0', timestamp: at },
        { website, url: 5 },
        { website, tag: '2', timestamp: at },
      ],
      ...[{ website, userAgent: curl }, { website: randomUUID() }, { website, tag: '5', timestamp: at - 100 }],
      ...[{ website, tag: '6', timestamp: at }],
    ])
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      ...{ size: 7, processed: 5, errors: 2, ignored: 1, cache: stored.cache },
      details: [
        {
          index: 1,
          response: {
            error: expect.objectContaining({
              status: 400,
              issues: [{ path: 'payload.url', message: expect.any(String) }],
            }),
          },
        },
        { index: 4, response: { error: expect.objectContaining({ status: 400, message: 'Website not found.' }) } },
      ],
    })
    const rows = await eventsOf(website, 4)
    const after = (row: (typeof rows)[number]) => [row.tag, Date.parse(`${row.created_at}Z`) - at * 1000]
    expect(rows.map(after)).toEqual([
      ['5', -100_000],
      ['0', 0],
      ['2', 1],
      ['6', 2],
    ])
    const [first] = rows.filter(({ tag }) => tag === '0')
    const next = await sendOne({ website }, { 'x-umami-cache': reply.body.cache })
    expect(next.body).toMatchObject({ sessionId: first!.session_id, visitId: first!.visit_id })
  })

  it.concurrent('stores objects without a timestamp a millisecond apart, as the same visitor and visit', async () => {
    const website = await newWebsite()
    expect((await sendMany([{ website }, { website }, { website }])).body).toMatchObject({ processed: 3, errors: 0 })
    const rows = await eventsOf(website, 3)
    const times = rows.map(({ created_at }) => Date.parse(`${created_at}Z`))
    expect(times.map((time) => time - times[0]!)).toEqual([0, 1, 2])
    expect(new Set(rows.map(({ session_id, visit_id }) => session_id + visit_id)).size).toBe(1)
  })

  it('reports full details for 20 errors, and the code and status for the others', async () => {
    const bad = Array.from({ length: 25 }, () => ({ website: shared, url: 5 }))
    const large = { website: shared, fill: 'x'.repeat(100_000) }
    const reply = await sendMany([large, ...bad, { website: randomUUID() }, { website: shared, tag: '' }])
    expect(reply.body).toMatchObject({ size: 28, processed: 1, errors: 27 })
    const short = (code: string, status: number) => ({ error: { code, status } })
    expect(reply.body.details).toEqual([
      { index: 0, response: short('payload-too-large', 413) },
      ...bad.map((_, place) => ({
        index: 1 + place,
        response:
          place < 20
            ? { error: expect.objectContaining({ status: 400, issues: expect.any(Array) }) }
            : short('bad-request', 400),
      })),
      { index: 26, response: short('bad-request', 400) },
    ])
  })

  it('reports the warnings of 20 events', async () => {
    const reply = await sendMany([
      { website: shared },
      ...Array.from({ length: 22 }, () => ({ website: shared, tag: 5 })),
    ])
    expect(reply.body).toMatchObject({ size: 23, processed: 23, errors: 0 })
    const { sessionId, visitId } = stored
    const warnings = [{ path: 'payload.tag', message: expect.stringMatching(/\S/) }]
    expect(reply.body.details).toEqual(
      Array.from({ length: 20 }, (_, place) => ({ index: 1 + place, response: { sessionId, visitId, warnings } })),
    )
  })

  it('gets a response of at most 30 kB if it has 1 kB', async () => {
    const full = (one: string) => `[${Array(Math.min(500, Math.floor(1000 / (one.length + 1)))).fill(one)}]`
    const odd = `{"payload":{"website":0,"url":0,"timestamp":"","link":0,"pixel":0,"eventId":0}}`
    for (const one of ['0', '{}', '{"payload":{}}', '{"type":"event","payload":{"website":1}}', odd]) {
      const answer = await fetch(`${running.url}/api/batch`, { method: 'POST', headers: person, body: full(one) })
      expect((await answer.arrayBuffer()).byteLength, one).toBeLessThanOrEqual(30_000)
    }
  })

  it('may be empty or contain nothing to store', async () => {
    const none = { processed: 0, errors: 0, ignored: 0, details: [], cache: null }
    expect((await sendMany([])).body).toEqual({ size: 0, ...none })
    expect((await sendMany([{ website: shared }], { 'user-agent': curl })).body).toEqual({
      ...none,
      ...{ size: 1, processed: 1, ignored: 1 },
    })
  })
})

describe('an event id', () => {
  it.concurrent('is stored once, even if it is repeated with other contents', async () => {
    const [website, other, eventId] = [await newWebsite(), await newWebsite(), randomUUID()]
    const first = (await sendOne({ website, eventId, name: 'buy', data: { revenue: 5, currency: 'EUR' } })).body
    const ids = { sessionId: first.sessionId, visitId: first.visitId }
    const repeats = [
      sendOne({ website, eventId: eventId.toUpperCase(), name: 'buy' }),
      sendOne({ website, eventId, id: 'ada' }, {}, 'identify'),
    ]
    for (const repeat of await Promise.all(repeats)) expect(repeat.body).toMatchObject(ids)
    expect(
      (
        await sendMany([
          { website, eventId },
          { website, eventId },
        ])
      ).body,
    ).toMatchObject({ processed: 2, errors: 0 })
    const elsewhere = (await sendOne({ website: other, eventId })).body
    expect(elsewhere.sessionId).not.toBe(ids.sessionId)
    const { events } = await storedOf([website, other], 2)
    expect(events.map(({ event_id }) => event_id)).toEqual([eventId, eventId])
    expect(events.find(({ website_id }) => website_id === website)).toMatchObject({
      event_name: 'buy',
      session_id: ids.sessionId,
    })
  })

  it.concurrent('is replaced by a new one if it is all zeros', async () => {
    const website = await newWebsite()
    const eventId = '00000000-0000-0000-0000-000000000000'
    for (const name of ['one', 'two']) expect((await sendOne({ website, eventId, name })).status).toBe(200)
    const ids = new Set((await eventsOf(website, 2)).map(({ event_id }) => event_id))
    expect(ids.size).toBe(2)
    expect(ids).not.toContain(eventId)
  })

  it.concurrent('is stored once even if it is sent several times simultaneously', async () => {
    const [website, eventId] = [await newWebsite(), randomUUID()]
    const replies = await Promise.all(Array.from({ length: 8 }, () => sendOne({ website, eventId })))
    expect(new Set(replies.map(({ body }) => body.visitId)).size).toBe(1)
    // This other event is stored after all events above.
    await sendOne({ website, tag: 'after' })
    await eventsOf(website, 2)
  })

  it.concurrent('is generated by the server if none is sent', async () => {
    const website = await newWebsite()
    await Promise.all([sendOne({ website }), sendOne({ website })])
    expect(new Set((await eventsOf(website, 2)).map(({ event_id }) => event_id)).size).toBe(2)
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { event, id, string, view } from '../oracle/fixtures.ts'
import { forbidden, type Headers, newShare, notFound, operator, post, remove } from '../support/callers.ts'
import { metadata } from '../support/metadata.ts'
import { keyOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { call, identify } from '../support/session-data.ts'
import { add, day, websiteWith } from '../support/website.ts'
import { get, read } from '../support/weir.ts'

const [kept, gone, spare] = [id(101), id(102), id(103)]

const rows = [kept, gone, spare].flatMap((session_id, place) => [
  view(`1${place}:00:00`, {
    ...{ session_id, visit_id: session_id, event_id: id(10 + place), distinct_id: 'ada', city: 'Oslo' },
  }),
  event({ session_id, visit_id: session_id, event_id: id(20 + place), event_name: 'buy' }),
])

const websiteId = await websiteWith(...rows)
await identify(websiteId, ...[kept, gone].map((session) => call(session, '08:00:00', [string('plan', 'pro')])))

const drop = (sessionId: string, headers: Headers = operator, of = websiteId) =>
  remove(`/api/websites/${of}/sessions/${sessionId}`, headers)

const of = (sessionId: string, more = '') => `/api/websites/${websiteId}/sessions/${sessionId}${more}`

describe('a deleted session', () => {
  it('is no longer linked to other sessions, and cannot be deleted again', async () => {
    expect((await drop(gone.toUpperCase())).body).toStrictEqual({ ok: true })
    expect((await read(websiteId, 'sessions', { ...day, search: 'oslo' })).body.count).toBe(2)
    failed(await get(of(gone)), notFound)
    expect((await get(of(kept))).body).toMatchObject({ distinctId: 'ada', stitchedSessionCount: 2 })
    const stitched = (await get(of(kept, '/activity'), { ...day, distinctId: 'ada' })).body
    const eventIds = stitched.map(({ eventId }: { eventId: string }) => eventId).sort()
    expect(eventIds).toStrictEqual([10, 12, 20, 22].map(id))
    failed(await drop(gone), notFound)
  })

  it('must exist; the caller needs the right to delete it', async () => {
    failed(await drop(id(999)), notFound)
    failed(await drop(kept, operator, await websiteWith()), notFound)
    failed(await drop(kept, await keyOf(undefined, { access: 'read', websiteIds: [websiteId] })), forbidden)
    failed(await drop(kept, (await newShare(websiteId, { sessions: true })).headers), forbidden)
    refused(await drop('x'), 'sessionId')
    expect((await get(of(kept))).status).toBe(200)
  })

  it('may belong to a link or a pixel', async () => {
    for (const [kind, event_type] of [
      ['link', 3],
      ['pixel', 4],
    ] as const) {
      const fields = { name: kind, slug: randomUUID(), ...(kind === 'link' && { url: 'https://example.com' }) }
      const { id: ofKind } = (await post(`/api/${kind}s`, fields, operator)).body
      await add(ofKind, view('10:00:00', { session_id: kept, event_id: id(30), event_type }))
      const path = `/api/websites/${ofKind}/sessions/${kept}`
      expect((await get(path)).body).toMatchObject({ canDelete: true })
      expect((await drop(kept, operator, ofKind)).body).toStrictEqual({ ok: true })
      failed(await get(path), notFound)
    }
  })

  it('is refused while 1,000 others are waiting for a purge', async () => {
    const full = await websiteWith(...rows)
    await metadata
      .prepare(
        `INSERT INTO deleted_sessions (website_id, session_id, deleted_at)
         SELECT ?1, value, 1 FROM json_each(?2)`,
      )
      .bind(full, JSON.stringify(Array.from({ length: 999 }, (_, place) => id(2000 + place))))
      .run()
    expect((await drop(kept, operator, full)).status).toBe(200)
    const refusal = await drop(gone, operator, full)
    failed(refusal, { status: 409, code: 'conflict' })
    expect(refusal.body.error.message).toMatch(/1000 deleted sessions .* purge/)
    expect((await get(`/api/websites/${full}/sessions/${gone}`)).status).toBe(200)
    expect((await read(full, 'sessions', day)).body.count).toBe(2)
  })
})

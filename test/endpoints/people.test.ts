import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Headers, newShare, operator, post } from '../support/callers.ts'
import { markedRecording } from '../support/marked.ts'
import { everythingOf, insertInto, newSession, type SessionIds } from '../support/one-person.ts'
import { insert as insertRow, keyOf, newPerson, websiteOf } from '../support/people.ts'
import { day } from '../support/website.ts'
import { clickhouse, insert, newWebsite, read, running, send } from '../support/weir.ts'

/**
 * Tests the export of a person's data, and the Worker's part of a deletion. `test/local/purge.test.ts` tests the rest.
 */

const fill = (websiteId: string, text: string, ids: SessionIds, ...distinctIds: readonly string[]) =>
  insertInto(websiteId, everythingOf(text, ids, ...distinctIds), insert)

const pathOf = (what: 'export' | 'erase', websiteId: string) => `/api/websites/${websiteId}/people/${what}`

const exported = (websiteId: string, body: object, headers: Headers = operator) =>
  post(pathOf('export', websiteId), body, headers)
const erased = (websiteId: string, body: object, headers: Headers = operator) =>
  post(pathOf('erase', websiteId), body, headers)

/** A website with two of Ada's sessions, one that she shares with Bob, and one of Bob's. */
async function world() {
  const websiteId = await newWebsite()
  const [first, second, shared, others] = [newSession(), newSession(), newSession(), newSession()]
  await Promise.all([
    fill(websiteId, 'first', first, 'ada'),
    fill(websiteId, 'second', second, 'ada', ''),
    fill(websiteId, 'shared', shared, 'ada', 'bob'),
    fill(websiteId, 'others', others, 'bob'),
  ])
  const ids = (...some: SessionIds[]) => some.map(({ session_id }) => session_id).sort()
  return { websiteId, first, second, shared, others, ids }
}

it('exports all rows of a person’s sessions, and rows of shared sessions only on request', async () => {
  const { websiteId, first, second, shared, others, ids } = await world()
  const { status, headers, body } = await exported(websiteId, { distinctId: 'ada' })
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const found = { distinctId: 'ada', sessions: ids(first, second), shared: ids(shared) }
  expect(body).toMatchObject(found)
  const stored = await Promise.all(
    ['events', 'custom_events', 'sales', 'session_data', 'heatmap_events', 'replay_chunks'].map(async (table) => {
      const [row] = await clickhouse<{ rows: number }>(`SELECT toUInt32(count()) AS rows FROM ${table}
        WHERE website_id = '${websiteId}' AND session_id IN ('${first.session_id}', '${second.session_id}')`)
      return [table, row!.rows] as const
    }),
  )
  const tablesOf = (rows: readonly { table: string }[]) => {
    const counts = new Map<string, number>()
    for (const { table } of rows) counts.set(table, (counts.get(table) ?? 0) + 1)
    return [...counts]
  }
  expect(stored.every(([, rows]) => rows > 0)).toBe(true)
  expect(tablesOf(body.rows)).toEqual(stored)
  expect(JSON.stringify(body.rows)).toMatch(/"property first".*"url_path first".*10/s)
  expect(JSON.stringify(body)).not.toMatch(/ shared|others/)
  // A session id finds the same person. A session with two distinct ids belongs to neither person alone.
  expect((await exported(websiteId, { sessionId: first.session_id.toUpperCase() })).body).toStrictEqual(body)
  const ofShared = { distinctId: null, sessions: [], shared: ids(shared), rows: [] }
  expect((await exported(websiteId, { sessionId: shared.session_id })).body).toStrictEqual(ofShared)
  const all = (await exported(websiteId, { distinctId: 'ada', shared: true })).body
  expect(all).toMatchObject({ sessions: ids(first, second, shared), shared: ids(shared) })
  expect(JSON.stringify(all.rows)).toContain('url_path shared')
  expect((await exported(websiteId, { distinctId: 'bob' })).body.sessions).toEqual(ids(others))
  const lines = await fetch(running.url + pathOf('export', websiteId), {
    method: 'POST',
    headers: { ...operator, accept: 'application/x-ndjson', 'content-type': 'application/json' },
    body: JSON.stringify({ distinctId: 'ada' }),
  })
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
  const [head, ...rows] = (await lines.text()).trim().split('\n')
  expect([JSON.parse(head!), ...rows.map((row) => JSON.parse(row))]).toEqual([found, ...body.rows])
})

it('includes only the named session on request, however many others have its distinct id', async () => {
  const { websiteId, first, second, shared } = await world()
  const forged = Array.from({ length: 10_001 }, () => ({
    ...{ website_id: websiteId, event_id: randomUUID(), session_id: randomUUID(), visit_id: randomUUID() },
    ...{ created_at: '2025-10-15 12:00:00.000', event_type: 1, url_path: '/', distinct_id: 'ada' },
  }))
  await insert('ingest', forged)
  const sessionId = first.session_id
  for (const body of [{ distinctId: 'ada' }, { sessionId }, { sessionId, single: false }]) {
    expect((await exported(websiteId, body)).status).toBe(409)
    expect((await erased(websiteId, body)).status).toBe(409)
  }
  const { body } = await exported(websiteId, { sessionId, single: true })
  expect(body).toMatchObject({ distinctId: 'ada', sessions: [sessionId], shared: [] })
  expect(JSON.stringify(body.rows)).toContain('url_path first')
  expect(JSON.stringify(body.rows)).not.toContain('url_path second')
  const ofShared = { sessionId: shared.session_id, single: true }
  expect((await exported(websiteId, ofShared)).body).toMatchObject({ sessions: [], shared: [shared.session_id] })
  const found = { distinctId: 'ada', sessions: [sessionId], shared: [], tables: null }
  expect((await erased(websiteId, { sessionId, single: true })).body).toStrictEqual(found)
  expect((await exported(websiteId, { sessionId, single: true })).status).toBe(404)
  expect((await exported(websiteId, { sessionId: second.session_id, single: true })).status).toBe(200)
  expect((await exported(websiteId, { distinctId: 'ada', single: true })).body.error.issues[0].path).toBe('single')
})

it('streams exports longer than one chunk, and a session that only has a recording', async () => {
  const websiteId = await newWebsite()
  const long = newSession()
  const [chunk] = markedRecording('x'.repeat(400_000), long)
  const hashes = ['0', '1', '2'].map((digit) => ({ ...chunk, website_id: websiteId, hash: digit.repeat(64) }))
  await insert('ingest_replay_chunks', hashes)
  const { body } = await exported(websiteId, { sessionId: long.session_id })
  expect(body).toMatchObject({ distinctId: null, sessions: [long.session_id], shared: [] })
  expect(body.rows.map(({ hash, events }: { hash: string; events: string }) => [hash[0], events.length > 4e5])).toEqual(
    [...['0', '1', '2'].map((digit) => [digit, true])],
  )
})

it('hides a person’s sessions immediately, and counts them until the purge', async () => {
  const { websiteId, first, second, shared, others, ids } = await world()
  const elsewhere = await newWebsite()
  await fill(elsewhere, 'first', first, 'ada')
  const receipt = { distinctId: 'ada', sessions: ids(first, second), shared: ids(shared), tables: null }
  expect((await erased(websiteId, { distinctId: 'ada' })).body).toStrictEqual(receipt)
  const sessionsOf = async (id: string) => {
    const { body } = await read(id, 'sessions', { ...day, pageSize: 100 })
    return body.data.map((row: { id: string }) => row.id).sort()
  }
  expect(await sessionsOf(websiteId)).toEqual(ids(shared, others))
  expect(await sessionsOf(elsewhere)).toEqual(ids(first))
  expect((await read(websiteId, 'replays', day)).body.count).toBe(2)
  expect((await exported(websiteId, { distinctId: 'ada' })).body).toMatchObject({ sessions: [], shared: ids(shared) })
  expect((await erased(websiteId, { distinctId: 'ada' })).body).toMatchObject({ sessions: [], tables: [] })
  expect((await erased(websiteId, { distinctId: 'ada', shared: true })).body).toMatchObject({ sessions: ids(shared) })
  expect((await erased(websiteId, { distinctId: 'ada' })).status).toBe(404)
  expect(await sessionsOf(websiteId)).toEqual(ids(others))
  // Rows hidden by a reset are still stored.
  expect((await post(`/api/websites/${websiteId}/reset`, undefined)).status).toBe(200)
  expect((await exported(websiteId, { distinctId: 'bob' })).status).toBe(404)
  expect((await erased(websiteId, { distinctId: 'bob' })).body).toMatchObject({ sessions: ids(others) })
})

it('hides no session if more than 1,000 would then wait for a purge', async () => {
  const { websiteId, first, second, ids } = await world()
  const waiting = Array.from({ length: 999 }, () => ({
    website_id: websiteId,
    session_id: randomUUID(),
    deleted_at: 1,
  }))
  await Promise.all(waiting.map((row) => insertRow('deleted_sessions', row)))
  const { status, body } = await erased(websiteId, { distinctId: 'ada' })
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  expect((await exported(websiteId, { distinctId: 'ada' })).body.sessions).toEqual(ids(first, second))
})

it('requires the right to change this website; the audit log only says that it was done', async () => {
  const person = await newPerson()
  const [websiteId, foreign] = [await websiteOf({ userId: person.id }), await newWebsite()]
  const own = newSession()
  await Promise.all([fill(websiteId, 'own', own, 'ada'), fill(foreign, 'foreign', own, 'ada')])
  const share = await newShare(websiteId, { sessions: true, allowExport: true })
  const readKey = await keyOf(person, { access: 'read' })
  for (const ask of [exported, erased]) {
    expect((await ask(foreign, { distinctId: 'ada' }, person.headers)).status).toBe(403)
    expect((await ask(websiteId, { distinctId: 'ada', websiteId: foreign }, person.headers)).status).toBe(400)
    expect((await ask(websiteId, { distinctId: 'ada' }, share.headers)).status).toBe(403)
    expect((await ask(websiteId, { distinctId: 'ada' }, readKey)).status).toBe(403)
    for (const body of [{}, { distinctId: 'ada', sessionId: own.session_id }, { distinctId: '' }, { sessionId: 'x' }]) {
      expect((await ask(websiteId, body, person.headers)).body.error.issues[0].path).toMatch(/^(distinct|session)Id$/)
    }
    const { body } = await ask(websiteId, { distinctId: 'ada' }, person.headers)
    expect(body.sessions).toEqual([own.session_id])
    expect(JSON.stringify(body)).not.toContain('foreign')
  }
  const log = await send(`/api/admin/audit?actorId=${person.id}`, { headers: operator })
  const said = log.body.data.map(({ action, subjects, fields }: Record<string, unknown>) => [action, subjects, fields])
  expect(said).toEqual(['erasePerson', 'exportPerson'].map((action) => [action, { websiteId }, ['distinctId']]))
  expect((await exported(foreign, { distinctId: 'ada' })).body.sessions).toEqual([own.session_id])
})

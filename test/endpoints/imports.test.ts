import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { weirClient } from '../../src/client/index.js'
import { moment, put } from '../support/callers.ts'
import { metadata } from '../support/metadata.ts'
import { failed, refused } from '../support/refusals.ts'
import { get, running } from '../support/weir.ts'

const progress = { source: 'clickhouse', state: 'running', rowsDone: 5, rowsTotal: 9, rate: 1.5 } as const

const listed = async (id: string) => (await get('/api/admin/imports')).body.find((one: { id: string }) => one.id === id)

const tell = (id: string, changes: object = {}) => put(`/api/admin/imports/${id}`, { ...progress, ...changes })

it('an import reports its progress until it ends, without changing its start time', async () => {
  const importId = randomUUID()
  const section = "events 2025-03 <script>alert(1)</script> ' OR 1=1 --"
  const client = weirClient({ url: running.url, key: running.adminKey })
  expect(await client.putImport({ importId, ...progress, section })).toEqual({ ok: true })
  const first = await listed(importId)
  expect(first).toEqual({
    ...{ id: importId, ...progress, section, error: null, finishedAt: null, isSilent: false },
    ...{ startedAt: moment, updatedAt: moment },
  })
  expect((await tell(importId, { state: 'failed', rowsDone: 7, error: 'no' })).status).toBe(200)
  const failed = { ...first, state: 'failed', rowsDone: 7, section: null, error: 'no', updatedAt: moment }
  expect(await listed(importId)).toEqual({ ...failed, finishedAt: moment })
  // It continues when it runs again.
  await tell(importId, { state: 'following' })
  expect(await listed(importId)).toMatchObject({ state: 'following', finishedAt: null, startedAt: first.startedAt })
})

it('an unfinished import that has not reported for a minute is marked as silent', async () => {
  const [runs, ended] = [randomUUID(), randomUUID()]
  await Promise.all([tell(runs), tell(ended, { state: 'finished' })])
  await metadata
    .prepare('UPDATE imports SET updated_at = updated_at - 60100 WHERE id IN (?1, ?2)')
    .bind(runs, ended)
    .run()
  expect([(await listed(runs)).isSilent, (await listed(ended)).isSilent]).toEqual([true, false])
  await tell(runs)
  expect((await listed(runs)).isSilent).toBe(false)
})

it('only the newest 50 of a thousand imports are kept', async () => {
  await metadata
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO imports (id, source, state, rows_done, rows_total, rate, started_at, updated_at)
       SELECT 'old ' || i, 'export', 'running', 0, 0, 0, i, i FROM n`,
    )
    .run()
  const newest = randomUUID()
  await tell(newest)
  const { body } = await get('/api/admin/imports')
  // Other tests report imports meanwhile.
  const ids: string[] = body.map((one: { id: string }) => one.id)
  const own = ids.filter((one) => one === newest || one.startsWith('old '))
  expect([ids.length, own[0], ids.at(-1)]).toEqual([50, newest, expect.stringMatching(/^old 9\d\d$/)])
  await metadata.prepare("DELETE FROM imports WHERE id LIKE 'old %'").run()
})

it('reports that are too large or have an invalid id are refused', async () => {
  failed(await tell(randomUUID(), { section: 'x'.repeat(100_001) }), { status: 413, code: 'payload-too-large' })
  refused(await tell('one'), 'importId')
})

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { importIdOf, whileTelling } from '../../src/local/import/telling.ts'
import { weir } from '../support/commands.ts'
import { startPostgres } from '../support/postgres.ts'
import { get, running } from '../support/weir.ts'
import { newState, storedIds } from './moving.ts'
import { websiteRows } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()

/** Creates a source with one event in each of two months. */
async function newSource() {
  const { client, url } = await postgres.database()
  await makeTables(client, '3.1')
  const websiteId = randomUUID()
  await insertInto(client, 'website', websiteRows([websiteId]))
  const ids = () => ({ website_id: websiteId, session_id: randomUUID(), visit_id: randomUUID() })
  const events = ['2025-03-04', '2025-04-04'].map((created_at) => ({ event_id: randomUUID(), ...ids(), created_at }))
  await insertInto(
    client,
    'website_event',
    events.map((one) => ({ ...one, event_type: 1, url_path: '/' })),
  )
  return { client, websiteId, words: ['import', 'umami', '--from', url] }
}

const toldOf = async (state: string) =>
  (await get('/api/admin/imports')).body.find(({ id }: { id: string }) => id === importIdOf(state))

it('an import reports its progress to the API and, if it fails, the reason', async () => {
  const { client, websiteId, words } = await newSource()
  const state = newState()
  const env = { WEIR_KEY: running.adminKey }
  expect(await weir([...words, '--state', state, '--api', `${running.url}/`], { env })).toMatchObject({ code: 0 })
  const finished = { source: 'postgresql', state: 'finished', section: null, rowsDone: 2, rowsTotal: 2, error: null }
  expect(await toldOf(state)).toMatchObject(finished)
  await client.query('ALTER TABLE website_event RENAME TO kept')
  await client.query('CREATE VIEW website_event AS SELECT * FROM kept WHERE 1 / (length(url_path) - 1) > 0')
  const failed = await weir([...words, '--website', websiteId, '--state', state], {
    env: { PUBLIC_URL: running.url, WEIR_KEY: running.adminKey },
  })
  expect(failed.code).toBe(1)
  expect(await toldOf(state)).toMatchObject({
    ...{ state: 'failed', section: 'counting rows', error: expect.stringContaining('division by zero') },
  })
})

it('a failing API does not stop the import, is reported once, and is not called in a dry run', async () => {
  for (const [url, key, why] of [
    [running.url, 'wrong', 'it answers 401.'],
    ['http://127.0.0.1:65534', 'x', 'ECONNREFUSED'],
    [`${running.url}/nowhere`, running.adminKey, 'it answers 404.'],
  ] as const) {
    const { websiteId, words } = await newSource()
    const state = newState()
    const told = [...words, '--state', state, '--api', url]
    const env = { WEIR_KEY: key }
    expect((await weir([...told, '--dry-run'], { env })).stderr).not.toContain('does not receive the progress')
    const { code, stderr } = await weir(told, { env })
    expect(code).toBe(0)
    expect(stderr.split('does not receive the progress')).toHaveLength(2)
    expect(stderr).toContain(why)
    expect(stderr).not.toContain(running.adminKey)
    expect(await storedIds(websiteId)).toHaveLength(2)
    expect(await toldOf(state)).toBeUndefined()
  }
})

it('--api must be Weir’s URL without a password, and requires a key', async () => {
  const { words } = await newSource()
  expect((await weir([...words, '--api', running.url])).stderr).toContain('--api needs the key of an admin')
  const env = { WEIR_KEY: 'x' }
  expect((await weir([...words, '--api', 'weir'], { env })).stderr).toContain('--api: Must be the URL of Weir')
  const withPassword = await weir([...words, '--api', 'https://a:hunter2@weir.example'], { env })
  expect(withPassword.stderr).toContain('--api: Must not contain a password')
})

it('an import reports repeatedly, with one request at a time and with texts that the API accepts', async () => {
  let [open, most] = [0, 0]
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open)
    bodies.push((await json(request)) as Record<string, unknown>)
    setTimeout(() => {
      open--
      response.end()
    }, 20)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const listener = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'x', id: randomUUID() }
  const work = whileTelling(
    listener,
    'export',
    () => {},
    async (tell) => {
      tell({ section: `a\u001b[2J\n${'x'.repeat(300)}`, rate: Number.POSITIVE_INFINITY })
      await expect.poll(() => bodies.length).toBeGreaterThan(3)
      throw new Error('')
    },
    1,
  )
  await expect(work).rejects.toThrow()
  expect(most).toBe(1)
  expect(bodies[2]).toMatchObject({ state: 'running', section: expect.stringMatching(/^a\\u\{1b\}/), rate: 1e9 })
  expect(String(bodies[2]!.section)).toHaveLength(200)
  expect(bodies.at(-1)).toMatchObject({ state: 'failed', error: null })
})

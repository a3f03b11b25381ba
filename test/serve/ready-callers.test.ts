import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { places } from '../../src/local/paths.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { metadata } from '../support/metadata.ts'
import { bearer, keyOf, newPerson, websiteOf } from '../support/people.ts'
import { soon } from '../support/soon.ts'
import { running, send } from '../support/weir.ts'

/** A Worker that cannot read ClickHouse. */
let failing: Beside
beforeAll(async () => {
  const nowhere = parseServer({ CLICKHOUSE_URL: 'http://127.0.0.1:9' })
  failing = await startBeside(bundled(running.dataDir, 0, nowhere))
})
afterAll(() => failing.close())

async function ask(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(`${url}/ready`, { headers })
  return { status: answer.status, text: await answer.text() }
}

const origin = 'https://a.example'

describe('GET /ready', () => {
  it('reports, like the first scrape of /metrics, that ClickHouse cannot be reached', async () => {
    const headers = { authorization: `Bearer ${readFileSync(places(running.dataDir).metricsToken, 'utf8')}` }
    const up = async (url: string) =>
      (await (await fetch(`${url}/metrics`, { headers })).text()).match(/replica_up\{.*/)?.[0]
    expect(await up(failing.url)).toBe('replica_up{replica="clickhouse"} 0')
    await soon(async () => expect(await up(running.url)).toBe('replica_up{replica="clickhouse"} 1'))
    expect((await ask(failing.url, {})).status).toBe(503)
  })

  it.each([
    ['a signed-in admin', async () => (await newPerson({ role: 'admin' })).headers],
    ['the operator’s admin key', () => keyOf(undefined)],
    ['a read-only admin key', () => keyOf(undefined, { access: 'read' })],
    ['an admin key, from its origin', async () => ({ ...(await keyOf(undefined, { origins: [origin] })), origin })],
  ])('returns to %s the state of D1 and of each replica', async (_, caller) => {
    const headers = await caller()
    await soon(async () => {
      const { status, body } = await send('/ready', { headers })
      const { logs, replicas, ...rest } = body
      expect([status, rest]).toEqual([200, { ok: true, d1: 'ready' }])
      // Other tests send events to this log, which also causes heartbeats.
      expect(replicas).toEqual([expect.objectContaining({ name: 'clickhouse', state: 'ready' })])
      expect(logs).toEqual([expect.objectContaining({ name: 'log-0', state: 'ready', waiting: expect.any(Number) })])
    })
    const refused = await ask(failing.url, headers)
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
      503,
      'These cannot be read right now: clickhouse. Try again.',
    ])
  })

  it.each<[string, () => Promise<Readonly<Record<string, string>>>]>([
    ['nobody', async () => ({})],
    ['a wrong key', async () => bearer(`api_${'x'.repeat(43)}`)],
    ['a wrong token', async () => bearer('x')],
    [
      'an admin who must set up a second factor first',
      async () => {
        const { id, headers } = await newPerson({ role: 'admin' })
        await metadata.prepare('UPDATE users SET two_factor_required = 1 WHERE id = ?1').bind(id).run()
        return headers
      },
    ],
    ['an expired key', () => keyOf(undefined, { expiresAt: Date.now() - 1000 })],
    ['an invalid key, in another header', async () => ({ 'x-weir-api-key': 'x' })],
    ['a user', async () => (await newPerson()).headers],
    ['a view-only user', async () => (await newPerson({ role: 'view-only' })).headers],
    ['the key of an admin', async () => keyOf(await newPerson({ role: 'admin' }))],
    ['a key for one website', async () => keyOf(undefined, { websiteIds: [await websiteOf()] })],
    ['an admin key, from another origin', async () => keyOf(undefined, { origins: [origin] })],
    ['two credentials', async () => ({ ...(await keyOf(undefined)), 'x-weir-api-key': `api_${'x'.repeat(43)}` })],
  ])('returns to %s only whether everything works', async (_, caller) => {
    const headers = await caller()
    await soon(async () => expect(await ask(running.url, headers)).toEqual({ status: 200, text: '{"ok":true}' }))
    const refused = await ask(failing.url, headers)
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
      503,
      'D1, ClickHouse or collection is failing right now. Try again.',
    ])
  })
})

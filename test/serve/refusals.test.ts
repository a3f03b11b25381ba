import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/access/api-key.ts'
import { bundled, usualCache } from '../../src/local/start/workerd.ts'
import { config } from '../../src/local/start/wrangler-toml.ts'
import { batch, batchInit, statuses } from '../support/batch.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import type { Headers } from '../support/callers.ts'
import { withinAMinute } from '../support/minute.ts'
import { describedIn } from '../support/openapi.ts'
import { bearer, keyOf, newPerson, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { rowlessServer } from '../support/rowless.ts'
import { publicWebsite, share } from '../support/ways.ts'
import { day } from '../support/website.ts'
import { pathOf, type Reply, running } from '../support/weir.ts'

const most = 6
const strictly = bundled(running.dataDir, 0, rowlessServer, { LIMIT_REFUSALS: { limit: most, period: 60 } }, usualCache)
/** A Worker with a deployment's limits. */
const asShipped = bundled(running.dataDir, 0, rowlessServer, config.vars.RATE_LIMITS)
let strict: Beside
let shipped: Beside

let url: string
let shippedUrl: string
beforeAll(async () => {
  ;[strict, shipped] = await Promise.all([startBeside(strictly), startBeside(asShipped)])
  url = strict.url
  shippedUrl = shipped.url
})
afterAll(async () => {
  await strict.close()
  await shipped.close()
})

async function ask(path: string, headers: Headers, init: RequestInit = {}, to = url): Promise<Reply> {
  const response = await fetch(to + path, { ...init, headers: { ...headers, ...(init.headers as Headers) } })
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  await describedIn(init.method ?? 'GET', path, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

const newAddress = (): Headers => ({
  'cf-connecting-ip': `10.${[...crypto.getRandomValues(new Uint8Array(3))].join('.')}`,
})

const report = (websiteId: string, query: Readonly<Record<string, string>> = {}): string =>
  pathOf(`/api/websites/${websiteId}/event-data/stats`, { ...day, ...query })

function stopped(reply: Reply): void {
  failed(reply, { status: 429, code: 'too-many-requests' })
  expect(reply.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(reply.headers.get('ratelimit-policy')).toBe(`"refusals";q=${most};w=60`)
  expect(reply.headers.get('www-authenticate')).toBe(null)
}

/** Uses up the limit and then exceeds it. */
async function exhaust(address: Headers): Promise<void> {
  for (let count = 0; count < most; count++) expect((await ask('/api/nothing', address)).status).toBe(404)
  stopped(await ask('/api/nothing', address))
}

const large = { method: 'POST', headers: { 'content-type': 'application/json' }, body: ' '.repeat(100_001) }

describe('an address’s refusals', () => {
  it('are counted together for all reasons; beyond the limit, requests get a 429 without being read', () =>
    withinAMinute(async () => {
      const [open, closed] = [await publicWebsite({}), await publicWebsite({ origins: ['https://a.example'] })]
      const [address, other] = [newAddress(), newAddress()]
      const refusals: readonly [status: number, path: string, init?: RequestInit][] = [
        [400, report(open, { browser1x: 'x' })],
        [401, report(await websiteOf())],
        [403, report(closed)],
        [404, '/api/nothing'],
        [404, `/api/share/${randomUUID()}`],
        [413, '/api/read', large],
      ]
      expect(refusals).toHaveLength(most)
      for (const [status, path, init] of refusals) expect((await ask(path, address, init)).status).toBe(status)
      for (const [, path, init] of refusals) stopped(await ask(path, address, init))
      for (const path of [report(open), report(open, { surprise: 'x' }), '/health', '/ready', '/openapi.json']) {
        stopped(await ask(path, address))
      }
      stopped(await ask('/api/read', address, batchInit(['/health'], {})))
      expect((await ask(report(open), other)).status).toBe(200)
      const preflight = await fetch(url + report(open), { method: 'OPTIONS', headers: address })
      expect(preflight.status).toBe(204)
    }))

  it('do not include answers or refused methods', () =>
    withinAMinute(async () => {
      const [open, address] = [await publicWebsite({}), newAddress()]
      for (let count = 0; count <= most; count++) {
        expect((await ask(report(open), address)).status).toBe(200)
        expect((await ask('/health', address, { method: 'DELETE' })).status).toBe(405)
      }
      await exhaust(address)
      stopped(await ask(report(open), address))
    }))

  it('do not include those of callers with a valid key or sign-in, who are never blocked', () =>
    withinAMinute(async () => {
      const [open, address, person] = [await publicWebsite({}), newAddress(), await newPerson()]
      const [owned, shared] = [await websiteOf({ userId: person.id }), await share()]
      const known = [person.headers, await keyOf(person), await keyOf(undefined)]
      const mistakes = async (headers: Headers) => {
        const all = { ...address, ...headers }
        refused(await ask(report(owned, { surprise: 'x' }), all), 'surprise')
        expect((await ask('/api/nothing', all)).status).toBe(404)
        expect((await ask('/api/read', all, large)).status).toBe(413)
        expect((await ask('/api/read', all, batchInit([], {}))).status).toBe(400)
        expect(statuses(await batch(['/api/nothing', report('x')], all, { url }))).toEqual([404, 400])
      }
      for (const headers of known) for (const _ of [1, 2, 3]) await mistakes(headers)
      await exhaust(address)
      stopped(await ask(report(open), address))
      for (const headers of known) await mistakes(headers)
      for (const headers of known) expect((await ask(report(owned), { ...address, ...headers })).status).toBe(200)
      stopped(await ask(report(shared.websiteId), { ...address, ...shared.headers }))
      stopped(await ask(report(owned), { ...address, ...bearer(newKey()) }))
      stopped(await ask(report(owned), { ...address, ...known[0], 'x-weir-api-key': newKey() }))
    }))

  it('are counted for a whole IPv6 /64', () =>
    withinAMinute(async () => {
      const group = `2001:db8:f${randomUUID().slice(0, 3)}:f${randomUUID().slice(0, 3)}`
      for (let count = 0; count < most; count++) {
        expect((await ask('/api/nothing', { 'cf-connecting-ip': `${group}::${count}` })).status).toBe(404)
      }
      stopped(await ask('/api/nothing', { 'cf-connecting-ip': `${group}:1:2:3:4` }))
      stopped(await ask('/health', { 'cf-connecting-ip': `${group}:5:6:7:8` }))
      expect((await ask('/health', { 'cf-connecting-ip': `2001:db8::${group.slice(-5)}` })).status).toBe(200)
    }))

  it('include each refused path in a batch once, but not the batch itself', () =>
    withinAMinute(async () => {
      const [open, address] = [await publicWebsite({}), newAddress()]
      const all = ['/api/nothing', report(open), report(open, { surprise: 'x' }), report(await websiteOf())]
      expect(statuses(await batch(all, address, { url }))).toEqual([404, 200, 400, 401])
      const more = await batch([...all, '/api/nothing'], address, { url })
      expect(statuses(more).filter((status) => status === 429).length).toBeGreaterThan(0)
      stopped(await ask(report(open), address))
      const [another, five] = [newAddress(), Array<string>(most - 1).fill('/api/nothing')]
      expect(new Set(statuses(await batch(five, another, { url })))).toEqual(new Set([404]))
      expect((await ask('/api/nothing', another)).status).toBe(404)
      stopped(await ask('/api/nothing', another))
    }))

  it('beyond the limit also block cached answers', () =>
    withinAMinute(async () => {
      const [path, address] = [report(await publicWebsite({})), newAddress()]
      for (const cache of ['MISS', 'HIT', 'HIT']) {
        expect((await ask(path, address)).headers.get('x-cache')).toBe(cache)
      }
      await exhaust(address)
      stopped(await ask(path, address))
      expect((await ask(path, newAddress())).headers.get('x-cache')).toBe('HIT')
    }))

  it('may be 60 a minute, as in an office, in which everybody still gets answers', () =>
    withinAMinute(async () => {
      const [open, office] = [await publicWebsite({}), newAddress()]
      for (let count = 0; count < 60; count++) {
        refused(await ask(report(open, { surprise: 'x' }), office, {}, shippedUrl), 'surprise')
        expect((await ask(report(open), office, {}, shippedUrl)).status).toBe(200)
      }
    }))
})

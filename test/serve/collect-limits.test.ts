import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { config } from '../../src/local/start/wrangler-toml.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { type Headers, operator } from '../support/callers.ts'
import { firefox } from '../support/collecting.ts'
import { withinAMinute } from '../support/minute.ts'
import { describedIn } from '../support/openapi.ts'
import { moved, recordedWebsite } from '../support/recording.ts'
import { failed } from '../support/refusals.ts'
import { type Reply, running } from '../support/weir.ts'

/** Tests the limits on recordings and on refusals per address. Accepted events are never limited. */

const most = { record: 5, refusals: 4 } as const
const quotas = {
  LIMIT_RECORD: { limit: most.record, period: 60 },
  LIMIT_COLLECT_REFUSALS: { limit: most.refusals, period: 60 },
  LIMIT_REFUSALS: { limit: 3, period: 60 },
}
const options = bundled(running.dataDir, 0, parseServer({ CLICKHOUSE_URL: running.clickhouse }), quotas)
let strict: Beside
let websiteId: string

beforeAll(async () => {
  const proxied = { CLIENT_IP_HEADER: 'x-real-ip', TRUSTED_PROXIES: '198.51.100.0/24' }
  strict = await startBeside({ ...options, bindings: { ...options.bindings, ...proxied } })
  websiteId = await recordedWebsite()
})
afterAll(() => strict.close())

async function post(path: string, body: unknown, headers: Headers): Promise<Reply> {
  const init = { method: 'POST', headers: { 'user-agent': firefox, ...headers }, body: JSON.stringify(body) }
  const answer = await fetch(strict.url + path, init)
  const said = (await answer.json()) as Reply['body']
  await describedIn('POST', path, answer.status, said)
  return { status: answer.status, headers: answer.headers, body: said }
}

const bytes = (count: number) => [...crypto.getRandomValues(new Uint8Array(count))]
const newAddress = (): Headers => ({ 'cf-connecting-ip': `10.${bytes(3).join('.')}` })

const event = () => ({ type: 'event', payload: { website: websiteId, url: '/' } })
const send = (headers: Headers) => post('/api/send', event(), headers)

/** Starts a visit at this address. Returns a function that sends a recording of the visit. */
async function recorder(headers: Headers) {
  const { cache } = (await send(headers)).body
  return (from = headers) => {
    const body = { type: 'record', payload: { website: websiteId, events: [moved(Date.now())] } }
    return post('/api/record', body, { ...from, 'x-umami-cache': cache })
  }
}

/** `policy` is the exhausted limit. */
function limited(reply: Reply, policy: string): void {
  failed(reply, { status: 429, code: 'too-many-requests' })
  expect(reply.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(reply.headers.get('ratelimit-policy')).toBe(policy)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
}

const recordPolicy = `"record";q=${most.record};w=60`
const refusalPolicy = `"collect-refusals";q=${most.refusals};w=60`

describe('recordings from an address', () => {
  it('are limited by LIMIT_RECORD, but its events and other addresses’ recordings are still accepted', () =>
    withinAMinute(async () => {
      const [address, other] = [newAddress(), newAddress()]
      const [record, another] = [await recorder(address), await recorder(other)]
      for (let count = 0; count < most.record; count++) expect((await record()).body).toEqual({ ok: true })
      limited(await record(), recordPolicy)
      limited(await post('/api/record', 'no recording', address), recordPolicy)
      expect((await send(address)).status).toBe(200)
      expect((await another()).body).toEqual({ ok: true })
    }))

  it('are counted for a whole IPv6 /64, and separately for visitors that a trusted proxy reports', () =>
    withinAMinute(async () => {
      const network = `2001:db8:${bytes(2).join(':')}`
      const own = await recorder({ 'cf-connecting-ip': `${network}::1` })
      for (let count = 0; count < most.record; count++) expect((await own()).status).toBe(200)
      limited(await own({ 'cf-connecting-ip': `${network}:1:2:3:4` }), recordPolicy)
      const visitors = [1, 2].map(() => ({
        'cf-connecting-ip': '198.51.100.1',
        'x-real-ip': `10.${bytes(3).join('.')}`,
      }))
      for (const visitor of visitors) {
        const record = await recorder(visitor)
        for (let count = 0; count < most.record; count++) expect((await record()).status).toBe(200)
        limited(await record(), recordPolicy)
      }
    }))
})

describe('refusals of collection requests', () => {
  const wrong = { type: 'event', payload: { website: 'no UUID' } }

  it('are counted together; beyond LIMIT_COLLECT_REFUSALS they are 429, but valid data is accepted', () =>
    withinAMinute(async () => {
      const [address, other] = [newAddress(), newAddress()]
      const record = await recorder(address)
      const refusals: readonly (readonly [status: number, path: string, body: unknown])[] = [
        [400, '/api/send', wrong],
        [400, '/api/batch', {}],
        [400, '/api/record', {}],
        [413, '/api/send', 'x'.repeat(200_000)],
      ]
      expect(refusals).toHaveLength(most.refusals)
      for (const [status, path, body] of refusals) expect((await post(path, body, address)).status).toBe(status)
      for (const [, path, body] of refusals) limited(await post(path, body, address), refusalPolicy)
      expect((await send(address)).body).toMatchObject({ cache: expect.any(String) })
      expect((await post('/api/batch', [event(), wrong], address)).body).toMatchObject({ processed: 1, errors: 1 })
      expect((await record()).body).toEqual({ ok: true })
      expect((await post('/api/send', wrong, other)).status).toBe(400)
      // Other kinds of refusals have a separate limit.
      const health = await fetch(`${strict.url}/health`, { headers: address })
      expect(health.status).toBe(200)
    }))

  it('are limited to 600 a minute by default, and so are recordings', () => {
    const shipped = { limit: 600, period: 60 }
    expect(config.vars.RATE_LIMITS).toMatchObject({ LIMIT_RECORD: shipped, LIMIT_COLLECT_REFUSALS: shipped })
  })

  it('include unknown keys: beyond the limit, no keys from that address are looked up', () =>
    withinAMinute(async () => {
      const [address, other] = [newAddress(), newAddress()]
      const named = { type: 'event', payload: { website: websiteId, ip: '203.0.113.250', url: '/' } }
      const sessionFor = async (from: Headers, authorization: string) => {
        const { status, body } = await post('/api/send', named, { ...from, authorization })
        expect(status).toBe(200)
        return body.sessionId as string
      }
      const own = await sessionFor(address, operator.authorization!)
      const unknown = () => `Bearer api_${Buffer.from(bytes(32)).toString('base64url')}`
      for (let tries = 0; tries <= most.refusals; tries++) {
        expect(await sessionFor(address, unknown())).not.toBe(own)
      }
      expect(await sessionFor(address, operator.authorization!)).not.toBe(own)
      expect(await sessionFor(other, operator.authorization!)).toBe(own)
    }))
})

import { beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../support/raw.ts'
import { failed, refused } from '../support/refusals.ts'
import { events } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { send } from '../support/rowless.ts'
import { newId } from '../support/website.ts'
import { get, newWebsite, running } from '../support/weir.ts'

/** Tests the checks before an endpoint's own input: URLs, bodies, methods, origins, order, ids. */

const key = { authorization: `Bearer ${running.adminKey}` }
const json = { ...key, 'content-type': 'application/json' }

let websiteId: string
/** The path of a valid request, and one without parameters. */
let path: string
let bare: string
beforeAll(async () => {
  websiteId = await newWebsite()
  path = pathTo(events, { websiteId })
  bare = `/api/websites/${websiteId}/events`
})

describe('a URL that is not percent-encoded UTF-8', () => {
  const malformed = ['%', '%f', '%zz', '%ff', '%C0%80', '%ED%A0%80', '%E0%A4', '100%']

  it.each(malformed)('is refused in a value: %s', async (text) => {
    refused(await send(`${path}&browser=${text}`, { headers: key }), 'browser')
  })

  it.each(malformed)('is refused in a name: %s', async (text) => {
    const { status, body } = await send(`${path}&${text}=x`, { headers: key })
    expect([status, body.error.code]).toStrictEqual([400, 'bad-request'])
  })

  it('is refused in a path', async () => {
    for (const path of ['/api/websites/\xff/events', `/api/websites/${websiteId}/event-data/\xfe\xff`]) {
      const { status, text } = await sendRaw('GET', path, key)
      expect([status, JSON.parse(text).error.code]).toStrictEqual([400, 'bad-request'])
    }
  })

  it('does not cause a server error, even if it has raw bytes in a value', async () => {
    const { status } = await sendRaw('GET', `${path}&browser=\xff`, key)
    expect([200, 400]).toContain(status)
  })
})

describe('a body', () => {
  it('is refused with GET, whatever it contains', async () => {
    for (const body of ['{}', 'x', '\0', JSON.stringify(events.example.query)]) {
      const { status, text, headers } = await sendRaw('GET', path, json, body)
      expect({ status, body: JSON.parse(text) }).toStrictEqual({
        status: 400,
        body: {
          error: {
            ...{ message: expect.stringContaining('body'), code: 'bad-request', status: 400 },
            requestId: headers['x-request-id'],
          },
        },
      })
    }
  })

  it('counts as no body if it has no bytes', async () => {
    const websiteId = await newWebsite()
    const empty = { ...key, 'content-length': '0' }
    expect(await sendRaw('GET', `/api/websites/${websiteId}`, empty)).toMatchObject({ status: 200 })
    expect(await sendRaw('DELETE', `/api/websites/${websiteId}`, empty)).toMatchObject({ status: 200 })
  })
})

describe('methods', () => {
  const allowed: readonly (readonly [path: string, allow: string, wrong: readonly string[]])[] = [
    [
      '/api/websites/11111111-1111-4111-8111-111111111111/events',
      'GET, HEAD, OPTIONS',
      ['POST', 'PUT', 'PATCH', 'DELETE'],
    ],
    ['/api/websites', 'GET, HEAD, OPTIONS, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/api/websites/11111111-1111-4111-8111-111111111111', 'GET, HEAD, OPTIONS, POST, DELETE', ['PUT', 'PATCH']],
    ['/health', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/openapi.json', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ]

  it.each(allowed)('for %s are %s', async (path, allow, wrong) => {
    for (const method of wrong) {
      for (const headers of [key, {}]) {
        const reply = await send(path, { method, headers })
        failed(reply, { status: 405, code: 'method-not-allowed' })
        expect(reply.headers.get('allow')?.split(', ').sort()).toStrictEqual(allow.split(', ').sort())
      }
    }
  })

  it('HEAD returns the same status and headers as GET, without the body', async () => {
    const [head, whole] = [await send(path, { method: 'HEAD', headers: key }), await send(path, { headers: key })]
    expect([head.status, head.body]).toStrictEqual([200, undefined])
    const compared = ['content-type', 'x-total-count', 'cache-control', 'access-control-allow-origin', 'link']
    expect(compared.map((name) => head.headers.get(name))).toStrictEqual(
      compared.map((name) => whole.headers.get(name)),
    )
  })
})

describe('other origins', () => {
  const origin = { origin: 'https://dashboard.example' }

  it.each([`/api/websites/${newId()}/events`, '/api/websites', '/openapi.json', '/health'])(
    'may send a preflight for %s without a key, and cache it for a day',
    async (path) => {
      const preflight = {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-weir-api-key',
      }
      const { status, headers, body } = await send(path, { method: 'OPTIONS', headers: preflight })
      expect([status, body]).toStrictEqual([204, undefined])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-max-age')).toBe('86400')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      const methods = headers.get('access-control-allow-methods')?.split(',')
      expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'DELETE']))
      const names = headers.get('access-control-allow-headers')?.toLowerCase().split(',')
      expect(names).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'x-weir-api-key', 'x-umami-api-key']),
      )
    },
  )

  it('may read answers and refusals, including their headers', async () => {
    const replies = [
      await send(path, { headers: { ...key, ...origin } }),
      await send(bare, { headers: { ...key, ...origin } }),
      await send(bare, { headers: origin }),
      await send('/nothing', { headers: origin }),
      await send(bare, { method: 'PUT', headers: origin }),
    ]
    expect(replies.map(({ status }) => status)).toStrictEqual([200, 400, 401, 404, 405])
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('access-control-expose-headers')?.toLowerCase().split(',')).toEqual(
        expect.arrayContaining(['link', 'x-total-count', 'x-request-id', 'retry-after']),
      )
    }
  })
})

describe('the order of refusals', () => {
  it.each([
    ...['/api', '/api/websites/', '/api/websites/x/y', '/openapi.json/', '/API/websites', '/__proto__'],
    ...['/api/websites/x/events/', '/api/websites//events', '/%00', '/%ff'],
  ])('%s is not found, whoever requests it', async (path) => {
    for (const headers of [{}, key, { authorization: 'Bearer wrong' }]) {
      failed(await send(path, { headers }), { status: 404, code: 'not-found' })
    }
  })

  it.each(['/api/websites/x/events', '/api/websites', '/api/websites/x'])(
    'the credential is checked before the input: %s',
    async (path) => {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-weir-api-key': `api_${'x'.repeat(43)}` }]) {
        const reply = await send(`${path}?nothing=x`, { headers })
        failed(reply, { status: 401, code: 'unauthorized' })
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      }
    },
  )

  it('the key is checked before the body', async () => {
    const headers = { 'content-type': 'application/json' }
    failed(await send('/api/websites', { method: 'POST', headers, body: '{' }), { status: 401, code: 'unauthorized' })
  })

  it('the input is checked before the permissions', async () => {
    refused(await get(pathTo(events, { websiteId: newId() }, { nothing: 'x' })), 'nothing')
    failed(await get(pathTo(events, { websiteId: newId() })), { status: 403, code: 'forbidden' })
  })
})

describe('a request id', () => {
  it('is in the headers of every response, and in the body of every refusal', async () => {
    const replies = [
      await send('/health'),
      await send('/openapi.json'),
      await send(path, { headers: key }),
      await send(bare, { headers: key }),
      await send('/nothing'),
    ]
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(5)
    for (const one of ids) expect(one).toMatch(/^[\w-]{8,64}$/)
    expect(replies.slice(3).map(({ body }) => body.error.requestId)).toStrictEqual(ids.slice(3))
  })

  it('can be set by the caller if it is short and plain', async () => {
    for (const given of ['abc-123_X', 'x'.repeat(64)]) {
      const { headers, body } = await send('/nothing', { headers: { 'x-request-id': given } })
      expect([headers.get('x-request-id'), body.error.requestId]).toStrictEqual([given, given])
    }
    for (const given of ['x'.repeat(65), 'a b', '<script>', "'", 'a,b']) {
      const { headers, body } = await send('/nothing', { headers: { 'x-request-id': given } })
      expect(headers.get('x-request-id')).not.toBe(given)
      expect(body.error.requestId).toBe(headers.get('x-request-id'))
    }
  })
})

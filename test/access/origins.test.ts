import { beforeAll, describe, expect, it } from 'vitest'
import { forbidden, type Headers, newShare, notFound, operator, post, unauthorized } from '../support/callers.ts'
import { published } from '../support/openapi.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import { failed } from '../support/refusals.ts'
import { rowless, send } from '../support/rowless.ts'
import { pathOf, type Reply } from '../support/weir.ts'

const allowed = 'https://www.example.com'
const local = 'http://localhost:3000'
const origins = [allowed, local]

const statsOf = (id: string) => pathOf(`/api/websites/${id}/events/stats`, { startAt: 1e11, endAt: 1e11 + 1 })

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })
const path = statsOf(websiteId)

/** The CORS headers of a response. */
const cors = ({ status, headers }: Reply) => ({
  ...{ status, origin: headers.get('access-control-allow-origin'), vary: headers.get('vary') },
})

describe('without a limit on origins, any page', () => {
  it('may read answers and error messages', async () => {
    const requests: [string, RequestInit, number][] = [
      [path, { headers: operator }, 200],
      [`${path}&nothing=1`, { headers: operator }, 400],
      [path, {}, 401],
      [path, { headers: (await newPerson()).headers }, 403],
      ['/api/share/nobody', {}, 404],
      ['/nothing', {}, 404],
      [path, { method: 'PUT', headers: operator }, 405],
      ['/health', {}, 200],
      ['/openapi.json', {}, 200],
    ]
    for (const [at, init, status] of requests) {
      const reply = await send(at, {
        ...init,
        headers: { ...init.headers, origin: 'https://anyone.example' } as Headers,
      })
      // Browsers get a page for unknown paths, so the response varies by Accept.
      const vary = at === '/nothing' ? 'Accept' : null
      expect([at, cors(reply)]).toStrictEqual([at, { status, origin: '*', vary }])
      expect(reply.headers.get('access-control-expose-headers')).toBe(
        'Link,X-Total-Count,X-Request-Id,RateLimit-Policy,Retry-After,ETag,Age,Server-Timing,X-Cache,X-Range,X-Source,X-Replica,X-As-Of,X-Tries,Content-Disposition,X-Max-Rows,X-Capped',
      )
      expect(reply.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('may send a preflight for every path, without a credential, and cache it for a day', async () => {
    const { document } = await published()
    const paths = Object.keys(document.paths).map((template) =>
      template.replace(/\{slug\}/, 'x').replace(/\{\w+\}/g, websiteId),
    )
    expect(paths.length).toBeGreaterThan(10)
    const collecting = ['/api/send', '/api/batch', '/api/record']
    for (const at of [
      ...paths.filter((one) => !collecting.includes(one)),
      '/openapi.json',
      '/nothing',
      `${path}&share=nobody`,
    ]) {
      const { status, headers, text } = await sendRaw('OPTIONS', at, {
        origin: 'https://anyone.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-umami-share-token',
      })
      expect([at, status, text]).toStrictEqual([at, 204, ''])
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
        'access-control-max-age': '86400',
        'access-control-allow-headers':
          'Authorization,x-weir-api-key,x-umami-api-key,x-weir-share-token,x-umami-share-token,x-umami-share-context,Content-Type,X-Request-Id,Mcp-Protocol-Version,Mcp-Method,Mcp-Name',
      })
    }
  })
})

/** Everything that can be limited to some origins, with a request that uses it. */
type Limited = { readonly path: string; readonly headers: Headers }

const limited: Readonly<Record<string, () => Promise<Limited>>> = {
  'an operator’s key': async () => ({ path, headers: await keyOf(undefined, { origins }) }),
  'a person’s key': async () => ({ path, headers: await keyOf(owner, { origins }) }),
  'a share by its token': async () => ({
    path,
    headers: (await newShare(websiteId, { events: true, origins })).headers,
  }),
  'a share by its slug': async () => ({
    path: `${path}&share=${(await newShare(websiteId, { events: true, origins })).slug}`,
    headers: {},
  }),
  'a public website': async () => ({
    path: statsOf(await websiteOf({ userId: owner.id }, { public: JSON.stringify({ events: true, origins }) })),
    headers: {},
  }),
  'a public website, for a signed-in outsider': async () => ({
    path: statsOf(await websiteOf({}, { public: JSON.stringify({ events: true, origins }) })),
    headers: owner.headers,
  }),
  'the slug of a share': async () => ({
    path: `/api/share/${(await newShare(websiteId, { origins })).slug}`,
    headers: {},
  }),
}

describe.each(Object.keys(limited))('%s with a limit', (kind) => {
  let own: Limited

  beforeAll(async () => {
    own = await limited[kind]!()
  })

  const ask = (headers: Headers, more = '') => send(own.path + more, { headers: { ...own.headers, ...headers } })

  it('allows pages from these origins, and returns their origin in the CORS header', async () => {
    for (const origin of origins)
      expect(cors(await ask({ origin }))).toStrictEqual({ status: 200, origin, vary: 'Origin' })
  })

  it('refuses every other page, and clients that are not browsers', async () => {
    const others: Headers[] = [
      {},
      ...['https://evil.example', 'null', '*', '', `${allowed}/`, `${allowed}:443`, `${allowed}.evil.example`]
        .concat(['http://www.example.com', 'HTTPS://WWW.EXAMPLE.COM', `${allowed} ${local}`, `${allowed},${local}`])
        .map((origin) => ({ origin })),
      { referer: `${allowed}/` },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ]
    for (const headers of others) {
      const reply = await ask(headers)
      failed(reply, forbidden)
      expect([headers, cors(reply)]).toStrictEqual([headers, { status: 403, origin: null, vary: 'Origin' }])
    }
  })
})

describe('an origin limit', () => {
  it('sends CORS headers even if a request is refused for another reason', async () => {
    const key = await keyOf(owner, { origins })
    const elsewhere = statsOf(await websiteOf({}))
    const share = await newShare(websiteId, { events: true, origins })
    const asks: [string, Headers, number][] = [
      [`${path}&nothing=1`, key, 400],
      [elsewhere, key, 403],
      ['/api/me/api-keys', key, 403],
      [`/api/share/id/${share.id}x`, key, 400],
      [`${path}&nothing=1`, share.headers, 400],
      [elsewhere, share.headers, 403],
      ['/api/websites', share.headers, 403],
    ]
    for (const [at, headers, status] of asks) {
      const [good, bad] = [allowed, 'https://evil.example'].map((origin) =>
        send(at, { headers: { ...headers, origin } }),
      )
      expect([at, cors(await good!)]).toStrictEqual([at, { status, origin: allowed, vary: 'Origin' }])
      expect([at, cors(await bad!)]).toStrictEqual([at, { status, origin: null, vary: 'Origin' }])
    }
  })

  it('applies to all requests that use its key or share', async () => {
    const key = await keyOf(owner, { origins })
    for (const [at, headers] of [
      ['/api/websites', key],
      [`/api/websites/${websiteId}`, key],
      [`/api/websites/${websiteId}/shares`, key],
    ] as const) {
      failed(await send(at, { headers }), forbidden)
      expect(cors(await send(at, { headers: { ...headers, origin: local } }))).toMatchObject({
        status: 200,
        origin: local,
      })
    }
    failed(await post(`/api/websites/${websiteId}/shares`, { name: 'never made' }, key), forbidden)
    const { body } = await send(pathOf(`/api/websites/${websiteId}/shares`, { search: 'never made' }), {
      headers: operator,
    })
    expect(body.count).toBe(0)
  })

  it('applies to a key in addition to the limit of a public website', async () => {
    const open = await websiteOf(
      {},
      { public: JSON.stringify({ events: true, origins: [allowed, 'https://b.example'] }) },
    )
    const key = await keyOf(owner, { origins: [allowed, 'https://c.example'] })
    const statusFrom = async (origin: string) => (await send(statsOf(open), { headers: { ...key, origin } })).status
    expect(await statusFrom(allowed)).toBe(200)
    expect(await statusFrom('https://b.example')).toBe(403)
    expect(await statusFrom('https://c.example')).toBe(403)
  })

  it('does not apply to readers with a right of their own on a public website', async () => {
    const open = await websiteOf({ userId: owner.id }, { public: JSON.stringify({ events: true, origins }) })
    const reply = await send(statsOf(open), { headers: { ...owner.headers, origin: 'https://anyone.example' } })
    expect(cors(reply)).toStrictEqual({ status: 200, origin: '*', vary: null })
  })

  it('allows Weir’s own pages, which send no Origin with GET, if it includes Weir’s own origin', async () => {
    const key = await keyOf(owner, { origins: [rowless.url] })
    const ask = (headers: Headers) => send(path, { headers: { ...key, ...headers } })
    expect(cors(await ask({ 'sec-fetch-site': 'same-origin' }))).toMatchObject({ status: 200, origin: rowless.url })
    for (const site of ['cross-site', 'same-site', 'none', '']) failed(await ask({ 'sec-fetch-site': site }), forbidden)
  })

  it('does not help attackers find a valid credential', async () => {
    const reply = await send(path, { headers: { authorization: 'Bearer wrong', origin: allowed } })
    failed(reply, unauthorized)
    expect(cors(reply).origin).toBe('*')
    failed(await send('/api/share/nobody', { headers: { origin: allowed } }), notFound)
  })
})

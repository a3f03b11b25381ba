import { beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../src/access/api-key.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { event, string } from '../oracle/fixtures.ts'
import { metadata } from '../support/metadata.ts'
import { failed } from '../support/refusals.ts'
import { eventId, eventName, eventReports, events } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { newId, websiteWith } from '../support/website.ts'
import { newWebsite, pathOf, type Reply, running, send } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` })
const admin = bearer(running.adminKey)

const unauthorized = { status: 401, code: 'unauthorized' }
const forbidden = { status: 403, code: 'forbidden' }

let mine: string
let mineToo: string
let theirs: string
let key: string

beforeAll(async () => {
  const rows = [event({ event_id: eventId, event_name: eventName }, [string('plan', 'pro')])]
  mine = await websiteWith(...rows)
  mineToo = await websiteWith(...rows)
  theirs = await websiteWith(...rows)
  key = await scopedKey(mine, mineToo)
})

const scopedKey = (...websiteIds: string[]): Promise<string> =>
  createKey(metadata, 'scoped', { admin: false, access: 'read', websiteIds }, 1_760_529_600_000)

const create = (body: object, headers: Headers = admin): Promise<Reply> =>
  send('/api/websites', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const remove = (websiteId: string, headers: Headers = admin): Promise<Reply> =>
  send(`/api/websites/${websiteId}`, { method: 'DELETE', headers })

const statusOf = async (headers: Headers, websiteId = mine): Promise<number> =>
  (await send(`/api/websites/${websiteId}`, { headers })).status

describe('a key', () => {
  it('gives access to its own websites, and an admin key to every website', async () => {
    for (const websiteId of [mine, mineToo, mine.toUpperCase()]) {
      const path = pathTo(events, { websiteId })
      const [own, all] = [await send(path, { headers: bearer(key) }), await send(path, { headers: admin })]
      expect([own.status, own.body]).toStrictEqual([200, all.body])
    }
  })

  it('leads to a specific error message if it is missing, wrong or sent without the word Bearer', async () => {
    const told = async (headers: Headers): Promise<string> => {
      const { status, body } = await send(pathTo(events, { websiteId: mine }), { headers })
      expect(status).toBe(401)
      return body.error.message.split('. ')[0]
    }
    const wrong = 'This credential is not valid, or two that were sent differ'
    expect(await told({})).toBe('This needs a credential')
    expect(await told(bearer('api_nobodys'))).toBe(wrong)
    expect(await told(bearer(`${key}x`))).toBe(wrong)
    expect(await told({ 'x-weir-api-key': 'api_nobodys' })).toBe(wrong)
    expect(await told({ ...bearer(key), 'x-weir-api-key': running.adminKey })).toBe(wrong)
    expect(await told({ authorization: key })).toBe('Write the word Bearer before the key')
    expect(await told({ authorization: `Basic ${key}` })).toBe('Write the word Bearer before the key')
  })

  it('opens no website if none is assigned to it', async () => {
    const useless = await scopedKey()
    failed(await send(`/api/websites/${mine}`, { headers: bearer(useless) }), forbidden)
    const { status, body } = await send('/api/websites', { headers: bearer(useless) })
    expect([status, body]).toStrictEqual([200, { data: [], count: 0, page: 1, pageSize: 20 }])
  })
})

describe('an API key in a request', () => {
  it('is accepted in any of three headers', async () => {
    for (const headers of [
      bearer(key),
      { authorization: `bearer ${key}` },
      { authorization: `BEARER  ${key}` },
      { 'x-weir-api-key': key },
      { 'X-Umami-API-Key': key },
    ]) {
      expect(await statusOf(headers as Headers)).toBe(200)
    }
  })

  it.each(['x-weir-api-key', 'x-umami-api-key'])('is refused together with a different key in %s', async (name) => {
    const path = `/api/websites/${mine}`
    for (const other of [running.adminKey, `api_${'x'.repeat(43)}`, 'x']) {
      failed(await send(path, { headers: { ...bearer(key), [name]: other } }), unauthorized)
      failed(await send(path, { headers: { ...bearer(other), [name]: key } }), unauthorized)
    }
    failed(await send(path, { headers: { authorization: 'Basic eDp5', [name]: key } }), unauthorized)
  })

  it('is accepted only if it is complete and unchanged', async () => {
    const other = key.endsWith('A') ? 'B' : 'A'
    const wrong = [
      ...['', 'x', 'api_'],
      key.slice(0, -1),
      `${key}A`,
      key.slice(0, -1) + other,
      key.toUpperCase(),
      key.slice(4),
      `umami_${key.slice(4)}`,
      `${key} ${key}`,
      `${key},${key}`,
      `api_${'x'.repeat(43)}`,
      `api_${'x'.repeat(10_000)}`,
      await hashOf(key),
      "' OR '1'='1",
      '__proto__',
    ]
    for (const text of wrong) {
      failed(await send(`/api/websites/${mine}`, { headers: bearer(text) }), unauthorized)
      failed(await send(`/api/websites/${mine}`, { headers: { 'x-weir-api-key': text } }), unauthorized)
    }
  })

  it('is not accepted in the query string, in a cookie or in other headers', async () => {
    const basic = Buffer.from(`:${key}`).toString('base64')
    for (const headers of [
      {},
      { authorization: key },
      { authorization: `Basic ${basic}` },
      { authorization: `Token ${key}` },
      { authorization: `Bearer: ${key}` },
      { authorization: `Bearer${key}` },
      { 'x-api-key': key },
      { cookie: `api_key=${key}; authorization=Bearer ${key}` },
    ]) {
      failed(await send(`/api/websites/${mine}`, { headers: headers as Headers }), unauthorized)
    }
    failed(await send(`/api/websites/${mine}?api_key=${key}&access_token=${key}`), unauthorized)
  })

  it('has no effect on public endpoints', async () => {
    for (const headers of [{}, bearer('wrong'), { ...bearer(key), 'x-weir-api-key': 'other' }]) {
      expect(await send('/health', { headers: headers as Headers })).toMatchObject({ status: 200, body: { ok: true } })
      expect(await send('/openapi.json', { headers: headers as Headers })).toMatchObject({ status: 200 })
      failed(await send('/nothing', { headers: headers as Headers }), { status: 404, code: 'not-found' })
    }
  })
})

describe('a website', () => {
  const website = (id: string, name: string, domain: string) => ({
    ...{ id, name, domain },
    ...{ shareId: null, resetAt: null, retention: null, userId: running.firstAdmin.id, teamId: null, createdBy: null },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ...{ deletedAt: null, recorderEnabled: false, replayConfig: null, replayEnabled: false, public: null },
  })

  it.each(["'; DROP TABLE websites; --", '{p0:String}', '"\\`%_', '日本語\u2028𝒳', '<script>', '?1', '__proto__'])(
    'may be named %j',
    async (name) => {
      const created = await create({ name, domain: 'example.com' })
      expect(created.body).toStrictEqual(website(created.body.id, name, 'example.com'))
      const { body } = await send(`/api/websites/${created.body.id}`, { headers: admin })
      expect(body).toStrictEqual(created.body)
    },
  )

  it('is returned unchanged to every key that opens it', async () => {
    const created = await create({ name: 'x'.repeat(100), domain: 'a.b-c.example.co.uk' })
    const path = `/api/websites/${created.body.id}`
    const own = bearer(await scopedKey(created.body.id))
    for (const headers of [admin, own]) {
      const { status, body } = await send(path, { headers })
      expect([status, body]).toStrictEqual([200, created.body])
    }
    expect((await send(path.toUpperCase().replace('/API/WEBSITES', '/api/websites'), { headers: own })).body.id).toBe(
      created.body.id,
    )
    failed(await send(path, { headers: bearer(key) }), forbidden)
  })

  it('is unavailable to everybody after it is deleted', async () => {
    const websiteId = await websiteWith(event({ event_name: eventName, event_id: eventId }, [string('plan', 'pro')]))
    const own = bearer(await scopedKey(websiteId))
    const paths = [
      ...eventReports.map((report) => pathTo(report, { websiteId, eventId })),
      `/api/websites/${websiteId}`,
    ]
    for (const path of paths) {
      for (const headers of [admin, own]) expect((await send(path, { headers })).status).toBe(200)
    }
    const deleted = await remove(websiteId)
    expect([deleted.status, deleted.body]).toStrictEqual([200, { ok: true }])
    for (const path of paths) {
      for (const headers of [admin, own]) failed(await send(path, { headers }), forbidden)
    }
    failed(await remove(websiteId), forbidden)
    const { body } = await send('/api/websites', { headers: own })
    expect(body).toStrictEqual({ data: [], count: 0, page: 1, pageSize: 20 })
  })
})

describe('the website list', () => {
  let own: Headers
  const ids: Record<string, string> = {}

  /** A key for only these websites, so that other tests' websites do not appear. */
  beforeAll(async () => {
    for (const [name, domain] of [
      ['banana', 'z.example'],
      ['Apple', 'y.example'],
      ['cherry 100%', 'x.example'],
      ['Été', 'w_v.example'.replace('_', '-')],
    ] as const) {
      ids[name] = (await create({ name, domain })).body.id
    }
    own = bearer(await scopedKey(...Object.values(ids), newId()))
  })

  const list = async (query: Record<string, string | number> = {}): Promise<Reply['body']> => {
    const { status, body } = await send(pathOf('/api/websites', query), { headers: own })
    expect(status).toBe(200)
    return body
  }

  const names = (body: { data: { name: string }[] }): string[] => body.data.map(({ name }) => name)

  it('can be searched by name and domain, ignoring case, with every character taken literally', async () => {
    const search = async (text: string) => names(await list({ search: text }))
    expect(await list({ search: 'AN' })).toMatchObject({ count: 1, search: 'AN' })
    expect(await search('APPLE')).toStrictEqual(['Apple'])
    expect(await search('y.EXAMPLE')).toStrictEqual(['Apple'])
    expect(await search('example')).toHaveLength(4)
    expect(await search('%')).toStrictEqual(['cherry 100%'])
    expect(await search('_')).toStrictEqual([])
    expect(await search("'")).toStrictEqual([])
    expect(await search('nothing')).toStrictEqual([])
    expect(await search('')).toHaveLength(4)
  })

  it('accepts includeTeams, which has no effect for a key limited to some websites', async () => {
    expect(await list({ includeTeams: 'true' })).toStrictEqual(await list())
  })

  it('shows an admin every website', async () => {
    const id = await newWebsite()
    const { body } = await send(pathOf('/api/websites', { search: id }), { headers: admin })
    expect(body).toMatchObject({ data: [{ id, name: `Website ${id}` }], count: 1 })
  })
})

it('no answer contains a key or a key’s hash', async () => {
  const wrong = `api_${'w'.repeat(43)}`
  const replies = [
    await send('/health', { headers: bearer(key) }),
    await send('/openapi.json', { headers: bearer(key) }),
    await send('/nothing', { headers: bearer(key) }),
    await send('/api/websites', { headers: bearer(key) }),
    await send(`/api/websites/${mine}`, { headers: bearer(key) }),
    await send(`/api/websites/${theirs}`, { headers: bearer(key) }),
    await send('/api/websites/x', { headers: bearer(key) }),
    await send(`/api/websites/${mine}`, { headers: bearer(wrong) }),
    await send(`/api/websites/${mine}`, { headers: { ...bearer(key), 'x-weir-api-key': wrong } }),
    await create({ name: '', domain: '' }, bearer(key)),
    await create({ name: 'a', domain: 'example.com' }, bearer(running.adminKey)),
    ...(await Promise.all(
      [mine, theirs].map((id) => send(pathTo(events, { websiteId: id }), { headers: bearer(key) })),
    )),
  ]
  const secrets = [key, running.adminKey, wrong, await hashOf(key), await hashOf(running.adminKey), await hashOf(wrong)]
  const told = replies.map(({ headers, body }) => JSON.stringify([[...headers], body])).join('\n')
  for (const secret of secrets) expect(told.toLowerCase()).not.toContain(secret.toLowerCase().slice(0, 20))
})

describe('answers', () => {
  it.each([['/health'], ['/nothing'], ['/api/websites']])('for %s are not cached by intermediaries', async (path) => {
    expect((await send(path)).headers.get('cache-control')).toBe('private, no-cache')
  })
})

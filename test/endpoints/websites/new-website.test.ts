import { describe, expect, it } from 'vitest'
import { id } from '../../oracle/fixtures.ts'
import { sendRaw } from '../../support/raw.ts'
import { failed, refused } from '../../support/refusals.ts'
import { newId } from '../../support/website.ts'
import { newWebsite, type Reply, running, send } from '../../support/weir.ts'

const key = { authorization: `Bearer ${running.adminKey}` }
const json = { ...key, 'content-type': 'application/json' }

describe('the body for a new website', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = json): Promise<Reply> =>
    send('/api/websites', { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
  const streamed = (text: string) =>
    ({ method: 'POST', headers: json, body: new Blob([text]).stream(), duplex: 'half' }) as RequestInit
  const right = { name: 'Weir', domain: 'example.com' }

  it.each(['', '{', 'null x', '{"name":}', "{'name':'a'}", 'name=a&domain=b', '{"name":"a"', '\0', '\u{feff}{'])(
    'must be JSON: %j',
    async (text) => {
      const reply = await post(text)
      failed(reply, { status: 400, code: 'bad-request' })
      expect(reply.body.error.message).toContain('JSON')
    },
  )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', ''])(
    'must have the content type JSON, not %j',
    async (type) => {
      failed(await post(JSON.stringify(right), { ...key, 'content-type': type }), { status: 400, code: 'bad-request' })
    },
  )

  it.each(['null', '[]', '[{"name":"a","domain":"b"}]', '"x"', '1', 'true'])(
    'must be an object, not %s',
    async (text) => {
      const message = 'Must be an object. Its fields: name, domain, id, shareId, teamId.'
      const { status, body, headers } = await post(text)
      expect({ status, body }).toStrictEqual({
        status: 400,
        body: {
          error: {
            ...{ message, code: 'bad-request', status: 400, requestId: headers.get('x-request-id') },
            issues: [{ path: '', message }],
          },
        },
      })
    },
  )

  it.each<[object, ...string[]]>([
    [{ ...right, domain: 'a b' }, 'domain'],
    [{ ...right, domain: 'https://' }, 'domain'],
    [{ ...right, domain: 'ftp://example.com/' }, 'domain'],
    [{ ...right, domain: '-example.com' }, 'domain'],
    [{ ...right, domain: 'example..com' }, 'domain'],
    [{ ...right, domain: 'example.com.' }, 'domain'],
    [{ ...right, domain: 'example\n.com' }, 'domain'],
    [{ ...right, domain: 'exa\0mple.com' }, 'domain'],
    [{ ...right, domain: "'; DROP TABLE websites; --" }, 'domain'],
    [{ ...right, domain: `${'a.'.repeat(250)}com` }, 'domain'],
    [{ ...right, id: `${id(1)}\0` }, 'id'],
    [{ ...right, teamId: newId() }, 'teamId'],
    [{ name: '', domain: '', id: '' }, 'name', 'domain', 'id'],
  ])('is refused: %j', async (body, ...paths) => {
    refused(await post(JSON.stringify(body)), ...paths)
  })

  it('may contain a URL as the domain; only its host is stored', async () => {
    for (const [domain, kept] of [
      ['https://www.example.com/path?a=b#c', 'www.example.com'],
      ['HTTP://Example.com:8080/', 'example.com:8080'],
      ['shop.example.com/basket', 'shop.example.com'],
    ]) {
      const { body } = await post(JSON.stringify({ ...right, domain }))
      expect(body.domain).toBe(kept)
      const changed = { method: 'POST', headers: json, body: JSON.stringify({ domain }) }
      expect((await send(`/api/websites/${body.id}`, changed)).body.domain).toBe(kept)
    }
  })

  it('may have at most 100,000 bytes', async () => {
    const padded = (length: number): string => JSON.stringify(right).padEnd(length)
    expect((await post(padded(100_000))).status).toBe(200)
    failed(await post(padded(100_001)), { status: 413, code: 'payload-too-large' })
    failed(await send('/api/websites', streamed(padded(100_001))), { status: 413, code: 'payload-too-large' })
  })

  it('may be sent without a length, also to reports whose body contains the website', async () => {
    const websiteId = await newWebsite()
    const chunked = { ...json, 'transfer-encoding': 'chunked' }
    const question = {
      websiteId,
      type: 'goal',
      filters: {},
      parameters: { startAt: 0, endAt: 1e11, type: 'path', value: '/' },
    }
    const goal = (text: string) => sendRaw('POST', '/api/reports/goal', chunked, text)
    expect(await goal(JSON.stringify(question))).toMatchObject({ status: 200 })
    expect(await goal(JSON.stringify(question).padEnd(100_001))).toMatchObject({ status: 413 })
    expect(await sendRaw('GET', `/api/websites/${websiteId}`, chunked, '{}')).toMatchObject({ status: 400 })
    expect(await sendRaw('DELETE', `/api/websites/${newId()}`, chunked, '{}')).toMatchObject({ status: 400 })
  })

  it('is refused for its length even where no body is expected', async () => {
    const init = { method: 'DELETE', headers: json, body: ' '.repeat(100_001) }
    failed(await send(`/api/websites/${newId()}`, init), { status: 413, code: 'payload-too-large' })
  })

  it('must not contain an id that is or was in use, in either case', async () => {
    const taken = await newWebsite()
    refused(await post(JSON.stringify({ ...right, id: taken })), 'id')
    refused(await post(JSON.stringify({ ...right, id: taken.toUpperCase() })), 'id')
    await send(`/api/websites/${taken}`, { method: 'DELETE', headers: key })
    refused(await post(JSON.stringify({ ...right, id: taken })), 'id')
  })
})

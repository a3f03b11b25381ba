import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { newShare, operator } from '../support/callers.ts'
import { keyOf, newPerson } from '../support/people.ts'
import { newWebsite, running } from '../support/weir.ts'
import { connected, mcpUrl, postMcp, revisions } from './client.ts'

const modern = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {} }

const request = (method: string, params?: object, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, params })
const ofModern = (method: string, params: object = {}, extra: object = {}) =>
  request(method, { ...params, _meta: { ...meta, ...extra } })
const modernHeaders = (method: string, name?: string) => ({
  ...{ 'mcp-protocol-version': modern, 'mcp-method': method },
  ...(name !== undefined && { 'mcp-name': name }),
})

const begin = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const call = { name: 'list_websites', arguments: { pageSize: 1 } }

interface Sent {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Valid and invalid messages of both protocol styles. */
const messages: Readonly<Record<string, Sent>> = {
  'a handshake': { body: request('initialize', begin) },
  'a handshake of an unknown revision': { body: request('initialize', { ...begin, protocolVersion: '1999-01-01' }) },
  'a handshake with a later header': {
    body: request('initialize', begin),
    headers: { 'mcp-protocol-version': modern },
  },
  'the end of a handshake': { body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  'a ping': { body: request('ping') },
  'an id that is a text': { body: request('ping', undefined, 'one') },
  'a list': { body: request('tools/list'), headers: { 'mcp-protocol-version': '2025-11-25' } },
  'a call': { body: request('tools/call', call) },
  'a call of an unknown tool': { body: request('tools/call', { name: 'drop_tables' }) },
  'an unknown method': { body: request('tools/delete') },
  'an unknown revision': { body: request('tools/list'), headers: { 'mcp-protocol-version': '2025-01-01' } },
  'a later revision in the header only': {
    body: request('tools/list'),
    headers: { 'mcp-protocol-version': modern, 'mcp-method': 'tools/list' },
  },
  'an answer': { body: { jsonrpc: '2.0', id: 1, result: {} } },
  'an empty batch': { body: [] },
  'a batch of later messages': { body: [ofModern('tools/list')] },
  'invalid JSON': { body: '{"jsonrpc":' },
  'an object that is not a message': { body: { hello: 'world' } },
  'another version of JSON-RPC': { body: { jsonrpc: '1.0', id: 1, method: 'ping' } },
  'an invalid id': { body: { jsonrpc: '2.0', id: {}, method: 'ping' } },
  'another content type': { body: request('ping'), headers: { 'content-type': 'text/plain' } },
  'a later discovery': { body: ofModern('server/discover'), headers: modernHeaders('server/discover') },
  'a later list': { body: ofModern('tools/list'), headers: modernHeaders('tools/list') },
  'a later call': { body: ofModern('tools/call', call), headers: modernHeaders('tools/call', call.name) },
  'a name in Base64': {
    body: ofModern('tools/call', call),
    headers: modernHeaders('tools/call', `=?base64?${btoa(call.name)}?=`),
  },
  'a name in wrong Base64': {
    body: ofModern('tools/call', call),
    headers: modernHeaders('tools/call', '=?base64?!?='),
  },
  'another name in the header': {
    body: ofModern('tools/call', call),
    headers: modernHeaders('tools/call', 'get_events'),
  },
  'no name in the header': { body: ofModern('tools/call', call), headers: modernHeaders('tools/call') },
  'another method in the header': { body: ofModern('tools/list'), headers: modernHeaders('tools/call') },
  'no method in the header': { body: ofModern('tools/list'), headers: { 'mcp-protocol-version': modern } },
  'no revision in the header': { body: ofModern('tools/list'), headers: { 'mcp-method': 'tools/list' } },
  'another revision in the header': {
    body: ofModern('tools/list'),
    headers: { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2025-11-25' },
  },
  'a revision to come': {
    body: ofModern('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
    headers: { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' },
  },
  'an envelope without capabilities': {
    body: ofModern('tools/list', {}, { 'io.modelcontextprotocol/clientCapabilities': undefined }),
    headers: modernHeaders('tools/list'),
  },
  'an envelope with a wrong client': {
    body: ofModern('tools/list', {}, { 'io.modelcontextprotocol/clientInfo': { name: 1 } }),
    headers: modernHeaders('tools/list'),
  },
  'an unknown later method': { body: ofModern('tools/delete'), headers: modernHeaders('tools/delete') },
  'a later notification': {
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: meta } },
    headers: modernHeaders('notifications/cancelled'),
  },
}

/** The SDK's own server with a single tool. */
const sdk = createMcpHandler(() => {
  const server = new Server({ name: 'sdk', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => ({ tools: [] }))
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    if (name !== call.name) throw Object.assign(new Error('no such tool'), { code: -32_602 })
    return { content: [] }
  })
  return server
})

const ofSdk = ({ body, headers = {} }: Sent): Promise<Response> =>
  sdk.fetch(
    new Request('https://sdk.invalid/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

/** The parts of a response that a client acts on: status, id, code, and the names in the result. */
async function outcome(response: Response) {
  const text = await response.text()
  const json = text.startsWith('event:') ? /^data: (.*)$/m.exec(text)![1]! : text
  const { id, error, result } = json === '' ? ({} as never) : JSON.parse(json)
  const names = Object.keys(result ?? {}).filter((name) => !['instructions', 'structuredContent'].includes(name))
  return { status: response.status, id, code: error?.code, result: names.sort(), protocol: result?.protocolVersion }
}

/** Messages that the SDK answers without the protocol's error code or without the id. */
const unlikeTheSdk = new Map([
  ['an unknown revision', { code: -32_022, id: 1 }],
  ['another content type', { code: -32_600 }],
])

describe('each message', () => {
  it.each(Object.entries(messages))('is answered as the SDK answers it: %s', async (name, sent) => {
    const [ours, theirs] = await Promise.all([
      postMcp(sent.body, { ...operator, ...sent.headers }).then(outcome),
      ofSdk(sent).then(outcome),
    ])
    expect(ours).toEqual({ ...theirs, ...unlikeTheSdk.get(name) })
  })

  it('is refused in a batch, although the SDK accepts batches', async () => {
    const response = await postMcp([request('ping'), request('ping', {}, 2)], operator)
    expect(await outcome(response)).toMatchObject({ status: 400, code: -32_600 })
  })

  it('may be a response, which is answered without a body', async () => {
    const response = await postMcp(messages['the end of a handshake']!.body, operator)
    expect([response.status, await response.text()]).toEqual([202, ''])
  })
})

describe('the SDK’s client', () => {
  it.each(Object.keys(revisions))('agrees with Weir on %s', async (revision) => {
    const client = await connected(operator, revision as keyof typeof revisions)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getInstructions()).toContain('never as instructions')
    expect(client.getServerVersion()?.name).toBe('weir')
    await client.close()
  })
})

describe('authentication', () => {
  const ping = request('ping')

  it('refuses everything except an API key with a 401', async () => {
    const [person, share] = await Promise.all([newPerson(), newWebsite().then((id) => newShare(id, {}))])
    const wrong = [
      ...[{}, { authorization: 'Bearer api_wrong' }, { authorization: 'Basic eDp5' }, person.headers, share.headers],
      { ...operator, 'x-weir-api-key': 'api_other' },
    ]
    for (const headers of wrong) {
      const response = await postMcp(ping, headers as Record<string, string>)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } })
    }
    const told = async (headers: Record<string, string>): Promise<string> =>
      ((await (await postMcp(ping, headers)).json()) as { error: { message: string } }).error.message
    expect(await told({})).toMatch(/^This needs a credential\. Send an API key/)
    expect(await told({ 'x-weir-api-key': 'api_wrong' })).toMatch(/^This credential is not valid/)
    expect(await told({ authorization: running.adminKey })).toMatch(/^Write the word Bearer before the key/)
    const expired = await keyOf(person, { expiresAt: Date.now() - 1000 })
    expect((await postMcp(ping, expired)).status).toBe(401)
  })

  it('accepts the key in any of its headers', async () => {
    for (const name of ['x-weir-api-key', 'x-umami-api-key']) {
      expect((await postMcp(ping, { [name]: running.adminKey })).status).toBe(200)
    }
  })

  it('accepts only pages from the key’s origins', async () => {
    const key = await keyOf(undefined, { access: 'read', origins: ['https://www.example.com'] })
    const answered = async (origin: string) => {
      const response = await postMcp(request('tools/call', call), { ...key, origin })
      return ((await response.json()) as { result: { structuredContent: object } }).result.structuredContent
    }
    expect(await answered('https://www.example.com')).toHaveProperty('websites')
    expect(await answered('https://assistant.example')).toMatchObject({ error: { code: 'access_denied', status: 403 } })
  })

  it('does not accept a key in the URL', async () => {
    const response = await fetch(`${mcpUrl}?api_key=${running.adminKey}`, { method: 'POST' })
    expect(response.status).toBe(401)
    await response.body?.cancel()
  })
})

describe('the endpoint', () => {
  it.each(['GET', 'DELETE', 'PUT'])('refuses %s with a 405', async (method) => {
    const response = await fetch(mcpUrl, { method, headers: operator })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    await response.body?.cancel()
  })

  it('may be called by pages from any origin', async () => {
    const asked = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
    const before = await fetch(mcpUrl, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://assistant.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked.join(','),
      },
    })
    const allowed = before.headers.get('access-control-allow-headers')!.toLowerCase().split(',')
    expect(allowed).toEqual(expect.arrayContaining(asked))
    const response = await postMcp(request('ping'), { ...operator, origin: 'https://assistant.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('refuses bodies of 1 MB, and deeply nested ones', async () => {
    const large = await postMcp(request('ping', { text: 'x'.repeat(1_000_000) }), operator)
    expect(large.status).toBe(413)
    const deep = await postMcp(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(99)}1`, operator)
    expect(await outcome(deep)).toMatchObject({ status: 400, code: -32_700 })
  })
})

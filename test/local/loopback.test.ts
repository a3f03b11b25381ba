import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { withoutLoopback } from '../../src/local/start/loopback.ts'
import type { OpenMetadata } from '../../src/local/start/workerd.ts'
import { hostileBytes, sendBytes } from '../support/bytes.ts'

/** Every HTTP server in this process, because Miniflare does not reveal its port. */
const listening = (): Server[] =>
  (process as unknown as { _getActiveHandles(): unknown[] })
    ._getActiveHandles()
    .filter((handle): handle is Server => handle instanceof Server)

const folder = mkdtempSync(`${tmpdir()}/weir-loopback-`)
const marker = 'what-nobody-may-read'
const secret = `${folder}/secret`
let workerd: OpenMetadata
let ports: number[]

beforeAll(async () => {
  writeFileSync(secret, marker)
  const before = new Set(listening())
  workerd = await openMetadata(folder)
  ports = listening()
    .filter((server) => !before.has(server))
    .map((server) => (server.address() as AddressInfo).port)
})

afterAll(async () => {
  await workerd.close()
  rmSync(folder, { recursive: true, force: true })
})

const stack = `Error: x\n    at read (${secret}:1:1)\n    at read (file://${secret}:1:1)`
const asPage = { accept: 'text/html' }

describe('the port that Miniflare opens', () => {
  it.each<[string, string, Record<string, string>, string?]>([
    ['POST', '/core/error', asPage, JSON.stringify({ message: 'x', name: 'Error', stack })],
    ['POST', '/core/error', {}, JSON.stringify({ message: 'x', name: 'Error', stack })],
    ['POST', '/core/log', { 'mf-log-level': '1' }, 'x'],
    ['POST', `/core/store-temp-file?extension=${'/..'.repeat(10)}${folder}/written`, {}, 'x'],
    ['POST', '/core/../core/store-temp-file', {}, 'x'],
    ['POST', '/anything', { 'mf-original-url': 'http://x/core/store-temp-file?extension=txt' }, 'x'],
    ['GET', '/', { 'mf-original-url': '//' }],
    ['GET', '//', {}],
    ['GET', '/', { 'mf-custom-node-service': 'x' }],
    ['GET', '/', { 'mf-custom-fetch-service': 'x' }],
    ['GET', '/', { 'mf-custom-fetch-service': '0:#:SELF' }],
    ['GET', '/', { 'mf-cf-blob': '{' }],
    ['GET', '/browser/launch', {}],
    ['GET', '/browser/sessionIds', {}],
    ['GET', '/core/dev-registry', {}],
    ['GET', '/core/public-url', {}],
    ['GET', '/core/do-storage/x', {}],
    ['DELETE', '/core/workflow-storage/x', {}],
    ['OPTIONS', '/core/error', { origin: 'http://127.0.0.1' }],
    ['GET', '/core/public-url', { host: 'evil.example' }],
    ['GET', '/cdn-cgi/mf/reload', { connection: 'Upgrade', upgrade: 'websocket' }],
    ['GET', '/core/public-url', { expect: '100-continue' }],
  ])('refuses every request: %s %s %o', async (method, path, headers, body = '') => {
    expect(ports).toHaveLength(1)
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
    const request = [`${method} ${path} HTTP/1.1`, ...lines, `content-length: ${body.length}`, '', body]
    const answer = await sendBytes(ports[0]!, request.join('\r\n'))
    expect(answer.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '')).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/)
    expect(answer).not.toContain(marker)
    expect(answer).toMatch(/\r\n\r\n(?:0\r\n\r\n)?$/)
    expect(existsSync(`${folder}/written`)).toBe(false)
  })

  it.each(hostileBytes)('refuses %s', async (name, bytes) => {
    const answer = await sendBytes(ports[0]!, bytes)
    if (name === 'CONNECT') expect(answer).toBe('')
    else expect(answer).toMatch(/^HTTP\/1.1 (?:100|403|400|431) /)
  })

  it('is the only server that refuses them; other servers and the database still respond', async () => {
    expect(await workerd.metadata.prepare('SELECT 1 AS one').first('one')).toBe(1)
    const server = createServer((_, response) => response.end('mine')).listen(0, '127.0.0.1')
    await new Promise((ready) => server.once('listening', ready))
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/core/log`)
    expect([answer.status, await answer.text()]).toEqual([200, 'mine'])
    server.close()
  })

  it('is reported if Miniflare opens it in an unexpected way', () => {
    const { result, check } = withoutLoopback(() => 'nothing opened')
    expect(result).toBe('nothing opened')
    expect(check).toThrow('Miniflare opened its own port in an unknown way.')
  })
})

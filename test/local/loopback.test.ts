import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import type { OpenMetadata } from '../../src/local/start/workerd.ts'

/** Every HTTP server of this process: Miniflare does not reveal its port. */
const listening = (): Server[] =>
  (process as unknown as { _getActiveHandles(): unknown[] })
    ._getActiveHandles()
    .filter((handle): handle is Server => handle instanceof Server)

const folder = mkdtempSync(`${tmpdir()}/weir-loopback-`)
let workerd: OpenMetadata
let ports: number[]

beforeAll(async () => {
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

describe('the port that Miniflare opens', () => {
  it.each([
    ['/core/store-temp-file?extension=txt', {}],
    ['/core/../core/store-temp-file', {}],
    ['/anything', { 'mf-original-url': 'http://x/core/store-temp-file?extension=txt' }],
    ['/browser/sessionIds', {}],
    ['/core/dev-registry', {}],
  ])('writes and starts nothing: %s %o', async (path, headers) => {
    expect(ports).toHaveLength(1)
    const asked = await fetch(`http://127.0.0.1:${ports[0]}${path}`, { method: 'POST', headers, body: 'x' })
    expect([asked.status, await asked.text()]).toEqual([404, ''])
  })

  it('writes nothing for a web socket either', async () => {
    const socket = connect(ports[0]!, '127.0.0.1')
    const path = `/core/store-temp-file?extension=${'/..'.repeat(10)}${folder}/written`
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket']
    socket.write(
      `${lines.join('\r\n')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    )
    await once(socket, 'data')
    expect(existsSync(`${folder}/written`)).toBe(false)
    socket.destroy()
  })

  it('still answers for the database', async () => {
    expect(await workerd.metadata.prepare('SELECT 1 AS one').first('one')).toBe(1)
  })
})

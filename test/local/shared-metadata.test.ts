import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { findSharedMetadata, writeSharedMetadata } from '../../src/local/storage/shared-metadata.ts'

const folder = mkdtempSync(`${tmpdir()}/weir-shared-`)
const file = `${folder}/shared-metadata`

afterAll(() => rmSync(folder, { recursive: true }))

describe('the Worker that shares D1', () => {
  const shared = inject('running').metadata

  it('proves its identity differently for each challenge, and refuses all else without the secret', async () => {
    writeSharedMetadata(file, shared)
    expect(await findSharedMetadata(file)).toEqual(shared)
    const proofOf = async (challenge: string) =>
      Buffer.from(await (await fetch(shared.url, { headers: { 'x-challenge': challenge } })).arrayBuffer())
    expect(await proofOf('a')).not.toEqual(await proofOf('b'))
    for (const init of [{}, { method: 'POST', body: '[]', headers: { authorization: 'Bearer wrong' } }]) {
      const answer = await fetch(shared.url, init)
      expect([answer.status, await answer.text()]).toEqual([403, ''])
    }
  })

  it('is not confused with a process that later uses its port and replays an old response', async () => {
    const before = Buffer.from(await (await fetch(shared.url, { headers: { 'x-challenge': 'a' } })).arrayBuffer())
    const heard: IncomingMessage[] = []
    const impostor = createServer((request, response) => {
      heard.push(request)
      response.end(before)
    })
    await new Promise<void>((listening) => impostor.listen(0, '127.0.0.1', listening))
    const { port } = impostor.address() as AddressInfo
    writeSharedMetadata(file, { ...shared, url: `http://127.0.0.1:${port}` })
    expect(await findSharedMetadata(file)).toBeUndefined()
    expect(heard.map(({ method, headers }) => [method, headers.authorization])).toEqual([['GET', undefined]])
    impostor.close()
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@clickhouse/client-web'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keepBeating } from '../../src/local/commands/heartbeat.ts'
import { repeatedly } from '../../src/local/told/troubles.ts'

describe('repeated work', () => {
  it('tells each new trouble once, and that it is over, until it is stopped', async () => {
    const results = [undefined, 'a', 'a', 'b', undefined, undefined, 'a']
    const [told, stopping] = [[] as unknown[], new AbortController()]
    const work = async () => {
      if (results.length === 1) stopping.abort()
      return results.shift()
    }
    await repeatedly(work, { every: 0, signal: stopping.signal }, (trouble) => told.push(trouble))
    expect([told, results]).toEqual([['a', 'b', undefined], []])
  })
})

it('heartbeats that fail are reported once, and so are the first ones after that', async () => {
  const statuses = [200, 500, 500, 200]
  const clickhouse = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(statuses.shift() ?? 200).end())
  }).listen(0, '127.0.0.1')
  const stopping = new AbortController()
  onTestFinished(() => {
    stopping.abort()
    clickhouse.close()
    clickhouse.closeAllConnections()
  })
  await new Promise((listens) => clickhouse.once('listening', listens))
  const client = createClient({ url: `http://127.0.0.1:${(clickhouse.address() as AddressInfo).port}` })
  const told: string[] = []
  await new Promise<void>((isOver) => {
    const tell = (line: string) => {
      told.push(line)
      if (told.length === 2) isOver()
    }
    void keepBeating(client, tell, stopping.signal, 1)
  })
  expect(told).toEqual([
    expect.stringMatching(/^Heartbeats are not inserted, so answers seem old: /),
    'Heartbeats are inserted again.',
  ])
})

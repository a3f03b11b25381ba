import type { Readable } from 'node:stream'
import { Miniflare } from 'miniflare'
import { afterAll, describe, expect, it } from 'vitest'
import { bodyOf, hostileBytes, sendBytes, statusOf } from '../support/bytes.ts'
import { running, send } from '../support/weir.ts'

/** A Worker that answers every request with one word. */
const constant = new Miniflare({
  modules: true,
  script: 'export default { fetch: () => new Response("reached") }',
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  // workerd prints a stack trace for each request that it refuses.
  handleRuntimeStdio(output: Readable, errors: Readable) {
    output.resume()
    errors.resume()
  },
})
const constantPort = Number((await constant.unsafeGetDirectURL()).port)
afterAll(() => constant.dispose())

const apiPort = Number(new URL(running.url).port)

/** The time after which a response ends although the body is unread, because a chunk never arrives. */
const patience = 3000

describe('a request that is invalid or barely valid HTTP', () => {
  it.concurrent.each(hostileBytes)('gets JSON from Weir if it reaches the Worker: %s', async (_, bytes) => {
    const [weir, other] = await Promise.all([
      sendBytes(apiPort, bytes, patience),
      sendBytes(constantPort, bytes, patience),
    ])
    if (other.endsWith('reached')) {
      // The server is still waiting for a body that never ends.
      if (weir === '') return expect(bytes).toContain('FFFFFFFFFFFFFFFF')
      const { error } = JSON.parse(bodyOf(weir)) as { error?: { status: number; message: string } }
      expect(error?.status ?? 200).toBe(statusOf(weir))
      expect(statusOf(weir)).toBeLessThan(500)
    } else {
      // workerd itself refuses it, with its own text, and Weir's code does not run.
      expect(weir).toBe(other)
      expect(statusOf(weir)).toBeGreaterThanOrEqual(400)
      expect(weir).not.toContain('\r\nX-Request-Id')
    }
    expect((await send('/health')).status).toBe(200)
  })

  it('gets a 400 if its body is truncated', async () => {
    const start = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const answer = await sendBytes(apiPort, `${start}Transfer-Encoding: chunked\r\n\r\n5\r\n{"use\r\nZZ\r\n`)
    expect(JSON.parse(bodyOf(answer)).error).toMatchObject({
      ...{ status: 400, code: 'bad-request', message: 'The body is incomplete.' },
    })
  })
})

import { describe, expect, it } from 'vitest'
import { bodyOf, hostileBytes, sendBytes, statusOf } from '../support/bytes.ts'
import { useTestEngine } from './engine.ts'

const engine = useTestEngine()

describe('a request that is invalid or barely valid HTTP', () => {
  it.each(hostileBytes)('receives an error text from the engine: %s', async (name, bytes) => {
    const answer = await sendBytes(Number(new URL(engine.url()).port), bytes, 3000)
    // Node closes the connection after a CONNECT.
    if (name === 'CONNECT') expect(answer).toBe('')
    else {
      expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
      expect(bodyOf(answer)).toMatch(/\S/)
    }
    expect(await engine.run('SELECT 1')).toBe('1')
  })

  it('receives an error that explains what is wrong', async () => {
    const port = Number(new URL(engine.url()).port)
    expect(await sendBytes(port, 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*This is not an HTTP request\.\n$/s)
    const long = `GET /?${'a'.repeat(3_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    expect(await sendBytes(port, long)).toMatch(/^HTTP\/1.1 431 .*longer than 2 MiB\.\n$/s)
  })
})

import { connect } from 'node:net'

/** The pause in milliseconds after which a response is considered complete. */
const pause = 500

/**
 * Sends bytes to a loopback port, one for each character (latin1). Returns what is received until the connection ends
 * or pauses, or an empty text if nothing arrives within `patience` milliseconds.
 */
export function sendBytes(port: number, bytes: string, patience = 20_000): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.setTimeout(patience, () => socket.destroy())
    socket.on('connect', () => socket.write(bytes, 'latin1'))
    socket.on('data', (chunk: string) => {
      text += chunk
      socket.setTimeout(pause)
    })
    // A server may close the connection before it has read everything.
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

export const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

const host = 'Host: 127.0.0.1\r\n'
const post = `POST /api/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\n`

/** Requests that are invalid or barely valid HTTP, each with a name. */
export const hostileBytes: readonly (readonly [name: string, bytes: string])[] = [
  ['no request at all', 'GARBAGE\r\n\r\n'],
  ['an unknown method', `FOO /health HTTP/1.1\r\n${host}\r\n`],
  ['a method in lower case', `get /health HTTP/1.1\r\n${host}\r\n`],
  ['a path of two slashes', `GET // HTTP/1.1\r\n${host}\r\n`],
  ['a path without a slash', `GET health HTTP/1.1\r\n${host}\r\n`],
  ['a path with a space', `GET /hea lth HTTP/1.1\r\n${host}\r\n`],
  ['a path with NUL', `GET /health?\0 HTTP/1.1\r\n${host}\r\n`],
  ['a path with bytes that are no text', `GET /\xff%ff%zz HTTP/1.1\r\n${host}\r\n`],
  ['a whole URL', `GET http://evil.example/health HTTP/1.1\r\n${host}\r\n`],
  ['a URL that cannot be read', `GET http://[/ HTTP/1.1\r\n${host}\r\n`],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`],
  ['HTTP/1.0 without a Host', 'GET /health HTTP/1.0\r\n\r\n'],
  ['HTTP/1.1 without a Host', 'GET /health HTTP/1.1\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an empty Host', 'GET /health HTTP/1.1\r\nHost: \r\n\r\n'],
  ['a Host that is no name', 'GET /health HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a Host that no URL has', 'GET /health HTTP/1.1\r\nHost: [::\r\n\r\n'],
  [
    'a port that no URL has, beside an event',
    'POST /api/send HTTP/1.1\r\nHost: a:99999\r\nContent-Length: 2\r\n\r\n{}',
  ],
  ['two Hosts', 'GET /health HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n'],
  ['a header without a colon', `GET /health HTTP/1.1\r\n${host}Accept\r\n\r\n`],
  ['a header with a space in its name', `GET /health HTTP/1.1\r\n${host}Ac cept: x\r\n\r\n`],
  ['a header of 100 kB', `GET /health HTTP/1.1\r\n${host}X: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['headers of 1 MB', `GET /health HTTP/1.1\r\n${host}X: ${'a'.repeat(1_000_000)}\r\n\r\n`],
  ['a path of 1 MB', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a length that is no number', `${post}Content-Length: x\r\n\r\n`],
  ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['an unknown transfer encoding', `${post}Transfer-Encoding: rot13\r\n\r\nx`],
  ['chunks of no length', `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n`],
  ['a chunk of 16 EB', `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc\r\n`],
]

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { refuseUnreachable, serverOf } from '../../src/local/storage/clickhouse-url.ts'
import { weir } from '../support/commands.ts'
import { running } from '../support/weir.ts'

/** The port of a server that runs until the test ends. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Responds to every request with this text. */
const answering = (status: number, text: string, headers: Record<string, string> = {}): Promise<number> =>
  portOf(createServer((_, response) => response.writeHead(status, { connection: 'close', ...headers }).end(text)))

const messageOf = (url: string): Promise<string> =>
  refuseUnreachable(serverOf({ CLICKHOUSE_URL: url })).then(
    () => 'none',
    (error: Error) => error.message,
  )

/** A self-signed certificate for localhost with its key, used only here. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVPg46Mi+ZmOW4vRt
1fGxx/ZX7SM/SuWhnyKPT5MjMtGhRANCAAR5c0951zmJO8Rot0reD8fK7ybLV/lO
Yj5G3jjEZCFZGJni2nRI7ZuMJE2wLjqAUGHffw+WPf3GOO1W62E7zdjs
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUAVptSvK/E9QrHLjlk0wfhIUOP8gwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIwMDUxNVoYDzIxMjYxMDI5
MjAwNTE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR5c0951zmJO8Rot0reD8fK7ybLV/lOYj5G3jjEZCFZGJni2nRI7ZuM
JE2wLjqAUGHffw+WPf3GOO1W62E7zdjso2kwZzAdBgNVHQ4EFgQUFp5ddBVM+2Pc
ESdD1ZsbGtpzUuwwHwYDVR0jBBgwFoAUFp5ddBVM+2PcESdD1ZsbGtpzUuwwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhALBHW3hS+s7ZP1QWdy+1+59UNrBQ2U/8n3UnZabseaB3AiASH71BtOFj
X3QoMmLijqBEncWqka7Po42jtQt4S1lFJw==
-----END CERTIFICATE-----`,
}

describe('CLICKHOUSE_URL', () => {
  it.each(['nonsense', 'localhost:8123', 'tcp://user:secret@host:9000', 'http://', 'http://user:secret@ho st:8123'])(
    '%s is refused because it is not an HTTP interface’s URL, without showing a password',
    (CLICKHOUSE_URL) => {
      let message = ''
      try {
        serverOf({ CLICKHOUSE_URL })
      } catch (error) {
        message = (error as Error).message
      }
      expect(message).toMatch(/^CLICKHOUSE_URL must be the URL of ClickHouse's HTTP interface, such as http:/)
      expect(message).not.toContain('secret')
    },
  )

  it('errors identify the host, and say that it is unknown or that nothing listens on it', async () => {
    expect(await messageOf('http://nowhere.invalid:8123')).toMatch(
      /^CLICKHOUSE_URL: nowhere\.invalid:8123 cannot be resolved: no such host name is known here \((ENOTFOUND|EAI_AGAIN)\)\.$/,
    )
    expect(await messageOf('http://127.0.0.1:1')).toContain('CLICKHOUSE_URL: 127.0.0.1:1 cannot be queried: bad port.')
    const server = createTcpServer()
    const port = await portOf(server)
    server.close()
    await once(server, 'close')
    expect(await messageOf(`http://127.0.0.1:${port}`)).toBe(
      `CLICKHOUSE_URL: 127.0.0.1:${port} refused the connection: nothing listens on this port (ECONNREFUSED). Is it running?`,
    )
  })

  it('errors identify the user that ClickHouse refuses, without the password', async () => {
    expect(await messageOf(running.clickhouse)).toBe('none')
    const url = new URL(running.clickhouse)
    url.searchParams.set('password', 'secret')
    const message = await messageOf(url.href)
    expect(message).toContain(`CLICKHOUSE_URL: ${url.host} rejected the user default: authentication failed.`)
    expect(message).not.toContain('secret')
    const { code, stdout, stderr } = await weir(['check'], { env: { CLICKHOUSE_URL: url.href } })
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  })

  it('errors quote a response that is not from ClickHouse', async () => {
    const page = await answering(404, '<html>\n<h1>Not here</h1>')
    expect(await messageOf(`http://127.0.0.1:${page}`)).toBe(
      `CLICKHOUSE_URL: 127.0.0.1:${page} does not answer as ClickHouse does (HTTP 404: <html> <h1>Not here</h1>). ` +
        'The port must be that of its HTTP interface: usually 8123 for http, 8443 for https.',
    )
    for (const [status, text] of [
      [200, 'hello'],
      [200, ''],
      [302, 'elsewhere'],
    ] as const) {
      const port = await answering(status, text, { location: '/other' })
      expect(await messageOf(`http://127.0.0.1:${port}`)).toContain(
        `does not answer as ClickHouse does (HTTP ${status}`,
      )
    }
    const failing = await answering(500, 'Code: 241. DB::Exception: Memory limit (total) exceeded\u001b[31m')
    expect(await messageOf(`http://127.0.0.1:${failing}`)).toMatch(/answered: Code: 241\. .* exceeded\\u\{1b\}\[31m$/)
    const silent = await portOf(createTcpServer((socket) => socket.destroy()))
    expect(await messageOf(`http://127.0.0.1:${silent}`)).toContain('closed the connection without an answer')
  })

  it('errors explain that TLS is missing, or that the certificate is not trusted', async () => {
    const plain = await answering(200, '1\n')
    expect(await messageOf(`https://127.0.0.1:${plain}`)).toContain('does not speak TLS on this port')
    const secure = await portOf(createSecureServer(selfSigned, (_, response) => response.end('1\n')))
    expect(await messageOf(`https://localhost:${secure}`)).toMatch(
      /^CLICKHOUSE_URL: localhost:\d+ has a certificate that this machine does not trust: .*NODE_EXTRA_CA_CERTS/,
    )
    expect(await messageOf(`http://localhost:${secure}`)).toContain('closed the connection without an answer')
  })
})

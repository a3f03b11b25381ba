import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { Pool } from 'undici'
import { ApiError } from '../../errors.ts'
import { notFree } from '../machine/port.ts'
import type { Sender, SenderOf } from './senders.ts'

/** A server between a network and the Worker. Like Cloudflare, it adds headers about the sender of each request. */
export interface Front {
  /** Its URL on this machine. */
  readonly url: string
  /** Starts passing all requests to the Worker at this URL. Before the first call, they are answered with a 503. */
  passTo(worker: string): void
  close(): Promise<void>
}

/** The maximum length of a request's head, in bytes. */
const longestHead = 131_072

/** How long idle connections stay open, in milliseconds. A proxy may reuse one for a minute. */
const idle = 65_000

/** Listens on an address of this machine. Throws an Error that names the flag if that is not possible. */
export async function openFront(host: string, port: number, senderOf: SenderOf): Promise<Front> {
  let pool: Pool | undefined
  const server = createServer({ maxHeaderSize: longestHead, keepAliveTimeout: idle }, (request, response) => {
    void passOn(pool, senderOf, request, response).catch(() => refuse(response))
  })
  await listening(server, host, port)
  const { port: found } = server.address() as AddressInfo
  return {
    url: `http://${nameOf(host)}:${found}`,
    passTo(worker) {
      void pool?.destroy()
      pool = new Pool(worker, { headersTimeout: 0, bodyTimeout: 0 })
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await pool?.destroy()
    },
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((listens, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(notFree('--port', port, error.code, host)))
    server.listen(port, host, listens)
  })
}

/** An address where this machine can reach a server on `host`. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

/** Passes a request to the Worker, and the response back. Rejects if either is cut off. */
async function passOn(pool: Pool | undefined, senderOf: SenderOf, request: IncomingMessage, response: ServerResponse) {
  if (!pool) return refuse(response)
  const sender = senderOf(request.socket.remoteAddress ?? '', request.headers)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const asked = {
    path: request.url!,
    method: request.method as 'GET',
    headers: { ...passedOn(request.headers, ofSender), ...told(sender) },
    body: 'content-length' in request.headers || 'transfer-encoding' in request.headers ? request : null,
    signal: gone.signal,
  }
  await pool.stream(asked, ({ statusCode, headers }) => response.writeHead(statusCode, passedOn(headers)))
}

/** Headers that concern a single connection (RFC 9110, 7.6.1). */
const ofConnection =
  /^(?:connection|expect|keep-alive|proxy-(?:connection|authenticate|authorization)|te|trailer|transfer-encoding|upgrade)$/

/** Headers that say who sent a request. They are dropped here, because any client could send them. */
const ofSender = /^(?:cf-|mf-|miniflare-|x-forwarded-for$|x-umami-client-(?:country|region|city)$)/

const passedOn = (headers: IncomingHttpHeaders, others = ofConnection): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.test(name) && !others.test(name)))

/** The headers from which workerd and the Worker learn the sender. Header values contain only ASCII. */
const told = ({ address, place }: Sender): Record<string, string> => ({
  'CF-Connecting-IP': address,
  'MF-CF-Blob': JSON.stringify(place).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
})

/** Responds in place of a Worker that does not respond. If a response has begun, the connection is closed. */
function refuse(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  const error = new ApiError('service-unavailable', 'Weir did not answer. It may be starting. Try again.')
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Retry-After': '1',
    'Access-Control-Allow-Origin': '*',
  })
  response.end(JSON.stringify(error.body(randomUUID())))
}

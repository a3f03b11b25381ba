import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { openAnswer } from './answer.ts'
import { readBody } from './body.ts'
import { authenticate, type User } from './credentials.ts'
import { ClickHouseError, engineError } from './errors.ts'
import { execute } from './execution.ts'
import { readForm } from './multipart.ts'
import { isTrue, readRequest, urlFields } from './request.ts'
import type { Sessions } from './sessions.ts'

/** The maximum number of bytes in the URL and the headers together. ClickHouse's `http_max_uri_size` alone is 1 MiB. */
const longestHeader = 2_097_152

/** The maximum length of a form, in bytes. */
const longestForm = 67_108_864

/** The header that identifies the engine, because another process may use the port later. */
const idHeader = 'X-Weir-Engine'

/** ClickHouse's HTTP interface (src/Server/HTTPHandler.cpp) for the engine. */
export function serve(sessions: Sessions, users: readonly User[], id: string): Server {
  const server = createServer(
    // `isFromAnotherSite` refuses requests without a Host.
    { maxHeaderSize: longestHeader, requestTimeout: 0, keepAliveTimeout: 30_000, requireHostHeader: false },
    (message, response) => {
      response.setHeader('X-ClickHouse-Server-Display-Name', hostname())
      response.setHeader(idHeader, id)
      void route(sessions, users, message, response)
    },
  )
  server.on('clientError', refuseMalformed)
  return server
}

/** Responds to bytes that are not HTTP. Node itself would not respond. */
function refuseMalformed({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  // The client has disconnected, or already has an answer.
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The URL and the headers are longer than 2 MiB.\n']
      : ['400 Bad Request', 'This is not an HTTP request.\n']
  const headers = ['Connection: close', 'Content-Type: text/plain; charset=UTF-8', `Content-Length: ${text.length}`]
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', text].join('\r\n'))
}

async function route(
  sessions: Sessions,
  users: readonly User[],
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (message.url ?? '/').split('?')[0]!
  if (isFromAnotherSite(message)) return plain(response, 403, 'Requests from other sites are refused.\n')
  if (path === '/ping' || path === '/replicas_status') return plain(response, 200, 'Ok.\n')
  if (path !== '/') return plain(response, 404, `There is no handle ${path}\n\nUse / or /ping for health checks.\n`)
  if (!methods.has(message.method ?? '')) return plain(response, 501, '')
  if (message.method === 'OPTIONS') return plain(response, 204, '')
  if (message.method === 'GET' && !message.url?.includes('?') && !hasBody(message)) return plain(response, 200, 'Ok.\n')
  await answerQuery(sessions, users, message, response)
}

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i

/**
 * The values of `Sec-Fetch-Site` in requests that cannot come from a page of another origin. Programs do not send the
 * header.
 */
const ownSites = new Set([undefined, 'same-origin', 'none'])

/**
 * Whether the request comes from a web page of another site in a browser on this machine; a page from another port
 * counts as another site. A request without a Host, or with another name for this address as its Host, also counts (DNS
 * rebinding).
 */
const isFromAnotherSite = ({ headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): boolean =>
  host === undefined ||
  !loopback.test(host) ||
  (origin !== undefined && origin !== `http://${host}`) ||
  !ownSites.has(site as string | undefined)

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'])

function hasBody(message: IncomingMessage): boolean {
  return Number(message.headers['content-length'] ?? 0) > 0 || message.headers['transfer-encoding'] !== undefined
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'text/html; charset=UTF-8')
  response.end(text)
}

async function answerQuery(
  sessions: Sessions,
  users: readonly User[],
  message: IncomingMessage,
  response: ServerResponse,
) {
  const url = urlFields(message.url ?? '')
  const answer = openAnswer(response, sessions.version, wantsGzip(message, new Map(url)))
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  try {
    authenticate(users, message.headers, new Map(url))
    const body = readBody(message)
    const form = await formOf(message, body)
    const request = readRequest(message, [...url, ...(form ?? [])])
    response.setHeader('X-ClickHouse-Query-Id', (request.queryId ?? randomUUID()).replace(/[^\x20-\x7e]/g, '?'))
    response.setHeader('X-ClickHouse-Timezone', sessions.timezone)
    await execute(sessions, request, form === undefined ? body : noBody, answer, gone.signal)
  } catch (error) {
    answer.fail(error instanceof ClickHouseError ? error : engineError(String(error)))
  }
}

async function formOf(
  message: IncomingMessage,
  body: ReturnType<typeof readBody>,
): Promise<[string, string][] | undefined> {
  const type = message.headers['content-type'] ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data')) return undefined
  return readForm(type, await body.whole(longestForm))
}

const noBody = {
  head: async () => ({ bytes: Buffer.alloc(0), isWhole: true }),
  whole: async () => Buffer.alloc(0),
  async *from() {},
}

function wantsGzip(message: IncomingMessage, url: ReadonlyMap<string, string>): boolean {
  return (
    isTrue(url.get('enable_http_compression')) && /\bgzip\b/.test(message.headers['accept-encoding']?.toString() ?? '')
  )
}

import { AsyncLocalStorage } from 'node:async_hooks'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** The servers that one start of Miniflare opened in this process. */
type Opened = Set<Server>

const opening = new AsyncLocalStorage<Opened>()

/**
 * Starts Miniflare without the handlers of its own HTTP server. Through these handlers, anybody on this machine, and
 * any web page, could read files (`/core/error`), write files, start browsers and end the process; no setting turns
 * that off. workerd posts only its messages there (`/core/log`, `/core/error`) and ignores the answers. So the server
 * refuses every request. Returns the result of `start`, and a check to call later, which throws if Miniflare opened its
 * server in an unexpected way.
 */
export function withoutLoopback<Result>(start: () => Result): { result: Result; check: () => void } {
  http.createServer = createServer as typeof http.createServer
  const opened: Opened = new Set()
  const result = opening.run(opened, start)
  const check = () => {
    if (opened.size === 0) throw new Error('Miniflare opened its own port in an unknown way.')
  }
  return { result, check }
}

const { createServer: createOpen } = http

/** Node's `createServer`, except that the server that Miniflare creates while it starts refuses every request. */
function createServer(...given: Parameters<typeof http.createServer>): Server {
  const opened = opening.getStore()
  if (!opened) return createOpen(...given)
  const server = createOpen()
  // Miniflare's own listeners never receive a request.
  server.prependListener('connection', () => {
    for (const event of requests) server.removeAllListeners(event)
    server.on('request', refuse)
  })
  opened.add(server)
  return server
}

const requests = ['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation', 'clientError']

function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(403, { connection: 'close' }).end()
}

import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Blocks Miniflare's own port for everything except workerd's messages. Miniflare listens there without any
 * authentication: a web page could make it write files (`/core/store-temp-file`) and start browsers. No setting turns
 * that off. So every other path answers as unknown before Miniflare sees the request.
 */
export function guardLoopback(): void {
  if (isGuarding) return
  isGuarding = true
  // There is no other access to Miniflare's server; other servers of the process do not have such paths.
  subscribe('net.server.socket', (event) => {
    const { server } = (event as { socket: Socket & { server: unknown } }).socket
    if (!(server instanceof Server) || guarded.has(server)) return
    guarded.add(server)
    server.prependListener('request', refuse)
    if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', refuse)
  })
}

let isGuarding = false
const guarded = new WeakSet<Server>()

function refuse(request: IncomingMessage): void {
  if (!isClosed(request)) return
  request.url = '/'
  request.headers = {}
}

const closed = /^\/(?:core|browser)\//
const messages = new Set(['/core/error', '/core/log'])

/** Whether the path is blocked. Miniflare reads the path from a header of its own, else from the URL. */
function isClosed({ url, headers }: IncomingMessage): boolean {
  const asked = String(headers['mf-original-url'] ?? url)
  if (!URL.canParse(asked, 'http://localhost')) return false
  const { pathname } = new URL(asked, 'http://localhost')
  return closed.test(pathname) && !messages.has(pathname)
}

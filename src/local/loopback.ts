import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Miniflare listens on a port of its own for what workerd tells it, and asks nobody there who they are: a web page could have it write
 * files (`/core/store-temp-file`) and start browsers. No setting turns that off, so that every path but those for messages is taken for
 * one that does not exist, before Miniflare sees the request.
 */
export function guardLoopback(): void {
  if (isGuarding) return
  isGuarding = true
  // Of Miniflare's server there is no other trace; other servers of the process have no such paths.
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

/** The path as Miniflare finds it: in a header of its own, else in the URL. */
function isClosed({ url, headers }: IncomingMessage): boolean {
  const asked = String(headers['mf-original-url'] ?? url)
  if (!URL.canParse(asked, 'http://localhost')) return false
  const { pathname } = new URL(asked, 'http://localhost')
  return closed.test(pathname) && !messages.has(pathname)
}

import type { Context, Hono } from 'hono'
import type { SharedLookups } from '../metadata/lookup.ts'
import type { Edge } from './exchange.ts'

/** Headers that are about one request alone: its body, and what its sender has of the answer. */
const headersOfOneRequest = /^(?:accept|content-.*|transfer-encoding|expect|range|if-.*)$/

/**
 * Asks the API itself for a path with GET, in the name of whoever sent this request: with its headers, its credential in
 * them or in the query string, and its id. What is looked up for one path is used for the others.
 */
export function subrequests(c: Context<Edge>, app: Hono<Edge>): (path: string) => Promise<Response> {
  const lookUps: SharedLookups = new Map()
  return async (path) => {
    const slugs = new URL(c.req.url).searchParams.getAll('share').map((slug) => `share=${encodeURIComponent(slug)}`)
    const whole = [path, ...slugs].reduce((text, one) => `${text}${text.includes('?') ? '&' : '?'}${one}`)
    const headers = new Headers([...c.req.raw.headers].filter(([name]) => !headersOfOneRequest.test(name)))
    headers.set('Accept', 'application/json')
    headers.set('X-Request-Id', c.get('requestId'))
    const request = new Request(new URL(whole, c.req.url), { headers })
    return app.fetch(request, { ...c.env, lookUps }, c.executionCtx)
  }
}

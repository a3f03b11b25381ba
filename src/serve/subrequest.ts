import type { Context, Hono } from 'hono'
import { statementTimeout } from '../clickhouse/server.ts'
import type { SharedLookups } from '../metadata/look-ups.ts'
import type { Edge, Exchange, Subrequest } from './exchange.ts'

/** Headers that are specific to one request, because they describe its body or the caller's cached copy. */
const headersOfOneRequest = /^(?:accept|content-.*|transfer-encoding|expect|range|if-.*)$/

/**
 * Sends a GET to the API itself on behalf of this request's caller, with the caller's headers, credential (in a header
 * or the query string) and request id. All paths in a batch share look-ups.
 */
export function subrequests(
  c: Context<Edge>,
  app: Hono<Edge>,
  exchange: () => Pick<
    Exchange,
    'from' | 'connections' | 'now' | 'since' | 'patterns' | 'spent' | 'until' | 'deadline'
  >,
): Subrequest {
  const lookUps: SharedLookups = new Map()
  return async (path, maxAge) => {
    const slugs = new URL(c.req.url).searchParams.getAll('share').map((slug) => `share=${encodeURIComponent(slug)}`)
    const whole = [path, ...slugs].reduce((text, one) => `${text}${text.includes('?') ? '&' : '?'}${one}`)
    const headers = new Headers([...c.req.raw.headers].filter(([name]) => !headersOfOneRequest.test(name)))
    headers.set('Accept', 'application/json')
    headers.set('X-Request-Id', c.get('requestId'))
    const request = new Request(new URL(whole, c.req.url), { headers })
    const { from, connections, now, since, patterns, spent, until, deadline } = exchange()
    const isOfBatch = maxAge === undefined
    // All paths in a batch share the time limit of one request. For a live answer, each check has a new time limit.
    const own = isOfBatch
      ? { lookUps, since, patterns, deadline, until: Math.min(until, now + statementTimeout(c.env) * 1000) }
      : { maxAge }
    return app.fetch(request, { ...c.env, from, connections, spent, ...own }, c.executionCtx)
  }
}

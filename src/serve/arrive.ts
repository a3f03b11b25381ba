import type { Context, Hono } from 'hono'
import { tokens } from '../access/tokens.ts'
import { positionOf, type RequestCf } from '../clickhouse/position.ts'
import { generation } from '../metadata/look-ups.ts'
import { metadata } from '../metadata/metadata.ts'
import type { Edge, Exchange } from './exchange.ts'
import { slugsInUrl } from './log.ts'
import { tellLogs } from './logs.ts'
import { newTally } from './pattern-bounds.ts'
import { newRecord, watchOf } from './record.ts'
import { subrequests } from './subrequest.ts'

/** In milliseconds since 1970. */
export const currentMoment = (): number => Date.now()

/** Creates the `Exchange` for a new request. */
export function exchangeOf(hono: Context<Edge>, app: Hono<Edge>): Exchange {
  const now = currentMoment()
  const { env } = hono
  const url = new URL(hono.req.url)
  const connections = env.connections ?? { waiting: 0 }
  const elapsed = () => currentMoment() - now
  const record = newRecord(env.maxAge !== undefined ? 'listening' : env.connections ? 'inside' : 'http')
  const waitUntil = (work: Promise<unknown>) => hono.executionCtx.waitUntil(work)
  const from = env.from ?? positionOf((hono.req.raw as { readonly cf?: RequestCf }).cf)
  const exchange: Exchange = {
    request: hono.req.raw,
    url,
    requestId: hono.get('requestId'),
    env,
    address: hono.req.header('cf-connecting-ip'),
    connections,
    from,
    now,
    since: env.since ?? now,
    patterns: env.patterns ?? newTally(),
    spent: env.spent ?? { rows: 0 },
    until: env.until ?? Number.POSITIVE_INFINITY,
    deadline: env.deadline,
    elapsed,
    generation: generation(),
    metadata: metadata(
      env.METADATA,
      now,
      env.lookUps,
      watchOf(env, { elapsed, record }),
      () => tellLogs(env),
      waitUntil,
    ),
    tokens: tokens(env.AUTH_SECRET),
    record,
    slugs: new Set(slugsInUrl(url)),
    param: (name) => hono.req.param(name) ?? '',
    setHeader: (name, value, options) => hono.header(name, value, options),
    respond: (body, status, headers = {}) => hono.body(body as never, status, headers),
    waitUntil,
    subrequest: subrequests(hono, app, () => exchange),
    namedPeriod: undefined,
    publicAnswer: undefined,
    offer: undefined,
    rest: undefined,
    hono,
  }
  return exchange
}

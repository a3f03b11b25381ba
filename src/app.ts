import type { Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { HonoBase } from 'hono/hono-base'
import { HTTPException } from 'hono/http-exception'
import { requestId } from 'hono/request-id'
import { TrieRouter } from 'hono/router/trie-router'
import { getPath } from 'hono/utils/url'
import { credentialHeaders } from './access/credential.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { endpoints, families } from './endpoints/index.ts'
import { ApiError } from './errors.ts'
import { exchangeOf } from './serve/arrive.ts'
import { answerBadge } from './serve/badge.ts'
import { openUntil } from './serve/body.ts'
import type { Edge, Exchange } from './serve/exchange.ts'
import { answerMetrics } from './serve/exposition.ts'
import { answer } from './serve/index.ts'
import { answerLink, answerPixel } from './serve/links-and-pixels.ts'
import { answerMcp } from './serve/mcp.ts'
import { openapi } from './serve/openapi.ts'
import { refusalOfOutage } from './serve/outage.ts'
import {
  answerDemo,
  answerHeatmaps,
  answerNamed,
  answerNowhere,
  answerPublic,
  answerReplay,
  answerShare,
  answerStatic,
  nothingHere,
} from './serve/pages.ts'
import { recordResponse } from './serve/record.ts'
import { countRefusal, refuseStopped } from './serve/refusals.ts'
import { answerSetup } from './serve/setup.ts'
import { keepShortcut } from './serve/shortcut.ts'
import { answerReturn } from './serve/sign-on.ts'
import {
  answerPlainScript,
  answerTracker,
  morePath,
  recorderPaths,
  sendPath,
  trackerPath,
  unaliased,
} from './serve/tracker.ts'

/** Response headers that pages from other origins may read, in addition to those that CORS always exposes. */
const exposedHeaders = [
  'Link',
  'X-Total-Count',
  'X-Request-Id',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Age',
  'Server-Timing',
  'X-Cache',
  'X-Range',
  'X-Source',
  'X-Replica',
  'X-As-Of',
  'X-Tries',
  'Content-Disposition',
  'X-Max-Rows',
  'X-Capped',
]

/** The pages that do not need their own handler, and their files. */
const pageFiles = {
  '/': '/index.html',
  '/explorer': '/explorer.html',
  '/account': '/websites.html',
  '/audit': '/websites.html',
  '/users': '/websites.html',
  '/websites': '/websites.html',
  '/replays/:websiteId': '/recordings.html',
  '/websites/:websiteId': '/websites.html',
  '/websites/:websiteId/settings': '/websites.html',
  '/favicon.ico': '/assets/icon.svg',
}

/** Paths that people type, with the pages that they are redirected to. */
const typed = {
  '/docs': '/docs/api.md',
  ...{ '/login': '/websites', '/dashboard': '/websites', '/websites/': '/websites' },
  ...{ '/replays': '/websites', '/heatmaps': '/websites' },
}

/** Request headers that MCP clients send. */
const protocolHeaders = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name']

type HandleEndpoint = (endpoint: Endpoint, exchange: Exchange) => Promise<Response>

/**
 * The whole API. It mounts every endpoint with `handle`, refuses unknown paths and methods, and gives all errors the
 * same format.
 */
export function api(handle: HandleEndpoint = answer): Hono<Edge> {
  // The smallest Hono router that distinguishes `/x` from `/x/`.
  const app: Hono<Edge> = new HonoBase<Edge>({
    router: new TrieRouter(),
    getPath: (request, options) => (isPathTooLong(request.url) ? nowhere : unaliased(getPath(request), options?.env)),
  })

  // Prevents browsers from guessing another content type.
  app.use((c, next) => {
    c.header('X-Content-Type-Options', 'nosniff')
    return next()
  })

  app.use(requestId({ limitLength: 64 }))
  const readers = cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: [...credentialHeaders, 'Content-Type', 'X-Request-Id', ...protocolHeaders],
    exposeHeaders: exposedHeaders,
    maxAge: 86_400,
  })
  const senders = cors({ origin: '*', allowMethods: ['POST', 'OPTIONS'], allowHeaders: ['*'], maxAge: 86_400 })
  app.use((c, next) => (isCollecting(c) ? senders : readers)(c, next))

  app.use(async (c, next) => {
    if (URL.canParse(c.req.url)) return next()
    // Other refusals need an exchange, which requires a valid URL. This request has no valid URL.
    return c.json(new ApiError('bad-request', 'The header Host is not a host name.').body(c.get('requestId')), 400)
  })

  app.use(async (c, next) => {
    await next()
    // No cache between Weir and the caller may store an answer, not even a refusal.
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-cache')
    recordResponse(c.get('exchange'), c.res)
    keepShortcut(c.get('exchange'), c.res)
  })
  app.use(async (c, next) => {
    c.set('exchange', exchangeOf(c, app))
    if (!isCollecting(c)) await refuseStopped(c.get('exchange'))
    await next()
  })

  let document: object | undefined
  const addresses: readonly Route[] = [
    {
      name: 'openapi',
      method: 'get',
      path: '/openapi.json',
      answer({ hono }) {
        document ??= openapi(families)
        return hono.json(document)
      },
    },
    { name: 'metrics', method: 'get', path: '/metrics', answer: answerMetrics },
    { name: 'send', method: 'post', path: sendPath, answer: async (sent) => (await collecting()).answerSend(sent) },
    { name: 'batch', method: 'post', path: batchPath, answer: async (sent) => (await collecting()).answerBatch(sent) },
    {
      name: 'record',
      method: 'post',
      path: recordPath,
      answer: async (sent) => (await recording()).answerRecord(sent),
    },
    { name: 'mcp', method: 'post', path: '/mcp', answer: answerMcp },
    { name: 'link', method: 'get', path: '/q/:slug', answer: answerLink },
    { name: 'oidcReturn', method: 'get', path: '/oidc/:issuer', answer: answerReturn },
    { name: 'pixel', method: 'get', path: '/p/:slug', answer: answerPixel },
    { name: 'tracker', method: 'get', path: trackerPath, answer: answerTracker },
    { name: 'tracker', method: 'get', path: morePath, answer: answerPlainScript },
    ...recorderPaths.map((path): Route => ({ name: 'recorder', method: 'get', path, answer: answerPlainScript })),
    { name: 'page', method: 'get', path: '/demo', answer: answerDemo },
    { name: 'page', method: 'get', path: '/setup', answer: answerSetup },
    ...Object.entries(pageFiles).map(
      ([path, file]): Route => ({
        name: 'page',
        method: 'get',
        path,
        answer: (exchange) => answerNamed(file, exchange),
      }),
    ),
    ...Object.entries(typed).map(
      ([path, page]): Route => ({
        name: 'page',
        method: 'get',
        path,
        answer: ({ respond }) => respond(null, 307, { Location: page }),
      }),
    ),
    { name: 'page', method: 'get', path: '/share/:slug', answer: answerShare },
    { name: 'page', method: 'get', path: '/replays/:websiteId/:replayId', answer: answerReplay },
    { name: 'page', method: 'get', path: '/heatmaps/:websiteId', answer: answerHeatmaps },
    { name: 'page', method: 'get', path: '/public/:websiteId', answer: answerPublic },
    { name: 'badge', method: 'get', path: '/badge/:file', answer: answerBadge },
    ...['/assets/:file', '/docs/:page', '/docs/decisions/:page', '/docs/pictures/:file'].map(
      (path): Route => ({ name: 'page', method: 'get', path, answer: answerStatic }),
    ),
  ]
  const routes = endpoints.map((endpoint): Route => ({ ...endpoint, answer: (exchange) => handle(endpoint, exchange) }))
  // Fixed paths come before paths with an id in the same position, so they refuse other methods before an id is read.
  for (const [path, ofPath] of byPath([...routes, ...addresses])) {
    for (const { name, method, answer } of ofPath) {
      app.on(method, [path], (c) => {
        const exchange = c.get('exchange')
        exchange.record.endpoint = name
        return answer(exchange)
      })
    }
    const allow = allowOf(ofPath)
    app.all(path, () => {
      throw new ApiError('method-not-allowed', `Allowed here: ${allow}.`, { headers: { Allow: allow } })
    })
  }

  app.notFound((c) => respondError(c, nothingHere()))
  app.onError((thrown, c) => respondError(c, toApiError(thrown)))
  return app
}

/**
 * The maximum length of an API path, in characters. A longer path is not decoded, because decoding is slow if there are
 * many malformed `%`.
 */
const maxPathLength = 2000

/** A path that no route matches. */
const nowhere = '/too-long'

function isPathTooLong(url: string): boolean {
  const query = url.indexOf('?')
  return (query < 0 ? url.length : query) - url.indexOf('/', url.indexOf('//') + 2) > maxPathLength
}

const batchPath = '/api/batch'
const recordPath = '/api/record'

/** Loaded with the first event, because the lists of bots and browsers would slow down the start of every isolate. */
const collecting = () => import('./serve/collect.ts')
const recording = () => import('./serve/recordings.ts')
const collectRefusals = () => import('./serve/collect-refusals.ts')

/**
 * Whether a request sends events. Its address is not blocked, because it carries no credential, and a proxy may send
 * events for many visitors.
 */
const isCollecting = (c: Context<Edge>): boolean => [sendPath, batchPath, recordPath].includes(c.req.path)

async function respondError(c: Context<Edge>, refusal: ApiError): Promise<Response> {
  const exchange = c.get('exchange')
  const count = isCollecting(c) ? (await collectRefusals()).countCollectRefusal : countRefusal
  const error = await count(exchange, refusal)
  const { record, rest } = exchange
  record.error = error
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  const page = error.status === 404 ? await answerNowhere(exchange) : undefined
  if (page) return page
  const body = error.body(c.get('requestId'))
  return rest ? c.body(openUntil(rest, body), error.status, jsonType) : c.json(body, error.status)
}

const jsonType = { 'Content-Type': 'application/json' } as const

interface Route {
  /** The name of the endpoint in the log and the metrics. */
  readonly name: string
  readonly method: Endpoint['method']
  readonly path: string
  readonly answer: (exchange: Exchange) => Promise<Response> | Response
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  return paths
}

/** Returns the value of `Allow`. */
const allowOf = (routes: readonly Route[]): string =>
  [...routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])), 'OPTIONS'].join(
    ', ',
  )

/** Converts anything thrown to an error that the caller may see. */
function toApiError(thrown: Error): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof HTTPException && thrown.status === 400) return new ApiError('bad-request', `${thrown.message}.`)
  const outage = refusalOfOutage(thrown)
  return outage ?? new ApiError('server-error', 'Something went wrong on our side.', { cause: thrown })
}

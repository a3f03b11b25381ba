import { openingOfShare, publicOpening } from '../access/opening.ts'
import { id } from '../endpoints/ids.ts'
import { ApiError } from '../errors.ts'
import { made } from '../made.ts'
import type { Exchange } from './exchange.ts'
import { publicBy } from './public-address.ts'
import { openToCaches } from './respond.ts'

/** The error for a path that does not exist. */
export const nothingHere = () =>
  new ApiError('not-found', 'There is nothing at this path. See /openapi.json for all paths.')

/** The content types of static files, by file extension. Pages in `docs` keep the extension `md`, but are HTML. */
const types: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['md', 'text/html; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
  ['txt', 'text/plain; charset=utf-8'],
])

/** A page's additional permissions, by directive of its policy. */
type Policy = Readonly<Partial<Record<'style-src' | 'img-src' | 'font-src' | 'frame-src' | 'frame-ancestors', string>>>

/** By default, pages may load from and send to this host only, run no inline code, and may not be framed. */
const headersWith = ({ 'frame-ancestors': ancestors = "'none'", ...more }: Policy) => ({
  'Content-Security-Policy': [
    ...Object.entries({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      // The explorer's style sheet contains its images.
      'img-src': "'self' data:",
      ...more,
      ...{ 'base-uri': "'none'", 'form-action': "'none'", 'frame-ancestors': ancestors },
    }).map(([name, sources]) => `${name} ${sources}`),
  ].join('; '),
  // `X-Frame-Options` cannot list origins, so pages that may be framed do not have it.
  ...(ancestors === "'none'" && { 'X-Frame-Options': 'DENY' }),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
})

/** The headers for a page without additional permissions. */
export const pageHeaders = headersWith({})

/** Used instead of the recorded website, because the policy is sent before the website's address is known. */
const anySite = 'https: http://localhost:*'

/**
 * The page that plays a replay has a frame with a `data:` URL. The frame's content inherits the page's policy, so the
 * styles of recorded pages must be allowed here. `site=shown` in the URL allows images and fonts; the frame's own
 * policy restricts them to the website.
 */
const replayPolicy = (showsSite: boolean): Policy => ({
  'style-src': "'self' 'unsafe-inline'",
  'img-src': `'self' data:${showsSite ? ` ${anySite}` : ''}`,
  'font-src': `data:${showsSite ? ` ${anySite}` : ''}`,
  'frame-src': 'data:',
})

/** Any cache may store a static file, but must check whether it has changed. */
const revalidated = 'public, max-age=0, must-revalidate'

/**
 * Files with a hash of their contents in the name. A changed file has another name, so caches do not need to check for
 * changes.
 */
const unchanging = /^\/assets\/[\w-]+-[0-9A-Z]{8}\.(?:js|css)$/
const kept = 'public, max-age=31536000, immutable'

/** Answers with a page that is the same file for everybody. */
export const answerNamed = (file: string, exchange: Exchange): Promise<Response> => answerFile(file, exchange)

/** Answers with the static file at the request's path. */
export const answerStatic = (exchange: Exchange): Promise<Response> => {
  const { pathname } = exchange.url
  return answerFile(pathname, exchange, unchanging.test(pathname) ? { cacheControl: kept } : {})
}

/** Answers with the page for a share's link. */
export async function answerShare(exchange: Exchange): Promise<Response> {
  const slug = exchange.param('slug')
  const first = await exchange.subrequest(`/api/share/${encodeURIComponent(slug)}`)
  if (first.status === 400 || first.status === 404) return answerMissing(exchange)
  // Callers who have guessed too often must not be able to tell from the headers which shares exist.
  if (first.status !== 200 && first.status !== 403) return answerDashboard(exchange, first)
  const { until, ...found } = await exchange.metadata.lookUp({ kind: 'slug', id: slug }, undefined, 'figures')
  const opening = found.holder?.kind === 'share' ? openingOfShare(found.holder) : undefined
  const isFramed = exchange.url.searchParams.get('embed') === '1' && opening && opening.frameAncestors.length > 0
  exchange.publicAnswer = publicBy(opening, { ...found, knownUntil: until }, exchange)
  return answerDashboard(exchange, first, isFramed ? { 'frame-ancestors': opening.frameAncestors.join(' ') } : {})
}

/**
 * Answers with the page of a website that is open to everyone. Any other website is not found, whether or not it
 * exists.
 */
export async function answerPublic(exchange: Exchange): Promise<Response> {
  const websiteId = exchange.param('websiteId')
  const first = await exchange.subrequest(`/api/websites/${encodeURIComponent(websiteId)}?share=public`)
  if ([400, 401, 403, 404].includes(first.status)) return answerMissing(exchange)
  if (!first.ok) return answerDashboard(exchange, first)
  const { until, ...found } = await exchange.metadata.lookUp(undefined, made(id).parse(websiteId), 'figures')
  const opening = publicOpening(found.website, exchange.now)
  exchange.publicAnswer = publicBy(opening, { ...found, knownUntil: until }, exchange)
  return answerDashboard(exchange, first)
}

// Caches must revalidate this page, because shares may change at any time.
const answerMissing = (exchange: Exchange): Promise<Response> =>
  answerFile('/missing.html', exchange, { status: 404, cacheControl: 'private, no-cache' })

/** Answers a browser that requests a nonexistent page outside the API. Returns undefined for all other requests. */
export async function answerNowhere(exchange: Exchange): Promise<Response | undefined> {
  const { request, url, setHeader } = exchange
  if (request.method !== 'GET' || url.pathname.startsWith('/api/')) return undefined
  setHeader('Vary', 'Accept', { append: true })
  if (!request.headers.get('accept')?.includes('text/html')) return undefined
  // A Worker may have been deployed without static files.
  return answerFile('/nowhere.html', exchange, { status: 404, cacheControl: 'no-store' }).catch(() => undefined)
}

/** The start of the dashboard's element that contains the answer to its first request. */
const opening = '<script id="opening" type="application/json">'

/** `first`: the response to the page's first request. It is embedded in the page unless it is a refusal. */
async function answerDashboard(exchange: Exchange, first: Response, policy: Policy = {}): Promise<Response> {
  const [html, text] = await Promise.all([textOfFile('/share.html', exchange), first.ok ? first.text() : ''])
  // The embedded text must not contain the element's end tag.
  const page = html.replace(opening, () => opening + text.replaceAll('<', '\\u003c'))
  // A share's path is a credential, and the page contains another one, with the same access.
  if (!openToCaches(exchange)) exchange.setHeader('Cache-Control', 'private, no-store')
  return exchange.respond(page, 200, { ...headersWith(policy), 'Content-Type': types.get('html')! })
}

/** The file that serves all pages about recordings. */
const recordings = '/recordings.html'

/** Answers with the page that plays a replay. */
export const answerReplay = (exchange: Exchange): Promise<Response> =>
  answerFile(recordings, exchange, { policy: replayPolicy(showsSite(exchange)) })

/** Answers with the heatmap page. It may frame the website if the URL asks for that. */
export const answerHeatmaps = (exchange: Exchange): Promise<Response> =>
  answerFile(recordings, exchange, { policy: showsSite(exchange) ? { 'frame-src': anySite } : {} })

const showsSite = ({ url }: Exchange): boolean => url.searchParams.get('site') === 'shown'

/** Answers with the page that sends events for the demo website, if `npm start` has created one. */
export async function answerDemo(exchange: Exchange): Promise<Response> {
  if (!exchange.env.DEMO) throw nothingHere()
  return answerFile('/demo.html', exchange)
}

/** The text of a static file. If there are no static files, the error says that there is nothing at this path. */
export async function textOfFile(path: string, { env, request }: Exchange): Promise<string> {
  const file = await env.ASSETS?.fetch(new URL(path, request.url).href, {})
  if (file?.status !== 200) throw nothingHere()
  return file.text()
}

/** How an answer differs from the default. */
interface Different {
  readonly status?: 200 | 404
  readonly cacheControl?: string
  readonly policy?: Policy
}

async function answerFile(
  path: string,
  { env, request, respond }: Exchange,
  { status = 200, cacheControl = revalidated, policy = {} }: Different = {},
): Promise<Response> {
  const type = types.get(path.slice(path.lastIndexOf('.') + 1))
  const known = status === 200 ? request.headers.get('if-none-match') : null
  const file =
    type &&
    (await env.ASSETS?.fetch(new URL(path, request.url).href, { headers: known ? { 'If-None-Match': known } : {} }))
  if (!file || (file.status !== 200 && file.status !== 304)) throw nothingHere()
  const etag = file.headers.get('etag')
  const own = { ...headersWith(policy), 'Cache-Control': cacheControl, ...(etag && { ETag: etag }) }
  return file.status === 304 ? respond(null, 304, own) : respond(file.body, status, { ...own, 'Content-Type': type })
}

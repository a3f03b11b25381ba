import { addressSlug } from '../endpoints/ids.ts'
import { ApiError } from '../errors.ts'
import { made } from '../made.ts'
import type { Exchange } from './exchange.ts'

/** No cache may keep these responses: every visit has to reach the Worker. */
const uncached = { 'Cache-Control': 'no-store' } as const

/** A transparent GIF of one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='), (char) =>
  char.charCodeAt(0),
)

/** Redirects a visitor of `/q/:slug` to the target of the link, without waiting until the visit is counted. */
export async function answerLink(exchange: Exchange): Promise<Response> {
  const { id, url } = await addressed('link', exchange)
  count('link', id, exchange)
  return exchange.respond(null, 307, { ...uncached, Location: headerText(url!) })
}

/** Answers `/p/:slug` with an image. */
export async function answerPixel(exchange: Exchange): Promise<Response> {
  const { id } = await addressed('pixel', exchange)
  count('pixel', id, exchange)
  return exchange.respond(gif, 200, { ...uncached, 'Content-Type': 'image/gif' })
}

function count(kind: 'link' | 'pixel', id: string, exchange: Exchange): void {
  exchange.waitUntil(import('./collect.ts').then(({ countVisit }) => countVisit(kind, id, exchange)))
}

async function addressed(kind: 'link' | 'pixel', { hono, metadata }: Exchange) {
  const slug = made(addressSlug).safeParse(hono.req.param('slug')).data
  const found = slug === undefined ? undefined : await metadata.links.lookUp(kind, slug)
  if (!found) throw new ApiError('not-found', `There is no such ${kind}.`)
  return found
}

/** The URL as it was saved, but with characters that a header cannot hold percent-encoded. */
const headerText = (url: string): string => (/^[!-~]*$/.test(url) ? url : new URL(url).href)

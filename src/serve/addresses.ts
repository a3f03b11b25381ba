import { addressSlug } from '../endpoints/ids.ts'
import { ApiError } from '../errors.ts'
import { made } from '../made.ts'
import type { Exchange } from './exchange.ts'

/** A visit changes nothing that a cache could know. */
const uncached = { 'Cache-Control': 'no-store' } as const

/** A transparent GIF of one pixel. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='), (char) =>
  char.charCodeAt(0),
)

/** Sends the visitor of `/q/:slug` to where the link leads. */
export async function answerLink(exchange: Exchange): Promise<Response> {
  const { url } = await addressed('link', exchange)
  return exchange.respond(null, 307, { ...uncached, Location: headerText(url!) })
}

/** Answers `/p/:slug` with an image. */
export async function answerPixel(exchange: Exchange): Promise<Response> {
  await addressed('pixel', exchange)
  return exchange.respond(gif, 200, { ...uncached, 'Content-Type': 'image/gif' })
}

async function addressed(kind: 'link' | 'pixel', { hono, metadata }: Exchange) {
  const slug = made(addressSlug).safeParse(hono.req.param('slug')).data
  const found = slug === undefined ? undefined : await metadata.links.lookUp(kind, slug)
  if (!found) throw new ApiError('not-found', `There is no such ${kind}.`)
  return found
}

/** The URL as it was saved; in percent-encoding where a header cannot hold its characters. */
const headerText = (url: string): string => (/^[!-~]*$/.test(url) ? url : new URL(url).href)

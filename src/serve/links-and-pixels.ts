import { channelLists } from '../channel-lists.ts'
import { addressSlug } from '../endpoints/ids.ts'
import { ApiError } from '../errors.ts'
import { made } from '../made.ts'
import type { PassQuery } from '../metadata/website.ts'
import type { Exchange } from './exchange.ts'

/** No cache may store these responses, because every visit must reach the Worker. */
const uncached = { 'Cache-Control': 'no-store' } as const

/** A transparent one-pixel GIF. */
const gif = Uint8Array.from(atob('R0lGODlhAQABAPAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='), (char) =>
  char.charCodeAt(0),
)

/** Redirects a visitor to `/q/:slug` to the link's target without waiting for the visit to be counted. */
export async function answerLink(exchange: Exchange): Promise<Response> {
  const { id, url, passQuery } = await addressed('link', exchange)
  count('link', id, exchange)
  return exchange.respond(null, 307, {
    ...uncached,
    Location: headerText(passedOn(url!, exchange.url.search, passQuery)),
  })
}

/** Answers `/p/:slug` and `/p/:slug.gif` with an image. */
export async function answerPixel(exchange: Exchange): Promise<Response> {
  const { id } = await addressed('pixel', exchange)
  count('pixel', id, exchange)
  return exchange.respond(gif, 200, { ...uncached, 'Content-Type': 'image/gif' })
}

function count(kind: 'link' | 'pixel', id: string, exchange: Exchange): void {
  exchange.waitUntil(import('./collect.ts').then(({ countVisit }) => countVisit(kind, id, exchange)))
}

async function addressed(kind: 'link' | 'pixel', { param, metadata }: Exchange) {
  const name = param('slug')
  // Some mail programs show an image only if its URL ends with a file extension. A slug never contains a dot.
  const slug = made(addressSlug).safeParse(kind === 'pixel' ? name.replace(/\.gif$/, '') : name).data
  const found = slug === undefined ? undefined : await metadata.links.lookUp(kind, slug)
  if (!found) throw new ApiError('not-found', `There is no such ${kind}.`)
  return found
}

/** The maximum length of a visitor's query string that is passed on, in characters. Clients refuse long headers. */
const longestPassed = 4000

/** The parameters that advertising networks append to links. */
const passedIds: ReadonlySet<string> = new Set([...channelLists.adClickIds, 'epik', 'fbclid'])

/**
 * The target, with parameters of the visitor's query string appended unchanged if the link passes them on and the
 * target lacks them.
 */
function passedOn(target: string, search: string, passQuery: PassQuery): string {
  if (passQuery === 'none' || search.length > longestPassed) return target
  const own = new URL(target).searchParams
  const isPassed = (part: string): boolean => {
    const [name] = new URLSearchParams(part).keys()
    return !!name && !own.has(name) && (passQuery === 'all' || name.startsWith('utm_') || passedIds.has(name))
  }
  const passed = search.slice(1).split('&').filter(isPassed)
  if (passed.length === 0) return target
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/.exec(target)!
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return address + joint + passed.join('&') + fragment
}

/** The saved URL. Characters that are not allowed in a header are percent-encoded. */
const headerText = (url: string): string => (/^[!-~]*$/.test(url) ? url : new URL(url).href)

import { namesOpening } from '../access/credential.ts'
import type { Opening } from '../access/opening.ts'
import { type Grant, originsOf } from '../access/permit.ts'
import { type Endpoint, idNames } from '../endpoints/endpoint.ts'
import { freshFor, memo } from '../metadata/memo.ts'
import type { Exchange, PublicAnswer } from './exchange.ts'
import type { Caller } from './identify.ts'
import type { Input } from './input.ts'
import { log } from './log.ts'

/**
 * How caches may store the answer, if every GET of this URL receives the same one. Undefined if access is restricted to
 * certain origins, and for live reports, because all readers of their URL would receive the stream.
 */
export function publicAnswer(
  endpoint: Endpoint,
  caller: Caller,
  { opening }: Grant,
  exchange: Exchange,
): PublicAnswer | undefined {
  const { request, url } = exchange
  if (endpoint.method !== 'get' || request.method === 'POST' || !namesOpening(url)) return undefined
  if (endpoint.kind === 'report' && endpoint.isLive) return undefined
  return publicBy(opening, caller, exchange)
}

/** How caches may store a page whose path identifies the share or public website. */
export function publicBy(
  opening: Opening | undefined,
  caller: Pick<Caller, 'holder' | 'website' | 'knownUntil' | 'outage'>,
  exchange: Exchange,
): PublicAnswer | undefined {
  const { holder, website, knownUntil, outage } = caller
  if (!opening || originsOf(holder, opening).length > 0 || outage !== undefined) return undefined
  if (exchange.now >= renewalOf(knownUntil)) renew(caller, exchange)
  const share = holder?.kind === 'share' ? holder : undefined
  const subjects = new Set([website?.id, share?.entityId].filter((id) => id !== undefined))
  const tags = [...[...subjects].map(tagOf.subject), ...(share ? [tagOf.share(share.id)] : [])]
  return { until: Math.min(knownUntil, opening.expiresAt ?? Infinity), tags: tags.join(',') }
}

/** The cache tags for answers about a website, link, pixel or board, and for answers through a share. */
const tagOf = {
  subject: (id: string) => `weir-website-${id}`,
  share: (id: string) => `weir-share-${id}`,
} as const

/** The value of `Cache-Control`. `now` is in milliseconds since 1970. */
export const publicControl = ({ until }: Pick<PublicAnswer, 'until'>, now: number): string =>
  `public, s-maxage=${Math.floor(Math.min(freshFor, Math.max(0, until - now)) / 1000)}, max-age=0, must-revalidate`

/**
 * A look-up of this age is renewed in the background, so that caches may always store answers for nearly ten seconds.
 */
const renewedAfter = 1000

/** When to renew a look-up that expires at `until`, in milliseconds since 1970. */
export const renewalOf = (until: number): number => until - freshFor + renewedAfter

const renewing = memo<true>(1000)

/** Looks the caller up again in the background, at most once a second. */
function renew({ holder, website }: Pick<Caller, 'holder' | 'website'>, { metadata, now, waitUntil }: Exchange): void {
  const slug = holder?.kind === 'share' ? holder.slug : undefined
  const name = `${slug} ${website?.id}`
  if (renewing.get(name, now)) return
  renewing.keeper()(name, true, now + renewedAfter)
  const looking = metadata.lookUp(slug === undefined ? undefined : { kind: 'slug', id: slug }, website?.id, 'change')
  waitUntil(looking.catch(() => undefined))
}

/**
 * The cache in front of a Worker, if its account has one. See https://developers.cloudflare.com/workers/cache/purge/
 */
interface WorkersCache {
  /** If the purge fails, `errors` says why: an account may purge only a few times a minute. */
  readonly purge: (what: {
    readonly tags: readonly string[]
  }) => Promise<{ readonly success: boolean; readonly errors: readonly { message: string }[] }>
}

/**
 * If the request has changed the website, link, pixel, board or share in its path, purges the answers about it from the
 * cache in front of the Worker. Answers that are not purged expire within ten seconds.
 */
export function purgePublic(endpoint: Endpoint, input: Input, exchange: Exchange): void {
  const { cache } = exchange.hono.executionCtx as { readonly cache?: WorkersCache }
  const tags = idNames(endpoint).map((name) => tagOf[name === 'shareId' ? 'share' : 'subject'](String(input[name])))
  if (!cache || tags.length === 0 || !exchange.metadata.hasChangedSources()) return
  const failed = (why: unknown) => log(exchange, { purging: String(why) })
  const purge = async () => {
    const { success, errors } = await cache.purge({ tags })
    if (!success) failed(errors.map(({ message }) => message).join(' '))
  }
  exchange.waitUntil(purge().catch(failed))
}

import type { Hono } from 'hono'
import { credentialHeaders } from '../access/credential.ts'
import { memoryTier } from '../cache/answers.ts'
import { matchesEtag } from '../cache/stored.ts'
import { generation } from '../metadata/look-ups.ts'
import { memo } from '../metadata/memo.ts'
import { currentMoment } from './arrive.ts'
import type { Edge, Exchange, Offer } from './exchange.ts'
import { publicControl } from './public-address.ts'
import {
  newRecord,
  type Recorders,
  type RequestRecord,
  type RequestSubject,
  serverTiming,
  writeRecord,
} from './record.ts'
import { stoppedUntil } from './refusals.ts'
import { secondsSince } from './respond.ts'

/**
 * Maps a request to its stored answer without repeating the steps of an earlier, equal request. It expires as soon as
 * anything expires that those steps depended on.
 */
interface Shortcut extends Omit<Offer, 'until'> {
  readonly headers: Readonly<Record<string, string>>
  /** The log record of each hit. */
  readonly record: RequestRecord
}

const shortcuts = memo<Shortcut>(500)

/** The maximum length of an identity that is stored, in characters. Longer ones are rare and use a lot of memory. */
const maxIdentityLength = 4000

const identityHeaders = [...credentialHeaders, 'Origin', 'Sec-Fetch-Site', 'Accept']

const addressOf = (headers: Headers): string | undefined => headers.get('cf-connecting-ip') ?? undefined

/** Everything in a request that affects its answer. Only GET requests have shortcuts, so there is no body. */
function identityOf({ url, headers }: Request): string {
  // Each address has its own shortcuts for URLs with slugs, so that guessers learn nothing from other callers' answers.
  let identity = url.includes('share=') ? `${addressOf(headers)} ${url}` : url
  for (const name of identityHeaders) identity += `\n${headers.get(name) ?? ''}`
  return identity
}

/** Headers whose values differ between responses. */
const headersOfOneAnswer = new Set(['x-request-id', 'x-cache', 'age', 'server-timing', 'x-tries'])

/** Stores the shortcut that was offered for the request. Must be called after all headers have been set. */
export function keepShortcut({ offer, now, request, record }: Exchange, answer: Response): void {
  if (!offer || answer.status !== 200 || request.method !== 'GET' || offer.until <= now) return
  const identity = identityOf(request)
  if (identity.length > maxIdentityLength) return
  const { until, ...rest } = offer
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !headersOfOneAnswer.has(name)))
  shortcuts.keeper()(identity, { ...rest, headers, record: recordOfHit(record) }, until)
}

/** The answer to a request that has a shortcut; undefined if it has none. */
export function throughShortcut(request: Request, now: number, env: Recorders): Response | undefined {
  if (request.method !== 'GET' || request.body) return undefined
  if (stoppedUntil(addressOf(request.headers), now) !== undefined) return undefined
  const shortcut = shortcuts.get(identityOf(request), now)
  const stored = shortcut?.generation === generation() ? memoryTier.get(shortcut.key) : undefined
  if (!shortcut || stored?.etag !== shortcut.etag || stored.madeAt !== shortcut.madeAt) return undefined
  const { etag, madeAt, body } = stored
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  const { publicUntil } = shortcut
  const headers = {
    ...shortcut.headers,
    'x-request-id': requestId,
    'x-cache': 'HIT',
    ...(publicUntil === undefined
      ? { age: secondsSince(madeAt, now) }
      : { 'cache-control': publicControl({ until: publicUntil }, now) }),
    'server-timing': serverTiming(shortcut.record),
  }
  const isKnown = matchesEtag(etag, request.headers.get('if-none-match'))
  writeRecord(env, { requestId, slugs: noSlugs, now }, shortcut.record, { status: isKnown ? 304 : 200, total: 0 })
  if (!isKnown) return new Response(body, { headers })
  const { 'content-type': _, ...rest } = headers as Record<string, string>
  return new Response(null, { status: 304, headers: rest })
}

/** A hit's record: with the endpoint, website and kind of caller of the earlier request, but without waiting times. */
const recordOfHit = ({ endpoint, website, caller }: RequestSubject): RequestRecord => ({
  ...newRecord('http'),
  ...{ endpoint, caller, cache: 'HIT' },
  ...(website && { website }),
})

/** No field of a hit's log line could contain a slug. */
const noSlugs: ReadonlySet<string> = new Set()

/** Accepts the caller's request id according to the same rule as `hono/request-id`. */
const requestIdOf = (given: string | null): string =>
  given && given.length <= 64 && !/[^\w\-=]/.test(given) ? given : crypto.randomUUID()

/** The API, which tries shortcuts first. */
export const behindShortcuts = (app: Hono<Edge>) => ({
  fetch: (request: Request, env: Edge['Bindings'], context: Parameters<typeof app.fetch>[2]) =>
    throughShortcut(request, currentMoment(), env) ?? app.fetch(request, env, context),
})

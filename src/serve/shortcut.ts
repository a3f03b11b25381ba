import type { Hono } from 'hono'
import { credentialHeaders } from '../access/credential.ts'
import { memoryTier } from '../cache/answers.ts'
import { matchesEtag } from '../cache/stored.ts'
import { generation } from '../metadata/lookup.ts'
import { memo } from '../metadata/memo.ts'
import { currentMoment, type Edge, type Exchange } from './exchange.ts'
import { stoppedUntil } from './refusals.ts'
import { secondsSince, timing } from './respond.ts'

/**
 * Leads a request straight to its stored answer: what the steps came to for an equal request. It holds as long as everything
 * that those steps decided on.
 */
interface Shortcut {
  /** Where the answer is stored. The answer itself is not held here too: what the cache lets go of is gone. */
  readonly key: string
  /** Tell that answer from a later one in its place. */
  readonly etag: string
  readonly madeAt: number
  readonly headers: Readonly<Record<string, string>>
  /** Of what was looked up. */
  readonly generation: number
}

/** A shortcut as the steps offer it, good until this moment. */
export type Offer = Omit<Shortcut, 'headers'> & { readonly until: number }

const shortcuts = memo<Shortcut>(500)

/** Longer identities are rare, and would take much room. */
const maxIdentityLength = 4000

const identityHeaders = [...credentialHeaders, 'Origin', 'Sec-Fetch-Site', 'Accept']

const addressOf = (headers: Headers): string | undefined => headers.get('cf-connecting-ip') ?? undefined

/** All of a request that its answer depends on: GET is the only method that has a shortcut, and it has no body. */
function identityOf({ url, headers }: Request): string {
  // Whoever guesses slugs learns nothing from the answers of others.
  let identity = url.includes('share=') ? `${addressOf(headers)} ${url}` : url
  for (const name of identityHeaders) identity += `\n${headers.get(name) ?? ''}`
  return identity
}

/** Headers that belong to one answer alone. */
const headersOfOneAnswer = new Set(['x-request-id', 'x-cache', 'age', 'server-timing'])

/** Keeps the shortcut that the steps offered, for requests equal to this one; after everything that sets headers. */
export function keepShortcut({ offer, now, request }: Exchange, answer: Response): void {
  if (!offer || answer.status !== 200 || request.method !== 'GET' || offer.until <= now) return
  const identity = identityOf(request)
  if (identity.length > maxIdentityLength) return
  const { until, ...rest } = offer
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !headersOfOneAnswer.has(name)))
  shortcuts.keeper()(identity, { ...rest, headers }, until)
}

/** The answer to a request that has a shortcut. */
export function throughShortcut(request: Request, now: number): Response | undefined {
  if (request.method !== 'GET' || request.body) return undefined
  if (stoppedUntil(addressOf(request.headers), now) !== undefined) return undefined
  const shortcut = shortcuts.get(identityOf(request), now)
  const stored = shortcut?.generation === generation() ? memoryTier.get(shortcut.key) : undefined
  if (!shortcut || stored?.etag !== shortcut.etag || stored.madeAt !== shortcut.madeAt) return undefined
  const { etag, madeAt, body } = stored
  const headers = {
    ...shortcut.headers,
    'x-request-id': requestIdOf(request.headers.get('x-request-id')),
    'x-cache': 'HIT',
    age: secondsSince(madeAt, now),
    'server-timing': timing('HIT'),
  }
  if (!matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(body, { headers })
  const { 'content-type': _, ...rest } = headers as Record<string, string>
  return new Response(null, { status: 304, headers: rest })
}

/** As `hono/request-id` reads it. */
const requestIdOf = (given: string | null): string =>
  given && given.length <= 64 && !/[^\w\-=]/.test(given) ? given : crypto.randomUUID()

/** The API behind its shortcuts. */
export const behindShortcuts = (app: Hono<Edge>) => ({
  fetch: (request: Request, env: Edge['Bindings'], context: Parameters<typeof app.fetch>[2]) =>
    throughShortcut(request, currentMoment()) ?? app.fetch(request, env, context),
})

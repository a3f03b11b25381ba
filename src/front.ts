import type { Context, Hono } from 'hono'
import { credentialHeaders } from './access/credential.ts'
import { held } from './cache/answers.ts'
import { isNamed } from './cache/kept.ts'
import { forgettings } from './metadata/lookup.ts'
import { memo } from './metadata/memo.ts'
import { stoppedUntil } from './refusals.ts'
import { secondsSince, timing } from './respond.ts'
import { moment, type Stages } from './serve.ts'

/**
 * What the path of a request came to for one that was answered from the cache. As long as all that it was decided on holds,
 * an equal request is answered the same without going that way again.
 */
interface Pass {
  /** Where the answer is held. It is not held here too, so that what the cache lets go of is gone. */
  readonly key: string
  /** Tell that answer from another that stands in its place later. */
  readonly etag: string
  readonly madeAt: number
  readonly headers: Readonly<Record<string, string>>
  /** What was looked up has been forgotten so many times when it was looked up. */
  readonly forgettings: number
}

/** A pass as the path of a request offers it, good until this moment. */
export type Offer = Omit<Pass, 'headers'> & { readonly until: number }

const passes = memo<Pass>(500)

/** Longer ones are rare, and would take much room. */
const longestIdentity = 4000

const deciding = [...credentialHeaders, 'Origin', 'Sec-Fetch-Site', 'Accept']

/** All of a request that its answer depends on: GET is the only method that has a pass, and it has no body. */
function identityOf({ url, headers }: Request): string {
  // Who guesses slugs learns nothing from what others are answered.
  let identity = url.includes('share=') ? `${headers.get('cf-connecting-ip')} ${url}` : url
  for (const name of deciding) identity += `\n${headers.get(name) ?? ''}`
  return identity
}

/** Headers that belong to one answer alone. */
const ofOneAnswer = new Set(['x-request-id', 'x-cache', 'age', 'server-timing'])

/** Keeps a pass for requests equal to this one, where one is offered; after everything that sets headers. */
export function keepPass(c: Context<Stages>): void {
  const { pass, now } = c.var
  const request = c.req.raw
  if (!pass || c.res.status !== 200 || request.method !== 'GET' || pass.until <= now) return
  const identity = identityOf(request)
  if (identity.length > longestIdentity) return
  const { until, ...rest } = pass
  const headers = Object.fromEntries([...c.res.headers].filter(([name]) => !ofOneAnswer.has(name)))
  passes.keeper()(identity, { ...rest, headers }, until)
}

/** The answer to a request that has a pass. */
export function passed(request: Request, now: number): Response | undefined {
  if (request.method !== 'GET' || request.body || stoppedUntil(request.headers, now) !== undefined) return undefined
  const pass = passes.get(identityOf(request), now)
  const kept = pass?.forgettings === forgettings() ? held.get(pass.key) : undefined
  if (!pass || kept?.etag !== pass.etag || kept.madeAt !== pass.madeAt) return undefined
  const { etag, madeAt, body } = kept
  const headers = {
    ...pass.headers,
    'x-request-id': requestIdOf(request.headers.get('x-request-id')),
    'x-cache': 'HIT',
    age: secondsSince(madeAt, now),
    'server-timing': timing('HIT'),
  }
  if (!isNamed(etag, request.headers.get('if-none-match'))) return new Response(body, { headers })
  const { 'content-type': _, ...rest } = headers as Record<string, string>
  return new Response(null, { status: 304, headers: rest })
}

/** As `hono/request-id` reads it. */
const requestIdOf = (given: string | null): string =>
  given && given.length <= 64 && !/[^\w\-=]/.test(given) ? given : crypto.randomUUID()

/** The API behind its passes. */
export const front = (app: Hono<Stages>) => ({
  fetch: (request: Request, env: Stages['Bindings'], context: Parameters<typeof app.fetch>[2]) =>
    passed(request, moment()) ?? app.fetch(request, env, context),
})

import type { Context, Hono } from 'hono'
import { type Tokens, tokens } from '../access/tokens.ts'
import type { Env } from '../env.ts'
import { generation, type SharedLookups } from '../metadata/lookup.ts'
import { type Metadata, metadata } from '../metadata/metadata.ts'
import { slugsInUrl } from './log.ts'
import type { Offer } from './shortcut.ts'
import { subrequests } from './subrequest.ts'

/** What Hono carries for a request. */
export interface Edge {
  /** `lookUps`: those that a request shares with the others of its batch. */
  Bindings: Env & { readonly lookUps?: SharedLookups }
  Variables: { requestId: string; exchange: Exchange }
}

/** One request, and all that its steps need of the platform. */
export interface Exchange {
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  readonly env: Env
  /** The address that the request came from, where the platform knows it. */
  readonly address: string | undefined
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
  /** Milliseconds since then. */
  readonly elapsed: () => number
  /** The generation of what was looked up before this request. */
  readonly generation: number
  readonly metadata: Metadata
  readonly tokens: Tokens
  /** Slugs that this request is about: they open something, and go into no log. */
  readonly slugs: Set<string>
  /** Sets a header of the answer, whatever the answer will be; a refusal has it too. */
  readonly setHeader: (name: string, value: string | undefined, options?: { append?: boolean }) => void
  readonly respond: (
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string | null,
    status: 200 | 304,
    headers?: Readonly<Record<string, string>>,
  ) => Response
  /** Lets work go on after the answer, or after the caller has left. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** What the API answers to a GET of this path by the same caller. */
  readonly subrequest: (path: string) => Promise<Response>
  /** What requests equal to this one may be answered with. */
  offer: Offer | undefined
  /** Of Hono, for its validators. */
  readonly hono: Context<Edge>
}

/** Milliseconds since 1970. */
export const currentMoment = (): number => Date.now()

export function exchangeOf(hono: Context<Edge>, app: Hono<Edge>): Exchange {
  const now = currentMoment()
  const { env } = hono
  const url = new URL(hono.req.url)
  return {
    request: hono.req.raw,
    url,
    requestId: hono.get('requestId'),
    env,
    address: hono.req.header('cf-connecting-ip'),
    now,
    elapsed: () => currentMoment() - now,
    generation: generation(),
    metadata: metadata(env.METADATA, now, env.lookUps),
    tokens: tokens(env.AUTH_SECRET),
    slugs: new Set(slugsInUrl(url)),
    setHeader: (name, value, options) => hono.header(name, value, options),
    respond: (body, status, headers = {}) => hono.body(body as never, status, headers),
    waitUntil: (work) => hono.executionCtx.waitUntil(work),
    subrequest: subrequests(hono, app),
    offer: undefined,
    hono,
  }
}

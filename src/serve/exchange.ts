import type { Context, Hono } from 'hono'
import { type Tokens, tokens } from '../access/tokens.ts'
import { type BatchMember, single } from '../clickhouse/gathering.ts'
import { type Position, positionOf, type RequestCf } from '../clickhouse/position.ts'
import type { Connections } from '../clickhouse/replicas.ts'
import type { Env } from '../env.ts'
import { generation, type SharedLookups } from '../metadata/lookup.ts'
import { type Metadata, metadata } from '../metadata/metadata.ts'
import { slugsInUrl } from './log.ts'
import { newTally, type PatternTally } from './pattern-bounds.ts'
import { newRecord, type RequestRecord, watchOf } from './record.ts'
import type { Offer } from './shortcut.ts'
import { type Subrequest, subrequests } from './subrequest.ts'

/** The types of Hono's context here. */
export interface Edge {
  /**
   * `lookUps`: the look-ups that the requests of one batch share. `member`: how their statements are gathered.
   * `maxAge`: the greatest acceptable age of a cached answer, in seconds. `from`: where the request came in that this
   * one belongs to. `connections`: how many answers of ClickHouse that request waits for.
   * `until`, `deadline`, `since` and `patterns`: as in `Exchange`.
   */
  Bindings: Env & {
    readonly lookUps?: SharedLookups
    readonly member?: BatchMember
    readonly maxAge?: number
    readonly from?: Position
    readonly connections?: Connections
    readonly until?: number
    readonly deadline?: number
    readonly since?: number
    readonly patterns?: PatternTally
  }
  Variables: { requestId: string; exchange: Exchange }
}

/** One request and the platform services that its steps use. */
export interface Exchange {
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  readonly env: Edge['Bindings']
  /** The requester's IP address; undefined if the platform does not know it. */
  readonly address: string | undefined
  /** Where the request entered Cloudflare's network, as far as it is known. */
  readonly from: Position
  readonly connections: Connections
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
  /** The moment of the whole batch, if the request is a path of one; else `now`. */
  readonly since: number
  /** The patterns so far, also those of its batch. */
  readonly patterns: PatternTally
  /** The end of its time and of its batch's, in milliseconds since 1970; `Infinity` if the server alone limits it. */
  until: number
  /** The deadline that the caller gave it or its batch, in milliseconds after the request. */
  deadline: number | undefined
  /** Milliseconds since `now`. */
  readonly elapsed: () => number
  /** The generation of the look-up cache when this request began. */
  readonly generation: number
  readonly metadata: Metadata
  readonly tokens: Tokens
  /** What is known of the request, for the log and the metrics. */
  readonly record: RequestRecord
  /** The share slugs in this request. They are credentials, so the log masks them. */
  readonly slugs: Set<string>
  /** Sets a header of the response, also if the response is a refusal. */
  readonly setHeader: (name: string, value: string | undefined, options?: { append?: boolean }) => void
  readonly respond: (
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string | null,
    status: 200 | 304 | 307 | 404,
    headers?: Readonly<Record<string, string>>,
  ) => Response
  /** Keeps work alive after the response, or after the caller has left. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Sends a GET of this path to the API itself, as the same caller. */
  readonly subrequest: Subrequest
  /** How its statements run: alone, or gathered with those of a batch. */
  readonly member: BatchMember
  /** The shortcut for equal requests, once the steps offer one. */
  offer: Offer | undefined
  /** Hono's context, for its validators. */
  readonly hono: Context<Edge>
}

/** Milliseconds since 1970. */
export const currentMoment = (): number => Date.now()

export function exchangeOf(hono: Context<Edge>, app: Hono<Edge>): Exchange {
  const now = currentMoment()
  const { env } = hono
  const url = new URL(hono.req.url)
  const connections = env.connections ?? { waiting: 0 }
  const elapsed = () => currentMoment() - now
  const record = newRecord(env.maxAge !== undefined ? 'listening' : env.member ? 'inside' : 'http')
  const from = env.from ?? positionOf((hono.req.raw as { readonly cf?: RequestCf }).cf)
  const exchange: Exchange = {
    request: hono.req.raw,
    url,
    requestId: hono.get('requestId'),
    env,
    address: hono.req.header('cf-connecting-ip'),
    connections,
    from,
    now,
    since: env.since ?? now,
    patterns: env.patterns ?? newTally(),
    until: env.until ?? Number.POSITIVE_INFINITY,
    deadline: env.deadline,
    elapsed,
    generation: generation(),
    metadata: metadata(env.METADATA, now, env.lookUps, watchOf(env, { elapsed, record })),
    tokens: tokens(env.AUTH_SECRET),
    record,
    slugs: new Set(slugsInUrl(url)),
    setHeader: (name, value, options) => hono.header(name, value, options),
    respond: (body, status, headers = {}) => hono.body(body as never, status, headers),
    waitUntil: (work) => hono.executionCtx.waitUntil(work),
    subrequest: subrequests(hono, app, () => exchange),
    member: env.member ?? single,
    offer: undefined,
    hono,
  }
  return exchange
}

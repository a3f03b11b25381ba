import type { Context } from 'hono'
import type { Tokens } from '../access/tokens.ts'
import type { Position } from '../clickhouse/position.ts'
import type { Connections } from '../clickhouse/replicas.ts'
import type { Env } from '../env.ts'
import type { SharedLookups } from '../metadata/look-ups.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Period } from '../request/period.ts'
import type { PatternTally } from './pattern-bounds.ts'
import type { RequestRecord, Spent } from './record.ts'

/** The types of Hono's context. */
export interface Edge {
  /**
   * `lookUps`: the look-ups that the requests of one batch share. `maxAge`: the greatest acceptable age of a cached
   * answer, in seconds. `from`: where the outer request entered the network. `connections`: how many of ClickHouse's
   * answers it waits for. `until`, `deadline`, `since`, `patterns` and `spent`: as in `Exchange`.
   */
  Bindings: Env & {
    readonly lookUps?: SharedLookups
    readonly maxAge?: number
    readonly from?: Position
    readonly connections?: Connections
    readonly until?: number
    readonly deadline?: number
    readonly since?: number
    readonly patterns?: PatternTally
    readonly spent?: Spent
  }
  Variables: { requestId: string; exchange: Exchange }
}

/**
 * Sends a GET of this path. `maxAge`: the greatest acceptable age of a cached answer, in seconds; with it, credentials
 * are looked up again.
 */
export type Subrequest = (path: string, maxAge?: number) => Promise<Response>

/** A shortcut from later equal requests to the stored answer of this request. */
export interface Offer {
  /** The cache key of the answer. The shortcut stores no answer, so it ends when the cache evicts the answer. */
  readonly key: string
  /** The answer's `etag`. A later answer under the same key has another `etag`. */
  readonly etag: string
  readonly madeAt: number
  /** The generation of the look-up cache. */
  readonly generation: number
  /** The end of the shortcut, in milliseconds since 1970. */
  readonly until: number
  /** For a public answer: the end of the look-up that allowed it, in milliseconds since 1970. */
  readonly publicUntil: number | undefined
}

/**
 * How caches between Weir and its readers may hold the answer to a request whose URL names its opening. No answer
 * outlives the look-up that allowed it, so an ended share disappears as quickly as it would without such a cache.
 */
export interface PublicAnswer {
  /** The end of the look-up that allowed it, in milliseconds since 1970. */
  readonly until: number
  /** The value of `Cache-Tag`, by which it is purged. */
  readonly tags: string
}

/** One request and the platform services that its steps use. */
export interface Exchange {
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  readonly env: Edge['Bindings']
  /** The requester's IP address; undefined if the platform does not know it. */
  readonly address: string | undefined
  /** Where the request entered Cloudflare's network, if known. */
  readonly from: Position
  readonly connections: Connections
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
  /** If the request is a path of a batch, the moment of the whole batch; else `now`. */
  readonly since: number
  /** The patterns so far, including those of its batch. */
  readonly patterns: PatternTally
  /** How much ClickHouse has read so far, including for inner requests. */
  readonly spent: Spent
  /** The deadline of the request and its batch, in milliseconds since 1970; `Infinity` if only the server limits it. */
  until: number
  /** The caller's deadline for it or its batch, in milliseconds after the request. */
  deadline: number | undefined
  /** Milliseconds since `now`. */
  readonly elapsed: () => number
  /** The generation of the look-up cache when this request began. */
  readonly generation: number
  readonly metadata: Metadata
  readonly tokens: Tokens
  /** Facts about the request, for the log and the metrics. */
  readonly record: RequestRecord
  /** The share slugs in this request. They are credentials, so the log masks them. */
  readonly slugs: Set<string>
  /** Sets a header of the response, even if the response is a refusal. */
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
  /** The period that the request named by `period`. */
  named: Period | undefined
  /** How caches in between may hold the answer; undefined if the answer is for this caller alone. */
  publicAnswer: PublicAnswer | undefined
  /** The shortcut for equal requests, once the steps offer one. */
  offer: Offer | undefined
  /** Resolves once reading of an oversized body has ended. */
  rest: Promise<void> | undefined
  /** Hono's context, for its validators. */
  readonly hono: Context<Edge>
}

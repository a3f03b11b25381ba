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

/**
 * The types for Hono's context. `Bindings` also contain what a subrequest inherits from its outer request; `Exchange`
 * describes these fields.
 * - Every subrequest: `from`, `connections` and `spent`.
 * - A path of a batch: also `lookUps`, `patterns`, `since`, `until` and `deadline`, so all paths share these limits.
 * - A check of a live answer: `maxAge` instead. It looks up its caller again, and has its own limits.
 *
 * `since` (the batch arrived) is at most `now` (this request arrived), and work ends at `until`: all three are in
 * milliseconds since 1970. `deadline` is a duration in milliseconds, which shortens `until`.
 */
export interface Edge {
  /**
   * `lookUps`: the look-ups shared by the paths of one batch. `maxAge`: the maximum acceptable age of a cached answer,
   * in seconds.
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
 * Sends a GET for this path. `maxAge`: the maximum acceptable age of a cached answer, in seconds. If it is given,
 * credentials are looked up again.
 */
export type Subrequest = (path: string, maxAge?: number) => Promise<Response>

/** A shortcut from later equal requests to the stored answer to this request. */
export interface Offer {
  /**
   * The answer's cache key. The shortcut itself stores no answer, so it becomes useless when the cache evicts the
   * answer.
   */
  readonly key: string
  /** The answer's `etag`. A later answer with the same key has a different `etag`. */
  readonly etag: string
  readonly madeAt: number
  /** The generation of the look-up cache. */
  readonly generation: number
  /** When the shortcut expires, in milliseconds since 1970. */
  readonly until: number
  /** For a public answer: when the look-up that allowed it expires, in milliseconds since 1970. */
  readonly publicUntil: number | undefined
}

/**
 * How caches between Weir and its readers may store the answer to a request whose URL has `share=`. No answer outlives
 * the look-up that allowed it, so a revoked share disappears as quickly as it would without such a cache.
 */
export interface PublicAnswer {
  /** When the look-up that allowed the answer expires, in milliseconds since 1970. */
  readonly until: number
  /** The value of `Cache-Tag`, which is used to purge the answer. */
  readonly tags: string
}

/** One request, with the platform services that are used to handle it. */
export interface Exchange {
  readonly request: Request
  readonly url: URL
  readonly requestId: string
  readonly env: Edge['Bindings']
  /** The requester's IP address; undefined if the platform does not provide it. */
  readonly address: string | undefined
  /** Where the request entered Cloudflare's network, if known. */
  readonly from: Position
  readonly connections: Connections
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number
  /** If the request is one path of a batch, the time of the whole batch; otherwise `now`. */
  readonly since: number
  /** The patterns counted so far, including those in other paths of its batch. */
  readonly patterns: PatternTally
  /** How much ClickHouse has read so far, including for inner requests. */
  readonly spent: Spent
  /**
   * The deadline of the request and its batch, in milliseconds since 1970; `Infinity` if there is only the server's own
   * limit.
   */
  until: number
  /** The caller's deadline for the request or its batch, in milliseconds from the request. */
  deadline: number | undefined
  /** Milliseconds since `now`. */
  readonly elapsed: () => number
  /** The generation of the look-up cache when the request began. */
  readonly generation: number
  readonly metadata: Metadata
  readonly tokens: Tokens
  /** Data about the request, for the log and the metrics. */
  readonly record: RequestRecord
  /** The share slugs in this request. They are credentials, so they are masked in the log. */
  readonly slugs: Set<string>
  /** A parameter of the path; empty if the path has none with this name. */
  readonly param: (name: string) => string
  /** Sets a response header, even if the request is refused. */
  readonly setHeader: (name: string, value: string | undefined, options?: { append?: boolean }) => void
  readonly respond: (
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string | null,
    status: 200 | 304 | 307 | 404,
    headers?: Readonly<Record<string, string>>,
  ) => Response
  /** Keeps work alive after the response, or after the caller has disconnected. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Sends a GET for this path to the API itself, as the same caller. */
  readonly subrequest: Subrequest
  /** The period that the request chose with `period`. */
  namedPeriod: Period | undefined
  /** How caches between Weir and the caller may store the answer; undefined if it is only for this caller. */
  publicAnswer: PublicAnswer | undefined
  /** The shortcut for equal requests, once one has been offered. */
  offer: Offer | undefined
  /** Resolves once the rest of an oversized body has been read. */
  rest: Promise<void> | undefined
  /** Hono's context, for its validators. */
  readonly hono: Context<Edge>
}

import type { D1Database, RateLimit } from '@cloudflare/workers-types'
import type { CacheTimes } from './cache/times.ts'

/** How many requests a limiter lets through in how many seconds. */
export interface Quota {
  readonly limit: number
  readonly period: number
}

/** What `wrangler.toml` calls the limiters. */
export type LimitBinding =
  | 'LIMIT_KEY'
  | 'LIMIT_SHARE'
  | 'LIMIT_ADDRESS'
  | 'LIMIT_SIGN_IN'
  | 'LIMIT_USERNAME'
  | 'LIMIT_REFUSALS'

/** Optional rate limiters; omit a binding to lift its limit. */
type Limiters = { readonly [Binding in LimitBinding]?: RateLimit }

/** Bindings and variables of the Worker, as `wrangler.toml` and the secrets declare them. */
export interface Env extends Limiters {
  /** D1: users, teams, websites, and the keys and shares that open them. */
  readonly METADATA: D1Database
  /** `https://host:8443`, with `?database=…` where it is not `default`; user and password may stand in it too. */
  readonly CLICKHOUSE_URL: string
  readonly CLICKHOUSE_USER?: string
  readonly CLICKHOUSE_PASSWORD?: string
  readonly CLICKHOUSE_DATABASE?: string
  /** Seconds a statement may take; 30 when left out. */
  readonly CLICKHOUSE_TIMEOUT?: string
  /** Seconds an export may take; 600 when left out. */
  readonly CLICKHOUSE_EXPORT_TIMEOUT?: string
  /** Seconds after which a reader of an export who takes nothing is given up; 20 when left out. */
  readonly CLICKHOUSE_EXPORT_PATIENCE?: string
  /** Signs the tokens of sign-ins and shares: 32 characters or more. Without it there are none. */
  readonly AUTH_SECRET?: string
  /** What the limiters let through, as their bindings say, for `RateLimit-Policy`. */
  readonly RATE_LIMITS?: Readonly<Partial<Record<LimitBinding, Quota>>>
  /** How long answers are kept; nothing is where it is left out. */
  readonly CACHE?: CacheTimes
  /** Which version of the Worker runs. */
  readonly VERSION?: { readonly id: string }
}

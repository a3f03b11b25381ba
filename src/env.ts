import type { D1Database, RateLimit } from '@cloudflare/workers-types'
import type { LimitBinding, Quota } from './access/limits.ts'
import type { CacheTimes } from './cache/times.ts'

/** Bindings and variables of the Worker, as `wrangler.toml` and the secrets declare them. */
export interface Env {
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
  /** Limiters of requests; whose binding is left out has no limit. */
  readonly LIMIT_KEY?: RateLimit
  readonly LIMIT_SHARE?: RateLimit
  readonly LIMIT_ADDRESS?: RateLimit
  readonly LIMIT_SIGN_IN?: RateLimit
  readonly LIMIT_USERNAME?: RateLimit
  readonly LIMIT_REFUSALS?: RateLimit
  /** What the limiters let through, as their bindings say, for `RateLimit-Policy`. */
  readonly RATE_LIMITS?: Readonly<Partial<Record<LimitBinding, Quota>>>
  /** How long answers are kept; nothing is where it is left out. */
  readonly CACHE?: CacheTimes
  /** Which version of the Worker runs. */
  readonly VERSION?: { readonly id: string }
}

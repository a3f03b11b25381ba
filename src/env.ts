import type { D1Database } from '@cloudflare/workers-types'

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
  /** Signs the tokens of sign-ins and shares: 32 characters or more. Without it there are none. */
  readonly AUTH_SECRET?: string
}

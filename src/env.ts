import type {
  AnalyticsEngineDataset,
  D1Database,
  DurableObjectJurisdiction,
  DurableObjectNamespace,
  RateLimit,
} from '@cloudflare/workers-types'
import type { CacheTimes } from './cache/times.ts'
import type { Concurrency } from './clickhouse/turns.ts'

/** The quota of a rate limiter: `limit` requests per `period` seconds. */
export interface Quota {
  readonly limit: number
  readonly period: number
}

/** The contents of the variable `LOG`. */
export interface LogSettings {
  /** The share of successful requests that are logged, from 0 to 1. */
  readonly successes: number
}

/** The URL of a service that purges sessions with the admin's privileges, and the secret for it. */
interface Purger {
  readonly url: string
  readonly secret: string
}

/** The rate limit bindings in `wrangler.toml`. */
export type LimitBinding =
  | 'LIMIT_KEY'
  | 'LIMIT_SHARE'
  | 'LIMIT_ADDRESS'
  | 'LIMIT_MCP'
  | 'LIMIT_SIGN_IN'
  | 'LIMIT_USERNAME'
  | 'LIMIT_REFUSALS'
  | 'LIMIT_RECORD'
  | 'LIMIT_COLLECT_REFUSALS'

/** Optional rate limiters. To lift a limit, omit its binding. */
type Limiters = { readonly [Binding in LimitBinding]?: RateLimit }

/** The Worker's bindings, variables and secrets. */
export interface Env extends Limiters {
  /**
   * The URL at which callers reach the Worker, such as `https://weir.example.com`. It is used for links in answers.
   * Without it, links have the request's host.
   */
  readonly PUBLIC_URL?: string
  /** D1, with users, teams, websites, API keys and shares. */
  readonly METADATA: D1Database
  /**
   * `https://host:8443`, with `?database=…` unless the database is `default`. It may contain the username and password.
   */
  readonly CLICKHOUSE_URL?: string
  /** Several replicas instead of `CLICKHOUSE_URL`, either parsed or as JSON; see docs/replicas.md. */
  readonly CLICKHOUSE_REPLICAS?: unknown
  readonly CLICKHOUSE_USER?: string
  readonly CLICKHOUSE_PASSWORD?: string
  readonly CLICKHOUSE_DATABASE?: string
  /**
   * The user for readers of shares and public websites (`weir_visitor` by default), and its password. If neither is
   * set, Weir reads for them as `CLICKHOUSE_USER`; see docs/clickhouse-users.md.
   */
  readonly CLICKHOUSE_VISITOR_USER?: string
  readonly CLICKHOUSE_VISITOR_PASSWORD?: string
  /** The server that receives collected events, and the user that inserts them. By default, as in `CLICKHOUSE_URL`. */
  readonly CLICKHOUSE_WRITE_URL?: string
  readonly CLICKHOUSE_WRITE_USER?: string
  readonly CLICKHOUSE_WRITE_PASSWORD?: string
  /** The time limit of a request through a share or a public website, in seconds; 5 by default. */
  readonly CLICKHOUSE_VISITOR_TIMEOUT?: string
  /** The time limit of a statement, in seconds; 30 by default. */
  readonly CLICKHOUSE_TIMEOUT?: string
  /** The time limit of an export, in seconds; 600 by default. */
  readonly CLICKHOUSE_EXPORT_TIMEOUT?: string
  /** An export is cancelled if its reader reads nothing for this many seconds; 20 by default. */
  readonly CLICKHOUSE_EXPORT_PATIENCE?: string
  /** The maximum number of bytes of memory that a statement may use in ClickHouse. By default, the user's limit. */
  readonly CLICKHOUSE_MAX_MEMORY?: string
  /** The maximum number of rows that a statement may read. By default, the user's limit. */
  readonly CLICKHOUSE_MAX_ROWS?: string
  /**
   * Chains are used for ranges with at least this many views. Overrides the measured thresholds; see docs/chains.md.
   */
  readonly CHAINS_FROM?: string | number
  /** How many statements may run at the same time in an isolate; see docs/limits.md. */
  readonly CONCURRENCY?: Concurrency
  /** The secret that signs sign-in and share tokens, at least 32 characters long. Without it, there are no tokens. */
  readonly AUTH_SECRET?: string
  /**
   * The secret for second factors, at least 32 characters long. Without it, `AUTH_SECRET` is used; see docs/sign-in.md.
   */
  readonly TWO_FACTOR_KEY?: string
  /** The name of the only user, an admin, who may sign in with a password; see docs/sign-in.md. */
  readonly PASSWORD_ONLY_FOR?: string
  /** OpenID Connect issuers, either parsed or as JSON, or a single issuer; see docs/sign-in.md. */
  readonly OIDC_ISSUERS?: unknown
  readonly OIDC_ISSUER?: string
  readonly OIDC_CLIENT_ID?: string
  readonly OIDC_CLIENT_SECRET?: string
  readonly OIDC_BUTTON?: string
  readonly OIDC_SCOPE?: string
  readonly OIDC_SIGN_UP?: string
  readonly OIDC_JOIN?: string
  readonly OIDC_SINGLE_TENANT?: string
  readonly OIDC_GROUPS?: string
  readonly OIDC_ROLES?: unknown
  readonly OIDC_TEAMS?: unknown
  /** The limiters' quotas, for `RateLimit-Policy`. They repeat the settings of the bindings. */
  readonly RATE_LIMITS?: Readonly<Partial<Record<LimitBinding, Quota>>>
  /** Cache lifetimes. Without this, nothing is cached. */
  readonly CACHE?: CacheTimes
  /** The pages and their files. Without this, there are none. */
  readonly ASSETS?: { fetch(url: string, init: RequestInit): Promise<Response> }
  /** Which requests are logged. Without this, only those that failed on our side. */
  readonly LOG?: LogSettings
  /** Workers Analytics Engine. Without this, no data points are written. */
  readonly ANALYTICS?: AnalyticsEngineDataset
  /** The secret for `/metrics`. Without it, nothing is counted and the path does not exist. */
  readonly METRICS_TOKEN?: string
  /** The logs for collected events; see docs/collection.md. Without this, nothing is collected. */
  readonly COLLECT?: DurableObjectNamespace
  /**
   * Where the log objects are: `eu`, `us` or `fedramp`. By default, anywhere. After a change, all objects are new and
   * empty.
   */
  readonly JURISDICTION?: DurableObjectJurisdiction
  /** The number of log objects over which the websites are distributed; 1 by default. */
  readonly COLLECT_LOGS?: string | number
  /** The minimum number of log objects that share the events of each website: 1, 2, 4, 8 or 16; 1 by default. */
  readonly COLLECT_SPREAD?: string | number
  /**
   * A website with this many requests a minute that bring new events to one log object gets twice as many objects;
   * 30,000 by default.
   */
  readonly COLLECT_BUSY?: string | number
  /** Events that arrive within this many milliseconds share a commit; 5 by default. */
  readonly COLLECT_WINDOW?: string | number
  /**
   * The maximum time that events wait for ClickHouse while nobody reads them, in seconds; 1 by default, which is also
   * the minimum.
   */
  readonly COLLECT_PATIENCE?: string | number
  /** The maximum number of bytes that may wait for ClickHouse in each log object; 4 GB by default. */
  readonly COLLECT_CAPACITY?: string | number
  /** The maximum number of bytes of JSON that a website may record per UTC day; 20 GB by default. */
  readonly RECORD_DAILY?: string | number
  /** How many days late an event may be without a key for its website; 7 by default, at most 31. */
  readonly COLLECT_LATE?: string | number
  /** When `weir upgrade` finished filling the tables, in milliseconds since 1970. They contain no earlier tokens. */
  readonly COLLECT_TOKENS_SINCE?: string
  /** Addresses and CIDR blocks whose events are refused, separated by commas. */
  readonly IGNORE_IP?: string
  /** If set to any value except `0` and `false`, bots are counted like people. */
  readonly DISABLE_BOT_CHECK?: string
  /** How long a visitor keeps the same session id: `day`, `week` or `month` (the default). */
  readonly SALT_ROTATION?: string
  /** The header in which the proxies in `TRUSTED_PROXIES` (addresses and CIDR blocks) send the visitor's address. */
  readonly CLIENT_IP_HEADER?: string
  readonly TRUSTED_PROXIES?: string
  /** An additional path for `/api/send`, and additional names for `/script.js`, separated by commas. */
  readonly COLLECT_API_ENDPOINT?: string
  readonly TRACKER_SCRIPT_NAME?: string
  /**
   * The maximum number of boards that an owner may have, and likewise of segments, annotations, keys, links, pixels and
   * reports; 1,000 by default.
   */
  readonly MOST_OWNED?: string | number
  /** How many days audit log entries are stored; 400 by default, at least 30. */
  readonly AUDIT_DAYS?: string | number
  /**
   * The service that deletes ClickHouse rows for the Worker, which lacks the privilege to do so. Only `npm start` and
   * `serve` set it.
   */
  readonly PURGER?: Purger
  /** Whether the page `/demo` exists. Only `npm start` sets it. */
  readonly DEMO?: boolean
  /**
   * Whether a log object checks once that its SQLite file is intact. Only `npm start` sets this, because it can repair
   * such a log.
   */
  readonly CHECK_LOGS?: boolean
  /**
   * Whether the log runs on the same machine as the Worker, so that queries may wait for it. Only `npm start` sets
   * this.
   */
  readonly LOG_IS_BESIDE?: boolean
  /** The Worker version that is running. */
  readonly VERSION?: { readonly id: string }
}

/** The number in a variable, or the default if it is not a number. */
export const numberOr = <Otherwise>(otherwise: Otherwise, text: string | number | undefined): number | Otherwise =>
  text === undefined || text === '' || !(Number(text) >= 0) ? otherwise : Number(text)

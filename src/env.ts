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

/** The variable `LOG`. */
export interface LogSettings {
  /** The share of successful requests that get a line, from 0 to 1. */
  readonly successes: number
}

/** The address of a service that purges sessions with the admin's rights, and its secret. */
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

/** Optional rate limiters; omit a binding to lift its limit. */
type Limiters = { readonly [Binding in LimitBinding]?: RateLimit }

/** The bindings, variables and secrets of the Worker. */
export interface Env extends Limiters {
  /**
   * The URL under which callers reach the Worker, such as `https://weir.example.com`, for links in answers. Without it,
   * links have the host of the request.
   */
  readonly PUBLIC_URL?: string
  /** D1: users, teams, websites, API keys and shares. */
  readonly METADATA: D1Database
  /** `https://host:8443`, with `?database=…` unless it is `default`. It may contain user and password. */
  readonly CLICKHOUSE_URL?: string
  /** Several replicas instead of `CLICKHOUSE_URL`, or their JSON: docs/replicas.md. */
  readonly CLICKHOUSE_REPLICAS?: unknown
  readonly CLICKHOUSE_USER?: string
  readonly CLICKHOUSE_PASSWORD?: string
  readonly CLICKHOUSE_DATABASE?: string
  /**
   * The user for readers of shares and public websites, `weir_visitor` by default, and its password. Without user and
   * password, Weir reads for them as `CLICKHOUSE_USER`: docs/clickhouse-users.md.
   */
  readonly CLICKHOUSE_VISITOR_USER?: string
  readonly CLICKHOUSE_VISITOR_PASSWORD?: string
  /** The server that takes collected events, and the user that inserts them; by default as in `CLICKHOUSE_URL`. */
  readonly CLICKHOUSE_WRITE_URL?: string
  readonly CLICKHOUSE_WRITE_USER?: string
  readonly CLICKHOUSE_WRITE_PASSWORD?: string
  /** Time limit of a request through a share or a public website, in seconds; 5 by default. */
  readonly CLICKHOUSE_VISITOR_TIMEOUT?: string
  /** Time limit of a statement, in seconds; 30 by default. */
  readonly CLICKHOUSE_TIMEOUT?: string
  /** Time limit of an export, in seconds; 600 by default. */
  readonly CLICKHOUSE_EXPORT_TIMEOUT?: string
  /** Seconds after which an export is cancelled if its reader reads nothing; 20 by default. */
  readonly CLICKHOUSE_EXPORT_PATIENCE?: string
  /** The most bytes of memory that a statement may use in ClickHouse; the user's limit by default. */
  readonly CLICKHOUSE_MAX_MEMORY?: string
  /** The most rows that a statement may read; the user's limit by default. */
  readonly CLICKHOUSE_MAX_ROWS?: string
  /** Chains answer ranges with at least this many views. Overrides the measured thresholds: docs/chains.md. */
  readonly CHAINS_FROM?: string | number
  /** How many statements may run at once in an isolate: docs/limits.md. */
  readonly CONCURRENCY?: Concurrency
  /**
   * The secret that signs the tokens of sign-ins and shares, at least 32 characters. Without it there are no tokens.
   */
  readonly AUTH_SECRET?: string
  /** The secret for second factors, at least 32 characters. Without it, `AUTH_SECRET` is used: docs/sign-in.md. */
  readonly TWO_FACTOR_KEY?: string
  /** The only user who may sign in with a password, an admin, by name: docs/sign-in.md. */
  readonly PASSWORD_ONLY_FOR?: string
  /** Issuers of OpenID Connect, or their JSON; or a single one: docs/sign-in.md. */
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
  /** The quotas of the limiters, for `RateLimit-Policy`; a copy of the bindings' settings. */
  readonly RATE_LIMITS?: Readonly<Partial<Record<LimitBinding, Quota>>>
  /** Cache lifetimes. Without it nothing is cached. */
  readonly CACHE?: CacheTimes
  /** The pages and their files. Without it there are none. */
  readonly ASSETS?: { fetch(url: string, init: RequestInit): Promise<Response> }
  /** Which requests get a line in the log. Without it, only those that failed on our side. */
  readonly LOG?: LogSettings
  /** Workers Analytics Engine. Without it, no data points are written. */
  readonly ANALYTICS?: AnalyticsEngineDataset
  /** The secret of `/metrics`. Without it, nothing is counted and the path does not exist. */
  readonly METRICS_TOKEN?: string
  /** The logs of collected events: docs/collection.md. Without it, nothing is collected. */
  readonly COLLECT?: DurableObjectNamespace
  /**
   * Where the log objects are: `eu`, `us` or `fedramp`; anywhere by default. After a change, all objects are new and
   * empty.
   */
  readonly JURISDICTION?: DurableObjectJurisdiction
  /** How many log objects share the websites; 1 by default. */
  readonly COLLECT_LOGS?: string | number
  /** How many log objects share the events of each website, at least: 1, 2, 4, 8 or 16; 1 by default. */
  readonly COLLECT_SPREAD?: string | number
  /** A website with this many requests a minute at one log object gets twice as many objects; 30,000 by default. */
  readonly COLLECT_BUSY?: string | number
  /** Events that arrive within this many milliseconds share a commit; 5 by default. */
  readonly COLLECT_WINDOW?: string | number
  /**
   * The longest time, in seconds, that events wait for ClickHouse while nobody asks about them; 1 by default, at least
   * 1.
   */
  readonly COLLECT_PATIENCE?: string | number
  /** The most bytes that wait for ClickHouse in each log object; 4 GB by default. */
  readonly COLLECT_CAPACITY?: string | number
  /** The most bytes of JSON that a website may record on a UTC day; 20 GB by default. */
  readonly RECORD_DAILY?: string | number
  /** How many days an event may be late without a key of its website, at most 31; 7 by default. */
  readonly COLLECT_LATE?: string | number
  /** When `weir upgrade` finished filling the tables, in milliseconds since 1970: they know no earlier tokens. */
  readonly COLLECT_TOKENS_SINCE?: string
  /** Addresses and CIDR blocks whose events are refused, separated by commas. */
  readonly IGNORE_IP?: string
  /** If set to any value but `0` and `false`, bots count like people. */
  readonly DISABLE_BOT_CHECK?: string
  /** How long a visitor keeps a session id: `day`, `week` or `month`, which is the default. */
  readonly SALT_ROTATION?: string
  /** The header in which the proxies of `TRUSTED_PROXIES` (addresses and CIDR blocks) name the visitor's address. */
  readonly CLIENT_IP_HEADER?: string
  readonly TRUSTED_PROXIES?: string
  /** Another path for `/api/send`, and other names for `/script.js`, separated by commas. */
  readonly COLLECT_API_ENDPOINT?: string
  readonly TRACKER_SCRIPT_NAME?: string
  /**
   * The most boards that an owner may have; likewise segments, annotations, keys, links, pixels and reports. 1,000 by
   * default.
   */
  readonly MOST_OWNED?: string | number
  /** How many days the audit log is kept: 400 by default, 30 at least. */
  readonly AUDIT_DAYS?: string | number
  /**
   * The service that deletes ClickHouse rows for the Worker, which has no right to do so. Only `npm start` and `serve`
   * set it.
   */
  readonly PURGER?: Purger
  /** Whether the page `/demo` exists. Only `npm start` sets it. */
  readonly DEMO?: boolean
  /**
   * Whether a log object checks once that its SQLite file is intact. Only `npm start` sets it: it repairs such a log.
   */
  readonly CHECK_LOGS?: boolean
  /**
   * Whether the log runs on the same machine as the Worker, so that a question may wait for it. Only `npm start` sets
   * it.
   */
  readonly LOG_IS_BESIDE?: boolean
  /** The running version of the Worker. */
  readonly VERSION?: { readonly id: string }
}

/** The number in a variable; the default if it is not a number. */
export const numberOr = <Otherwise>(otherwise: Otherwise, text: string | number | undefined): number | Otherwise =>
  text === undefined || text === '' || !(Number(text) >= 0) ? otherwise : Number(text)

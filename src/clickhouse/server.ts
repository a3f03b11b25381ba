/** The HTTP address of ClickHouse, with the user and database for our statements. */
export interface Connection {
  /** Scheme, host and port only. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

export interface StatementLimits {
  /** The time limit of a statement, in seconds. */
  readonly timeout: number
  /**
   * A statement fails if it uses more bytes of ClickHouse's memory than this. If undefined, the ClickHouse user's limit
   * applies.
   */
  readonly mostMemory?: number | undefined
  /** A statement fails if it reads more rows than this. If undefined, the ClickHouse user's limit applies. */
  readonly mostRows?: number | undefined
  /** Whether the caller uses a share or a public website. Such a statement gets one thread. */
  readonly isOpening?: boolean | undefined
  /** Whether the statement matches such a caller's patterns. It may then keep running after its time limit. */
  readonly mayRunOn?: boolean | undefined
}

export interface Server extends Connection, StatementLimits {}

/** A server, and the limits for a statement sent to it. */
export interface Target {
  readonly connection: Connection
  readonly limits: StatementLimits
}

/** The variables that identify a server. */
export interface ServerVariables {
  readonly CLICKHOUSE_URL?: string | undefined
  readonly CLICKHOUSE_USER?: string | undefined
  readonly CLICKHOUSE_PASSWORD?: string | undefined
  readonly CLICKHOUSE_DATABASE?: string | undefined
}

const defaultTimeout = 30
const defaultVisitorTimeout = 5
const defaultExportTimeout = 600
const defaultExportPatience = 20

/**
 * Reads `CLICKHOUSE_URL`: `http://user:password@host:8123/?database=weir`, or with `user=` and `password=` in the query
 * string, all percent-encoded. The other variables take precedence over parts of the URL.
 */
export function parseServer(variables: ServerVariables & Limits): Server {
  const url = new URL(variables.CLICKHOUSE_URL ?? '')
  const from = (variable: string | undefined, inUrl: string, parameter: string, otherwise: string) =>
    variable || decodeCredential(inUrl) || url.searchParams.get(parameter) || otherwise
  return {
    url: url.origin,
    username: from(variables.CLICKHOUSE_USER, url.username, 'user', 'default'),
    password: from(variables.CLICKHOUSE_PASSWORD, url.password, 'password', ''),
    database: from(variables.CLICKHOUSE_DATABASE, '', 'database', 'default'),
    timeout: statementTimeout(variables),
  }
}

interface Limits {
  readonly CLICKHOUSE_TIMEOUT?: string | undefined
  readonly CLICKHOUSE_VISITOR_TIMEOUT?: string | undefined
  readonly CLICKHOUSE_EXPORT_TIMEOUT?: string | undefined
  readonly CLICKHOUSE_EXPORT_PATIENCE?: string | undefined
  readonly CLICKHOUSE_MAX_MEMORY?: string | undefined
  readonly CLICKHOUSE_MAX_ROWS?: string | undefined
}

/** The time limit of a statement, in seconds. */
export const statementTimeout = ({ CLICKHOUSE_TIMEOUT }: Limits): number => Number(CLICKHOUSE_TIMEOUT) || defaultTimeout

/** The time limit of a request through a share or a public website, in seconds. */
export const visitorTimeout = ({ CLICKHOUSE_VISITOR_TIMEOUT }: Limits): number =>
  Number(CLICKHOUSE_VISITOR_TIMEOUT) || defaultVisitorTimeout

/** The longer time limit of an export, in seconds. */
export const exportTimeout = ({ CLICKHOUSE_EXPORT_TIMEOUT }: Limits): number =>
  Number(CLICKHOUSE_EXPORT_TIMEOUT) || defaultExportTimeout

/** An export is cancelled if its reader reads nothing for this many seconds. */
export const exportPatience = ({ CLICKHOUSE_EXPORT_PATIENCE }: Limits): number =>
  Number(CLICKHOUSE_EXPORT_PATIENCE) || defaultExportPatience

/**
 * How much memory a statement may use, in bytes, and how many rows it may read. `mostMemory`: the report's own limit.
 */
export const statementLimits = (
  { CLICKHOUSE_MAX_MEMORY, CLICKHOUSE_MAX_ROWS }: Limits,
  { mostMemory }: { readonly mostMemory?: number | undefined },
): Omit<StatementLimits, 'timeout'> => ({
  mostMemory: lesser(Number(CLICKHOUSE_MAX_MEMORY) || undefined, mostMemory),
  mostRows: Number(CLICKHOUSE_MAX_ROWS) || undefined,
})

const lesser = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('User and password in CLICKHOUSE_URL have to be percent-encoded (a % itself is %25).')
  }
}

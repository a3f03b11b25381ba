import type { Json } from 'miniflare'
import { refuseTypos } from './checked-variables.ts'
import { merged } from './wrangler-toml.ts'

/**
 * The Worker's variables that an environment may set under `npm start` and `serve`: docs/deployment.md and the pages
 * that it links. Others come from the data folder, from the connection to ClickHouse, or from the list of replicas.
 */
const names: readonly string[] = [
  'PUBLIC_URL',
  'MOST_OWNED',
  'AUDIT_DAYS',
  'CLICKHOUSE_VISITOR_USER',
  'CLICKHOUSE_VISITOR_PASSWORD',
  'CLICKHOUSE_VISITOR_TIMEOUT',
  'CLICKHOUSE_TIMEOUT',
  'CLICKHOUSE_EXPORT_TIMEOUT',
  'CLICKHOUSE_EXPORT_PATIENCE',
  'CLICKHOUSE_MAX_MEMORY',
  'CLICKHOUSE_MAX_ROWS',
  'CLICKHOUSE_WRITE_URL',
  'CLICKHOUSE_WRITE_USER',
  'CLICKHOUSE_WRITE_PASSWORD',
  'CHAINS_FROM',
  'TWO_FACTOR_KEY',
  'PASSWORD_ONLY_FOR',
  'IGNORE_IP',
  'DISABLE_BOT_CHECK',
  'SALT_ROTATION',
  'CLIENT_IP_HEADER',
  'TRUSTED_PROXIES',
  'COLLECT_API_ENDPOINT',
  'TRACKER_SCRIPT_NAME',
  'COLLECT_WINDOW',
  'COLLECT_LOGS',
  'COLLECT_SPREAD',
  'COLLECT_BUSY',
  'COLLECT_CAPACITY',
  'COLLECT_LATE',
  'COLLECT_PATIENCE',
  'RECORD_DAILY',
]

/** Variables that are objects. Other values are ignored, because a shell may use such a name for something else. */
const objects: readonly string[] = ['CACHE', 'CONCURRENCY', 'LOG', 'RATE_LIMITS']

/** The names of the variables for issuers, and of the secrets in `OIDC_ISSUERS`. */
const ofIssuers = /^OIDC_\w+$/

const isOurs = (name: string, text: string): boolean =>
  objects.includes(name) ? /^\s*\{/.test(text) : names.includes(name) || ofIssuers.test(name)

/**
 * The variables that this environment sets. An object as JSON is merged into the one in `usual`. Throws a `Misuse` that
 * names an invalid variable.
 */
export const workerVariables = (
  env: NodeJS.ProcessEnv,
  usual: Readonly<Record<string, unknown>> = {},
): Record<string, Json> => {
  refuseTypos(env)
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) =>
      text && isOurs(name, text) ? [[name, merged(usual[name], name, text) as Json]] : [],
    ),
  )
}

/** Environment variables that are passed to the Worker. See docs/collection.md and docs/deployment.md. */
const names = [
  'PUBLIC_URL',
  'MOST_OWNED',
  'AUDIT_DAYS',
  'CLICKHOUSE_VISITOR_USER',
  'CLICKHOUSE_VISITOR_PASSWORD',
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
  'CLICKHOUSE_WRITE_URL',
  'CLICKHOUSE_WRITE_USER',
  'CLICKHOUSE_WRITE_PASSWORD',
] as const

/** The collection variables that are set in the environment. */
export const collectionBindings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))

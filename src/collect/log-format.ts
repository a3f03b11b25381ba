import type { SqlStorage } from '@cloudflare/workers-types'

/**
 * The version of the form in which a log stores rows. It must be increased if an older version of Weir would misread
 * new rows. Version 1 was never released.
 */
const formatVersion = 2

/** The beginning of the message about a log with another format. */
export const otherFormat = 'The log has another format'

/**
 * Marks a new log with the version of its format. Throws if the log has another format, because its rows would be
 * misread. Must be called before the log's tables are created. `table`: one of them.
 */
export function markFormat(sql: SqlStorage, versionTable: string, table: string): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS ${versionTable} (version INTEGER PRIMARY KEY)`)
  const { version } = sql.exec(`SELECT max(version) AS version FROM ${versionTable}`).one()
  if (version === formatVersion) return
  const isNew = sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', table).toArray().length === 0
  if (version !== null || !isNew)
    throw new Error(`${otherFormat}: ${version ?? 'without a version'}, not ${formatVersion}.`)
  sql.exec(`INSERT INTO ${versionTable} (version) VALUES (${formatVersion})`)
}

import type { SqlStorage } from '@cloudflare/workers-types'

/**
 * The version of the form in which a log stores rows. It must be increased if an older version of Weir would misread
 * new rows. Then `markFormat` must convert the formats of all released versions, and CHANGELOG must say that the older
 * version cannot run again. Version 1 was never released.
 */
const formatVersion = 2

/** The beginning of the message about a log with another format. */
export const otherFormat = 'The log has another format'

/**
 * The message about a log with this version, or none (`null`). Undefined if this version of Weir can read the log, or
 * if the log is new, so that it has no tables.
 */
export function formatFault(version: unknown, hasTables: boolean): string | undefined {
  if (version === formatVersion || (version === null && !hasTables)) return undefined
  return `${otherFormat}: ${version ?? 'without a version'}, not ${formatVersion}.`
}

/**
 * Marks a new log with the version of its format. Throws if the log has another format, because its rows would be
 * misread. Must be called before the log's tables are created. `table`: one of them.
 */
export function markFormat(sql: SqlStorage, versionTable: string, table: string): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS ${versionTable} (version INTEGER PRIMARY KEY)`)
  const { version } = sql.exec(`SELECT max(version) AS version FROM ${versionTable}`).one()
  const hasTables = sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', table).toArray().length > 0
  const fault = formatFault(version, hasTables)
  if (fault !== undefined) throw new Error(fault)
  if (version === null) sql.exec(`INSERT INTO ${versionTable} (version) VALUES (${formatVersion})`)
}

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Connection, query } from './connection.ts'

/**
 * Makes ClickHouse forget blocks that were lost because the process was killed or the disk was full. ClickHouse writes
 * a line to its deduplication log before it gives the block's part its final name. If the process ends in between,
 * ClickHouse would ignore the repeated insert, and its rows would be missing. This also removes truncated lines,
 * because ClickHouse does not read the log beyond a truncated line.
 *
 * Call this before other statements run, because it briefly detaches the affected tables.
 */
export async function forgetLostBlocks(connection: Connection, directory: string): Promise<void> {
  const { bytes } = await query(
    connection,
    `SELECT database, name, data_paths[1] AS path FROM system.tables
     WHERE engine LIKE '%MergeTree' AND database != 'system' FORMAT JSONEachRow`,
  )
  for (const line of bytes.toString().split('\n').filter(Boolean)) {
    const { database, name, path } = JSON.parse(line) as Record<'database' | 'name' | 'path', string>
    const file = newestLog(resolve(directory, path))
    if (file === undefined) continue
    const log = readFileSync(file, 'utf8')
    const mended = withoutLost(log, readdirSync(resolve(directory, path)))
    if (mended === log) continue
    const table = [database, name].map((one) => `\`${one.replace(/[\\`]/g, '\\$&')}\``).join('.')
    await query(connection, `DETACH TABLE ${table} SYNC`)
    writeFileSync(`${file}.mended`, mended)
    renameSync(`${file}.mended`, file)
    await query(connection, `ATTACH TABLE ${table}`)
  }
}

/** The log to which ClickHouse appends. Only blocks at its end can be lost. */
function newestLog(table: string): string | undefined {
  const folder = join(table, 'deduplication_logs')
  const numbers = existsSync(folder)
    ? readdirSync(folder).flatMap((name) => /^deduplication_log_(\d+)\.txt$/.exec(name)?.slice(1).map(Number) ?? [])
    : []
  return numbers.length === 0 ? undefined : join(folder, `deduplication_log_${Math.max(...numbers)}.txt`)
}

/** A line of the log, with fields separated by tabs: the operation (1 adds, 2 drops), the part and the block. */
const record = /^([12])\t(\w+_\d+_\d+_\d+)\t[^\t]+$/

/** A part's name, which contains its partition, its first block and its last block. */
const partName = /^(\w+?)_(\d+)_(\d+)_\d+(?:_\d+)?$/

/**
 * The log without broken lines, and without the blocks at its end that are in no part. Older blocks stay even if they
 * are in no part, because a repeated insert must not restore deleted rows.
 */
function withoutLost(log: string, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const [, partition, first, last] = partName.exec(name) ?? []
    return partition === undefined ? [] : [{ partition, first: Number(first), last: Number(last) }]
  })
  const isStored = (part: string): boolean => {
    const [, partition, first, last] = partName.exec(part) ?? []
    return parts.some((one) => one.partition === partition && one.first <= Number(first) && one.last >= Number(last))
  }
  const lines = log
    .split('\n')
    .slice(0, -1)
    .filter((line) => record.test(line))
  const kept = lines.findLastIndex((line) => {
    const [, operation, part] = record.exec(line)!
    return operation === '2' || isStored(part!)
  })
  return lines
    .slice(0, kept + 1)
    .map((line) => `${line}\n`)
    .join('')
}

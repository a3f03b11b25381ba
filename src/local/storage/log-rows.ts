import { storedBefore } from '../../collect/carrier.ts'
import { gzipped } from '../../collect/gzipped.ts'
import { formatFault } from '../../collect/log-format.ts'
import { asItIs, type JsonForm } from '../../collect/store.ts'

/** Queries the SQLite file of a log. Rejects if that part of the file is damaged. */
export type AskRows = (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The parts of a log, with the prefix of their tables, the form of their JSON and the entry tables for their rows. */
const parts = [
  { prefix: '', form: asItIs, tables: ['ingest', 'ingest_session_data'] },
  { prefix: 'old_', form: asItIs, tables: ['ingest', 'ingest_session_data'] },
  { prefix: 'recorded_', form: gzipped, tables: ['ingest_replay_chunks', 'ingest_heatmap_events'] },
] as const

/** The message about the format of a stopped log. Undefined if this version of Weir can read it. */
export async function formatFaultIn(ask: AskRows): Promise<string | undefined> {
  for (const { prefix } of parts) {
    const [archive, versions] = [`${prefix}archive`, `${prefix}packed_version`]
    const found = await ask(`SELECT name FROM sqlite_schema WHERE name IN ('${archive}', '${versions}')`)
    const names = found.map(({ name }) => name)
    const [row] = names.includes(versions) ? await ask(`SELECT max(version) AS version FROM ${versions}`) : []
    const fault = formatFault(row?.version ?? null, names.includes(archive))
    if (fault !== undefined) return fault
  }
  return undefined
}

/** A row of a log, with its entry table and its JSON. */
export interface WaitingRow {
  readonly table: string
  readonly json: string
}

/** The rows of a log that ClickHouse may lack and SQLite can read. */
export async function* waitingRows(asked: AskRows): AsyncGenerator<WaitingRow> {
  const ask: AskRows = (query) => asked(query).catch(() => [])
  for (const { prefix, form, tables } of parts) {
    const [noted] = await ask(`SELECT max(last) AS last FROM ${prefix}stored`)
    const commits = `(SELECT * FROM ${prefix}commits_0 UNION ALL SELECT * FROM ${prefix}commits_1)`
    const [newest] = await ask(`SELECT flush FROM ${commits} ORDER BY id DESC LIMIT 1`)
    const last = Math.max(Number(noted?.last ?? 0), storedBefore(String(newest?.flush)))
    for (const [name, since] of [
      ['commits_0', last],
      ['commits_1', last],
      ['held', 0],
    ] as const) {
      const flushes = new Map<string, FoundCommit[]>()
      for (const one of await commitsOf(ask, prefix + name, since)) {
        flushes.set(one.flush, [...(flushes.get(one.flush) ?? []), one])
      }
      for (const own of flushes.values()) {
        for (const [place, column] of (['events', 'calls'] as const).entries()) {
          for (const json of await linesOf(ask, form, own, column)) yield { table: tables[place]!, json }
        }
      }
    }
  }
}

interface FoundCommit {
  readonly table: string
  readonly id: number
  readonly flush: string
}

/** The commits after `since`. They are read from both ends of the table, up to its damaged part. */
async function commitsOf(ask: AskRows, table: string, since: number): Promise<FoundCommit[]> {
  const found = new Map<number, FoundCommit>()
  for (const [order, sign] of [
    ['ASC', '>'],
    ['DESC', '<'],
  ] as const) {
    for (let last = sign === '>' ? since : Number.MAX_SAFE_INTEGER; ; ) {
      const where = `id > ${since} AND id ${sign} ${last}`
      const [row] = await ask(`SELECT id, flush FROM ${table} WHERE ${where} ORDER BY id ${order} LIMIT 1`)
      last = Number(row?.id)
      if (row === undefined || found.has(last)) break
      found.set(last, { table, id: last, flush: String(row.flush) })
    }
  }
  return [...found.values()].sort((one, other) => one.id - other.id)
}

/**
 * A flush's lines of JSON. A line may continue in the next commit. If that commit cannot be read, the line is left out.
 */
async function linesOf(
  ask: AskRows,
  form: JsonForm,
  commits: readonly FoundCommit[],
  column: 'events' | 'calls',
): Promise<string[]> {
  const bytes: Uint8Array[] = []
  for (const { table, id } of commits) {
    const [row] = await ask(`SELECT hex(${column}) AS hex FROM ${table} WHERE id = ${id}`)
    const kept = Buffer.from(String(row?.hex ?? ''), 'hex')
    bytes.push(orElse(new Uint8Array(0), () => form.json(kept)))
  }
  const isJson = (line: string) => orElse(undefined, () => JSON.parse(line)) !== undefined
  return Buffer.concat(bytes).toString().split('\n').filter(isJson)
}

function orElse<Value>(otherwise: Value, work: () => Value): Value {
  try {
    return work()
  } catch {
    return otherwise
  }
}

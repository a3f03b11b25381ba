import { Agent, fetch } from 'undici'
import { type Connection, parseServer } from '../../clickhouse/server.ts'
import { Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import { AnswerFile } from './answer-file.ts'
import type { SourceRow } from './source.ts'

/** A read-only connection to ClickHouse. It runs one statement at a time. */
export interface ClickHouseReader {
  /** Host, port and database. */
  readonly identity: string
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  rows(query: string): Promise<readonly SourceRow[]>
  /**
   * Stores a large answer in a file, so that the statement ends as soon as possible. Its lines are for `arraysIn`. The
   * caller reads or closes the file.
   */
  download(query: string): Promise<AnswerFile>
  close(): Promise<void>
}

/** Settings for each statement, for read-only access and a low load on the server. Limits are in seconds. */
const settings = {
  readonly: '2',
  max_threads: '2',
  max_execution_time: '600',
  wait_end_of_query: '1',
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_decimals: '1',
  output_format_json_escape_forward_slashes: '0',
  date_time_output_format: 'simple',
  max_query_size: '50000000',
  max_ast_elements: '1000000',
} as const

/** Opens the ClickHouse of this URL. Umami's database is `umami`, unless the URL specifies another one. */
export async function openClickHouse(url: string): Promise<ClickHouseReader> {
  if (!URL.canParse(url))
    throw new Misuse('The URL of ClickHouse must be like http://user:password@host:8123/?database=umami.')
  const { pathname, searchParams } = new URL(url)
  const named = searchParams.get('database') || pathname.slice(1) || 'umami'
  const connection = { ...parseServer({ CLICKHOUSE_URL: url }), database: named }
  // Node's own fetch would wait at most five minutes.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 1 })
  let last: Promise<unknown> = Promise.resolve()
  const afterLast = <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const asked = last.then(ask)
    last = asked.catch(() => {})
    return asked
  }
  const rows: ClickHouseReader['rows'] = (query) =>
    afterLast(async () => {
      const found: SourceRow[] = []
      const answer = bodyOf(connection, agent, query, 'JSONEachRow')
      for await (const lines of linesIn(answer)) found.push(...lines.map(asTexts))
      return found
    })
  return {
    identity: `clickhouse ${new URL(connection.url).host}/${named}`,
    columns: await columnsOf(rows),
    rows,
    download: (query) => afterLast(() => AnswerFile.received(bodyOf(connection, agent, query, 'JSONCompactEachRow'))),
    close: () => agent.close(),
  }
}

/** The rows of a downloaded answer, each as an array of its columns. */
export async function* arraysIn(answer: AnswerFile): AsyncGenerator<readonly (readonly unknown[])[]> {
  for await (const lines of linesIn(answer.bytes())) {
    yield lines.map((line) => JSON.parse(line) as readonly unknown[])
  }
}

/** An answer as it arrives. ClickHouse begins to send it only once it has computed the whole result. */
async function* bodyOf(
  { url, username, password, database }: Connection,
  dispatcher: Agent,
  query: string,
  format: string,
): AsyncGenerator<Uint8Array> {
  const where = new URL(url).host
  try {
    const parameters = new URLSearchParams({ database, ...settings, default_format: format })
    const response = await fetch(`${url}/?${parameters}`, {
      ...{ method: 'POST', body: query, dispatcher },
      headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
    })
    if (!response.ok) throw new Error((await response.text()).slice(0, 300).trim())
    yield* response.body!
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`ClickHouse at ${printable(where)}: ${printable(cause instanceof Error ? cause.message : message)}`)
  }
}

const newline = 10

/** The lines of a body that are not empty. */
async function* linesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const linesOfParts = (parts: Uint8Array[]) => Buffer.concat(parts).toString().split('\n').filter(Boolean)
  let parts: Uint8Array[] = []
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(newline) + 1
    parts.push(chunk.subarray(0, end || chunk.length))
    if (end === 0) continue
    yield linesOfParts(parts)
    parts = [chunk.subarray(end)]
  }
  yield linesOfParts(parts)
}

/** Invalid UTF-8 became U+FFFD when the response was decoded. */
function asTexts(line: string): SourceRow {
  const row = JSON.parse(line) as Record<string, unknown>
  for (const name in row) {
    const value = row[name]
    if (value !== null && typeof value !== 'string') row[name] = String(value)
  }
  return row as SourceRow
}

async function columnsOf(rows: ClickHouseReader['rows']): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await rows('SELECT table, name FROM system.columns WHERE database = currentDatabase()')
  const columns = new Map<string, Set<string>>()
  for (const { table, name } of found) columns.set(table!, (columns.get(table!) ?? new Set()).add(name!))
  return columns
}

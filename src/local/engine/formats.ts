import type { Connection } from './connection.ts'
import { query } from './connection.ts'

/** Maps the names of the engine's formats, in lower case, to content types. */
export type Formats = ReadonlyMap<string, string>

/** Reads ClickHouse's own content types from `system.formats`. */
export async function loadFormats(connection: Connection): Promise<Formats> {
  const rows = await query(connection, 'SELECT lower(name), content_type FROM system.formats WHERE is_output')
  const lines = rows.bytes.toString().trim().split('\n')
  return new Map(lines.map((line) => line.split('\t') as [string, string]))
}

export function contentType(formats: Formats, format: string, settings: ReadonlyMap<string, string>): string {
  if (isRowsAsArray(format, settings)) return 'application/json; charset=UTF-8'
  return formats.get(format.toLowerCase()) ?? 'text/plain; charset=UTF-8'
}

/** Whether the result can be formatted block by block, with the same output as when it is formatted as a whole. */
export function isStreamable(format: string, settings: ReadonlyMap<string, string>): boolean {
  if (settings.has('extremes') || isRowsAsArray(format, settings)) return false
  return rowFormats.has(format.toLowerCase()) || hasNames(format)
}

/** Whether column names precede the rows. A stream repeats them in each block; a whole result has them once. */
export function hasNames(format: string): boolean {
  return namedFormats.has(format.toLowerCase())
}

/** The length in bytes of the column names at the start of a block. A quoted name may contain line ends. */
export function namesLength(block: Buffer): number {
  return /^(?:"[^"]*"|[^"\n])*\n/.exec(block.toString('latin1'))?.[0].length ?? block.length
}

const namedFormats = new Set(['csvwithnames', 'tsvwithnames', 'tabseparatedwithnames'])

function isRowsAsArray(format: string, settings: ReadonlyMap<string, string>): boolean {
  const setting = settings.get('output_format_json_array_of_rows') ?? '0'
  return format.toLowerCase() === 'jsoneachrow' && setting !== '0' && setting !== 'false'
}

const rowFormats = new Set([
  'tsv',
  'tabseparated',
  'tsvraw',
  'tabseparatedraw',
  'raw',
  'lineasstring',
  'csv',
  'jsoneachrow',
  'jsonl',
  'jsonlines',
  'ndjson',
  'jsonstringseachrow',
  'jsoncompacteachrow',
  'jsoncompactstringseachrow',
  'tskv',
  'rowbinary',
  'rawblob',
  'msgpack',
])

import type { StreamFormat } from '../../clickhouse/stream.ts'
import type { ExportWriter } from '../../query/list.ts'
import { sql } from '../../query/sql.ts'

/** A format that lists are exported in, beside their JSON. */
export interface Format extends ExportWriter {
  /** What asks for it in `Accept`. */
  readonly type: string
  /** The parameter beside it that asks for this one, where a type has several. */
  readonly escape?: 'formulas'
  readonly contentType: string
  /** Of the names of files. */
  readonly extension: string
  readonly streaming: StreamFormat
  /** The line that ends an export which broke off, of the JSON that says why. */
  readonly lastLine: (error: string) => string
  /** How many rows there may be; undefined for any number. */
  readonly maxRows?: number
}

const validText: ExportWriter['text'] = (column) => sql`toValidUTF8(toString(${column}))`

/**
 * Programs that open CSV take a cell that begins so for a formula, and run it; an apostrophe makes it a text. Some take the
 * full-width signs of East Asian keyboards (U+FF1D, U+FF0B, U+FF20, U+FF0D) and the minus sign (U+2212) for the same.
 */
const withoutFormula: ExportWriter['text'] = (column) =>
  sql`replaceRegexpOne(${validText(column)}, '^[=+@\\t\\r\\n\uff1d\uff0b\uff20\uff0d\u2212-]', '\\x27\\\\0')`

/** Profiles of users bound the rows of a result; no export comes near this. */
const maxExportRows = 5_000_000_000

const maxParquetRows = 1_000_000

const csv: Format = {
  type: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  text: validText,
  nested: (column) => sql`toValidUTF8(toJSONString(${column}))`,
  lastLine: (error) => `"${error.replaceAll('"', '""')}"\n`,
  // Each ends in a cursor or a count. Quoted text may look like that, but hardly the last of many rows.
  streaming: { format: 'CSVWithNames', isBuffered: false, maxRows: maxExportRows, rowEnd: /,(?:"[\w-]{50,}"|\d+)\n/g },
}

export const formats: readonly Format[] = [
  {
    type: 'application/x-ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    text: (column) => column,
    nested: (column) => column,
    lastLine: (error) => `${error}\n`,
    streaming: { format: 'JSONEachRow', isBuffered: false, maxRows: maxExportRows, rowEnd: /\}\n/g },
  },
  csv,
  { ...csv, escape: 'formulas', contentType: `${csv.contentType}; escape=formulas`, text: withoutFormula },
  {
    type: 'application/vnd.apache.parquet',
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    text: validText,
    nested: (column) => column,
    // Its footer comes last, and holds what a reader needs first: no part of a file is of use.
    lastLine: () => '',
    streaming: { format: 'Parquet', isBuffered: true, maxRows: maxParquetRows, rowEnd: /(?!)/g },
    maxRows: maxParquetRows,
  },
]

import type { StreamFormat } from '../../clickhouse/stream.ts'
import { sql } from '../../query/language/sql.ts'
import type { ExportWriter } from '../../query/lists/list.ts'

/** An export format of lists, besides JSON. */
export interface Format extends ExportWriter {
  /** The media type that selects it in `Accept`. */
  readonly type: string
  /** The media type's parameter that selects this format, if a type has several. */
  readonly escape?: 'formulas'
  readonly contentType: string
  /** The extension of file names. */
  readonly extension: string
  readonly streaming: StreamFormat
  /** Makes the last line of an export that broke off, from the JSON of the error. */
  readonly lastLine: (error: string) => string
  /** The most rows of a file; undefined for no limit. */
  readonly maxRows?: number
}

const validText: ExportWriter['text'] = (column) => sql`toValidUTF8(toString(${column}))`

/**
 * Spreadsheet programs run a CSV cell that starts with one of these characters as a formula; a leading apostrophe
 * makes it text. Some programs also accept the full-width signs of East Asian keyboards (U+FF1D, U+FF0B, U+FF20,
 * U+FF0D) and the minus sign (U+2212).
 */
const withoutFormula: ExportWriter['text'] = (column) =>
  sql`replaceRegexpOne(${validText(column)}, '^[=+@\\t\\r\\n\uff1d\uff0b\uff20\uff0d\u2212-]', '\\x27\\\\0')`

/** ClickHouse profiles limit the rows of a result, so exports set a limit that none of them reaches. */
const maxExportRows = 5_000_000_000

const maxParquetRows = 1_000_000

const csv: Format = {
  type: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  text: validText,
  nested: (column) => sql`toValidUTF8(toJSONString(${column}))`,
  lastLine: (error) => `"${error.replaceAll('"', '""')}"\n`,
  // Each row ends in a cursor or a count. Quoted text can look alike, but is unlikely to at the end of many rows.
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
    // Parquet's footer comes last and readers need it first, so a part of a file is useless.
    lastLine: () => '',
    streaming: { format: 'Parquet', isBuffered: true, maxRows: maxParquetRows, rowEnd: /(?!)/g },
    maxRows: maxParquetRows,
  },
]

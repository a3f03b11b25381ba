import type { StreamFormat } from '../../clickhouse/stream.ts'
import { columnWithoutFormula, columnWithoutInner } from '../../query/language/formulas.ts'
import { sql } from '../../query/language/sql.ts'
import type { ExportWriter } from '../../query/lists/list.ts'

/** An export format of lists, besides JSON. */
export interface Format extends ExportWriter {
  /** The media type that selects it in `Accept`. */
  readonly type: string
  /** The values of the media type's parameter `escape` that select it; `undefined` for none. */
  readonly escapes: readonly (string | undefined)[]
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

/** ClickHouse profiles limit the rows of a result, so exports set a limit that no export reaches. */
const maxExportRows = 5_000_000_000

const maxParquetRows = 1_000_000

const validJson: ExportWriter['nested'] = (column) => sql`toValidUTF8(toJSONString(${column}))`

/** The mark by which Excel recognises UTF-8. */
const byteOrderMark = new Uint8Array([0xef, 0xbb, 0xbf])

// Each row ends in a cursor or a count. Quoted text can look the same, but this is unlikely at the end of many rows.
const csvStreaming: StreamFormat = {
  format: 'CSVWithNames',
  isBuffered: false,
  maxRows: maxExportRows,
  rowEnd: /,(?:"[\w-]{50,}"|\d+)\n/g,
}

/**
 * Spreadsheet programs open CSV, and texts come from any visitor. So formulas are escaped, unless the caller requests
 * `none` (as a program may).
 */
const csv: Format = {
  type: 'text/csv',
  escapes: [undefined, 'formulas'],
  contentType: 'text/csv; charset=utf-8; header=present; escape=formulas',
  extension: 'csv',
  text: (column) => columnWithoutFormula(validText(column)),
  nested: (column) => columnWithoutInner(validJson(column)),
  lastLine: (error) => `"${error.replaceAll('"', '""')}"\n`,
  streaming: { ...csvStreaming, start: byteOrderMark },
}

export const ndjsonFormat: Format = {
  type: 'application/x-ndjson',
  escapes: [undefined],
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  text: (column) => column,
  nested: (column) => column,
  lastLine: (error) => `${error}\n`,
  streaming: { format: 'JSONEachRow', isBuffered: false, maxRows: maxExportRows, rowEnd: /\}\n/g },
}

export const formats: readonly Format[] = [
  ndjsonFormat,
  csv,
  {
    ...csv,
    escapes: ['none'],
    contentType: 'text/csv; charset=utf-8; header=present; escape=none',
    text: validText,
    nested: validJson,
    streaming: csvStreaming,
  },
  {
    type: 'application/vnd.apache.parquet',
    escapes: [undefined],
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    text: validText,
    nested: (column) => column,
    // Parquet's footer comes last and readers need it first, so an incomplete file is useless.
    lastLine: () => '',
    streaming: { format: 'Parquet', isBuffered: true, maxRows: maxParquetRows, rowEnd: /(?!)/g },
    maxRows: maxParquetRows,
  },
]

import type { StreamFormat } from '../../clickhouse/stream.ts'
import { columnWithoutFormula, columnWithoutInner } from '../../query/language/formulas.ts'
import { sql } from '../../query/language/sql.ts'
import type { ExportWriter } from '../../query/lists/list.ts'

/** An export format for lists, other than JSON. */
export interface Format extends ExportWriter {
  /** The media type that selects it in `Accept`. */
  readonly type: string
  /**
   * The values of the media type's parameter `escape` that select the format; `undefined` means that the parameter is
   * missing.
   */
  readonly escapes: readonly (string | undefined)[]
  readonly contentType: string
  /** The file name extension. */
  readonly extension: string
  readonly streaming: StreamFormat
  /** Creates the last line of an export that broke off, from the error as JSON. */
  readonly lastLine: (error: string) => string
  /** The maximum number of rows in a file; undefined if there is no limit. */
  readonly maxRows?: number
}

const validText: ExportWriter['text'] = (column) => sql`toValidUTF8(toString(${column}))`

/** ClickHouse profiles limit the number of rows in a result, so exports set a higher limit, which they never reach. */
const maxExportRows = 5_000_000_000

const maxParquetRows = 1_000_000

const validJson: ExportWriter['nested'] = (column) => sql`toValidUTF8(toJSONString(${column}))`

/** The byte order mark, by which Excel recognises UTF-8. */
const byteOrderMark = new Uint8Array([0xef, 0xbb, 0xbf])

// Each row ends with a cursor or a number. Quoted text may look the same, but hardly at the end of many rows.
const csvStreaming: StreamFormat = {
  format: 'CSVWithNames',
  isBuffered: false,
  maxRows: maxExportRows,
  rowEnd: /,(?:"[\w-]{50,}"|-?\d+(?:\.\d+)?)\n/g,
}

/**
 * CSV files may be opened in spreadsheets, and strings may come from any visitor, so formulas are escaped unless the
 * caller requests `escape=none` (as a program may).
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
    // Parquet's footer comes last, but readers need it first, so an incomplete file is useless.
    lastLine: () => '',
    streaming: { format: 'Parquet', isBuffered: true, maxRows: maxParquetRows, rowEnd: /(?!)/g },
    maxRows: maxParquetRows,
  },
]

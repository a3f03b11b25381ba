/** The results of a part: the tables for docs/benchmarks.md, and further tables. */
export interface Section {
  readonly heading: string
  /** The method, in one or two sentences. */
  readonly how: string
  readonly page: readonly string[]
  readonly more: readonly string[]
  /** All results, for `--json`. */
  readonly found: unknown
}

/** The results of a part as Markdown. With `isPage`, only those that docs/benchmarks.md contains. */
export const written = ({ heading, how, page, more }: Section, isPage: boolean): string =>
  [`## ${heading}`, how, ...page, ...(isPage ? [] : more)].join('\n\n')

/** A table column: its heading, and the text for each row. Numbers are right-aligned. */
export interface Column<Row> {
  readonly heading: string
  readonly isText?: boolean
  readonly write: (row: Row) => string
}

/** A Markdown table with aligned columns, so that its source is readable. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ write }) => write(row)))]
  const widths = columns.map((_, column) => Math.max(3, ...cells.map((line) => line[column]!.length)))
  const padded = (text: string, column: number) =>
    columns[column]!.isText ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)
  const rule = widths.map((width, column) =>
    columns[column]!.isText ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const [headings, ...lines] = cells.map((line) => line.map(padded))
  return [headings!, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const fixed = (value: number, digits = 1): string => value.toFixed(digits)

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function bytes(value: number): string {
  const unit = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10))
  return `${(value / 1024 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`
}

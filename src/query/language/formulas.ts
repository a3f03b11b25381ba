import { type Fragment, sql } from './sql.ts'

/**
 * Spreadsheet programs run a CSV cell that starts with one of these characters as a formula: = + - @, tab, carriage
 * return, line feed. Some programs also accept the full-width signs of East Asian keyboards (U+FF1D, U+FF0B, U+FF20,
 * U+FF0D) and the minus sign (U+2212). A leading apostrophe makes the cell a text.
 */
const startOfFormula = /^[=+@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212-]/

/** The text as a cell that no program reads as a formula. */
export const withoutFormula = (text: string): string => (startOfFormula.test(text) ? `'${text}` : text)

/** A column of texts, none of which is a formula. */
export const columnWithoutFormula = (column: Fragment): Fragment =>
  sql`replaceRegexpOne(${column}, '^[=+@\\t\\r\\n\uff1d\uff0b\uff20\uff0d\u2212-]', '\\x27\\\\0')`

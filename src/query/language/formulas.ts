import { type Fragment, sql } from './sql.ts'

/**
 * Spreadsheet programs run a CSV cell that starts with one of these characters as a formula: = + - @, tab, carriage
 * return, line feed. Some programs also accept the full-width signs of East Asian keyboards (U+FF1D, U+FF0B, U+FF20,
 * U+FF0D) and the minus sign (U+2212). A leading apostrophe makes the cell a text.
 *
 * Programs that separate by semicolons or tabs take the quotation marks around a text for part of it. They begin a cell
 * after each semicolon, tab and line break in it, and drop quotation marks there. So an apostrophe goes there, too.
 */
const startOfFormula = /^[=+@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212-]/
const startOfInnerFormula = /([;\t\r\n]"*)(?=[=+@\t\r\uff1d\uff0b\uff20\uff0d\u2212-])/g

/** The text as a cell that no program reads as a formula, nor as cells of which one is. */
export const withoutFormula = (text: string): string =>
  (startOfFormula.test(text) ? `'${text}` : text).replace(startOfInnerFormula, "$1'")

/** A column of texts that neither are formulas nor contain one. */
export const columnWithoutFormula = (column: Fragment): Fragment =>
  columnWithoutInner(sql`replaceRegexpOne(${column}, '^[=+@\\t\\r\\n\uff1d\uff0b\uff20\uff0d\u2212-]', '\\x27\\\\0')`)

/** A column of texts that do not begin with a formula, without formulas in them. Few texts have a separator. */
export const columnWithoutInner = (column: Fragment): Fragment =>
  sql`if(match(${column}, '[\\x3b\\t\\r\\n]'), ${withoutSome(withoutSome(column))}, ${column})`

/** ClickHouse goes on behind a match, so a tab that is a sign and also a separator is found by the second run. */
const withoutSome = (column: Fragment): Fragment =>
  sql`replaceRegexpAll(${column}, '([\\x3b\\t\\r\\n]"*)([=+@\\t\\r\uff1d\uff0b\uff20\uff0d\u2212-])', '\\\\1\\x27\\\\2')`

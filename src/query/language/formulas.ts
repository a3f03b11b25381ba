import { type Fragment, sql } from './sql.ts'

/**
 * Spreadsheet programs run a CSV cell that starts with one of these characters as a formula: = + - @, tab, carriage
 * return, line feed. Some programs also accept the full-width signs of East Asian keyboards (U+FF1D, U+FF0B, U+FF20,
 * U+FF0D) and the minus sign (U+2212). A leading apostrophe makes the cell a text.
 *
 * Programs that separate cells by semicolons or tabs treat the quotation marks around a text as part of it. They begin
 * a new cell after each semicolon, tab and line break in the text, and drop quotation marks there, so an apostrophe is
 * also needed after these.
 */
const startOfFormula = /^[=+@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212-]/
const startOfInnerFormula = /([;\t\r\n]"*)(?=[=+@\t\r\uff1d\uff0b\uff20\uff0d\u2212-])/g

/** The text as a cell that no program treats as a formula, or splits into cells one of which is a formula. */
export const withoutFormula = (text: string): string =>
  (startOfFormula.test(text) ? `'${text}` : text).replace(startOfInnerFormula, "$1'")

/** A column of strings in which formulas are escaped. */
export const columnWithoutFormula = (column: Fragment): Fragment =>
  columnWithoutInner(sql`replaceRegexpOne(${column}, '^[=+@\\t\\r\\n\uff1d\uff0b\uff20\uff0d\u2212-]', '\\x27\\\\0')`)

/** For strings that do not start with a formula: escapes formulas within them. Few strings contain a separator. */
export const columnWithoutInner = (column: Fragment): Fragment =>
  sql`if(match(${column}, '[\\x3b\\t\\r\\n]'), ${withoutSome(withoutSome(column))}, ${column})`

/** ClickHouse continues after a match, so a second run is needed to find a tab that is both a sign and a separator. */
const withoutSome = (column: Fragment): Fragment =>
  sql`replaceRegexpAll(${column}, '([\\x3b\\t\\r\\n]"*)([=+@\\t\\r\uff1d\uff0b\uff20\uff0d\u2212-])', '\\\\1\\x27\\\\2')`

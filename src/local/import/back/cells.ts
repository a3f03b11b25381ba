import { createHash } from 'node:crypto'
import { firstCharacters, isLonger } from '../../../collect/characters.ts'
import { uuidOfHex } from '../../../collect/identity.ts'
import { arrayIn } from '../source-properties.ts'
import { longestOfProperty, type OriginTable, originTables } from './columns.ts'

/** The values of a row by column, in PostgreSQL's text form. Missing columns are NULL. */
export type Cells = Readonly<Record<string, string | null>>

/** Counts of values that did not fit into Umami's columns, by kind. */
export type Losses = Map<string, number>

/** A property in the form in which Weir's tables store it. */
export interface StoredProperty {
  readonly key: string
  readonly type: number
  readonly text: string
  /** With four decimals. */
  readonly number: string | null
  /** `YYYY-MM-DD hh:mm:ss.mmm` in UTC. */
  readonly date: string | null
}

const lose = (losses: Losses, what: string): void => void losses.set(what, (losses.get(what) ?? 0) + 1)

/** A text that a PostgreSQL column accepts: truncated if necessary, and without U+0000. */
function held(losses: Losses, name: string, text: string, longest: number): string {
  const whole = text.replaceAll('\0', '\ufffd')
  if (!isLonger(whole, longest)) return whole
  lose(losses, `texts of ${name} cut to ${longest} characters`)
  return firstCharacters(whole, longest)
}

/** Columns that may be empty but not NULL. */
const neverNull = new Set(['url_path', 'data_key', 'string_value'])

/** The cells of a row of `website_event` or `session`, from columns of the same names. */
export function cellsOf(table: OriginTable, row: Readonly<Record<string, unknown>>, losses: Losses): Cells {
  const cells: Record<string, string | null> = {}
  for (const [name, longest] of Object.entries(originTables[table])) {
    const given = row[name]
    if (given === null || given === undefined) cells[name] = null
    else if (longest !== 'other') cells[name] = textCell(losses, name, String(given), longest)
    else if (name in decimals) cells[name] = vital(losses, name, Number(given))
    else cells[name] = name === 'created_at' ? inUtc(String(given)) : String(given)
  }
  return cells
}

const textCell = (losses: Losses, name: string, text: string, longest: number): string | null =>
  text === '' && !neverNull.has(name) ? null : held(losses, name, text, longest)

/** ClickHouse's UTC time, in a form that PostgreSQL reads the same way in every time zone. */
export const inUtc = (time: string): string => `${time}+00`

/** The number of decimals of web vitals. Umami's columns have room for ten digits. */
const decimals: Readonly<Record<string, number>> = { lcp: 1, inp: 1, fcp: 1, ttfb: 1, cls: 4 }

function vital(losses: Losses, name: string, figure: number): string | null {
  const text = figure.toFixed(decimals[name])
  if (/^-?\d+\.\d+$/.test(text) && text.replace(/\D/g, '').length <= 10) return text
  lose(losses, `figures of ${name} that are too large, left out`)
  return null
}

/** Numbers that fit `numeric(19,4)`. */
const fits = /^-?\d{1,15}\.\d{4}$/

/** The cells of a property, as Umami writes its key, type and value. */
export function propertyCells({ key, type, text, number, date }: StoredProperty, losses: Losses): Cells {
  const cells = (data_type: number, string_value: string, more: Cells = {}): Cells => ({
    ...{ data_key: held(losses, 'data_key', key, longestOfProperty) },
    ...{ data_type: String(data_type), string_value, ...more },
  })
  const asText = () => held(losses, 'string_value', text, longestOfProperty)
  if (type === 2 && number !== null) {
    if (fits.test(number)) return cells(2, number, { number_value: number })
    lose(losses, 'numbers of more than 15 digits that became texts')
    return cells(1, text === '' ? number : asText())
  }
  if (type === 4 && date !== null) return cells(4, `${date.replace(' ', 'T')}Z`, { date_value: inUtc(date) })
  return cells(type, type === 5 ? arrayCell(losses, text, asText) : asText())
}

/** An array, cut to the first elements that fit. */
function arrayCell(losses: Losses, text: string, asText: () => string): string {
  if (!isLonger(text, longestOfProperty)) return asText()
  const json = arrayIn(text, longestOfProperty)
  if (json === undefined) return asText()
  lose(losses, `arrays cut to ${longestOfProperty} characters, by whole elements`)
  return json
}

/** An id for a row that has none in Weir. Every export gives the same row the same id. */
export const madeId = (...parts: readonly string[]): string =>
  uuidOfHex(createHash('md5').update(JSON.stringify(parts)).digest('hex'))

/** A CSV line for RFC 4180 and PostgreSQL: an empty field is NULL, and `""` is an empty text. */
export const csvLine = (values: readonly (string | null | undefined)[]): string => `${values.map(field).join(',')}\n`

const field = (value: string | null | undefined): string => {
  if (value === null || value === undefined) return ''
  return value === '' || /["\\,\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

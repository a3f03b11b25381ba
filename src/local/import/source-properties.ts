import { firstCharacters, isLonger } from '../../collect/characters.ts'
import { firstElements } from '../../collect/compact.ts'
import { fourDecimals } from '../../collect/numbers.ts'
import { propertyLengths, type SentProperty } from '../../collect/properties.ts'
import { propertyColumns } from '../../collect/row.ts'
import type { SourceRow } from './source.ts'
import { columnTime, cutText, instantOf } from './texts.ts'

/** A property in the form of the entry tables. */
export type Property = Omit<SentProperty, 'type'> & { readonly type: number }

const longestKey = 500

/** The maximum number of properties of an event. */
const mostProperties = 1000

/** The properties in these rows, ordered by key. If a key is repeated, its last row is used. */
export function propertiesOf(rows: readonly SourceRow[]): readonly Property[] {
  const byKey = new Map<string, Property>()
  for (const row of rows) {
    const property = propertyOf(row)
    if (property) byKey.set(property.key, property)
  }
  return [...byKey.values()].slice(0, mostProperties)
}

/**
 * The property of a row; undefined for a `null`, which Umami stores as an array. A value that does not fit its type
 * becomes a text.
 */
export function propertyOf(row: SourceRow): Property | undefined {
  const text = (row.string_value ?? '').toWellFormed()
  const { data_type: type } = row
  if (type === '2') {
    const number = numberOf(row)
    if (number !== undefined) return property(row, 2, text || number, number)
  }
  if (type === '3' && (text === 'true' || text === 'false')) return property(row, 3, text)
  if (type === '4') {
    const date = dateOf(row)
    if (date !== undefined) return property(row, 4, text || `${date.replace(' ', 'T')}Z`, null, date)
  }
  if (type === '5' && text === 'null') return undefined
  const array = type === '5' ? arrayIn(text, propertyLengths.array) : undefined
  if (array !== undefined) return property(row, 5, array)
  const cut = isLonger(text, propertyLengths.text) ? firstCharacters(text, propertyLengths.text) : text
  return property(row, type === '5' ? 5 : 1, cut)
}

const property = (
  { data_key }: SourceRow,
  type: number,
  text: string,
  number: string | null = null,
  date: string | null = null,
): Property => ({ key: cutText(data_key, longestKey), type, text, number, date })

/** Numbers that fit `Decimal(22, 4)`. */
const decimal = /^-?\d{1,18}(?:\.\d{1,4})?$/

const numeral = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

function numberOf({ number_value: value, string_value: text }: SourceRow): string | undefined {
  if (value !== null && value !== undefined && decimal.test(value)) return value
  const written = (value || text || '').trim()
  const rounded = numeral.test(written) ? fourDecimals(written) : undefined
  return rounded !== undefined && decimal.test(rounded) ? rounded : undefined
}

/** The text has milliseconds. ClickHouse's date has only whole seconds, from 1970 to 2106. */
function dateOf({ date_value: value, string_value: text }: SourceRow): string | undefined {
  const date = columnTime((text ?? '').replace('T', ' ').replace(/Z$/, '')) ?? columnTime(value)
  const exists = date !== undefined && !Number.isNaN(instantOf(date))
  return exists && date >= '1900' && date < '2300' ? date : undefined
}

/** An array, cut after a whole element; undefined if it is not JSON. */
export function arrayIn(text: string, longest: number): string | undefined {
  if (text.length <= longest) return text
  try {
    return firstElements(text, longest).json
  } catch {
    return undefined
  }
}

/** The properties as the parallel arrays of a row. */
export const columnsOfProperties = (properties: readonly Property[]): object =>
  propertyColumns(properties, (date) => date)

import { sumOfDecimals } from './decimals.ts'
import { type IngestRow, NUMBER, PERFORMANCE, type Property, STRING, storedProperties } from './model.ts'
import { compareText } from './text.ts'
import { grouped } from './visits.ts'

/** The revenue of one event in one currency. `sum` is an exact decimal. */
export type Sale = { row: IngestRow; currency: string; sum: string }

/** A key such as `lines.0.revenue`: its prefix and its property. */
type Part = { prefix: string[]; property: Property }

/** The sales in these events, one per event and currency. */
export function salesOf(rows: IngestRow[]): Sale[] {
  return rows.filter((row) => row.event_type !== PERFORMANCE).flatMap(salesOfEvent)
}

function salesOfEvent(row: IngestRow): Sale[] {
  const currencies = partsCalled('currency', row)
  const amounts: { currency: string; amount: string }[] = []
  for (const { prefix, property } of partsCalled('revenue', row)) {
    const amount = amountOf(property)
    const currency = currencyFor(prefix, currencies)
    if (amount !== undefined && currency !== undefined) amounts.push({ currency, amount })
  }
  return [...grouped(amounts, ({ currency }) => currency)].map(([currency, some]) => ({
    row,
    currency,
    sum: sumOfDecimals(some.map(({ amount }) => amount)),
  }))
}

/**
 * The properties whose last key part is this name, ignoring case. If keys differ only in case, the first one is
 * used.
 */
function partsCalled(name: string, row: IngestRow): Part[] {
  const inOrder = storedProperties(row).toSorted((left, right) => compareText(left.key, right.key))
  const seen = new Set<string>()
  const parts: Part[] = []
  for (const property of inOrder) {
    const prefix = property.key.split('.')
    const last = prefix.pop()!
    const folded = property.key.toLowerCase()
    if (last.toLowerCase() !== name || seen.has(folded)) continue
    seen.add(folded)
    parts.push({ prefix, property })
  }
  return parts
}

/** The number, or numeric text, rounded to four decimals, half away from zero. */
function amountOf({ dataType, stringValue, numberValue }: Property): string | undefined {
  if (dataType === NUMBER) return `${numberValue}`
  const match = /^(-?)(\d{1,18})(?:\.(\d+))?$/.exec(stringValue)
  if (dataType !== STRING || match === null) return undefined
  const [, sign, whole, fraction = ''] = match
  const fourPlaces = BigInt(whole! + fraction.slice(0, 4).padEnd(4, '0'))
  const rounded = Number(fraction[4] ?? '0') >= 5 ? fourPlaces + 1n : fourPlaces
  const digits = rounded.toString().padStart(5, '0')
  return `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** The value at the same prefix, or at the longest shorter prefix that has a value. */
function currencyFor(prefix: string[], currencies: Part[]): string | undefined {
  for (let length = prefix.length; length >= 0; length--) {
    const shorter = prefix.slice(0, length).join('.')
    const own = currencies.find((part) => part.prefix.length === length && part.prefix.join('.') === shorter)
    const text = own?.property.dataType === STRING ? own.property.stringValue.trim().toUpperCase() : ''
    if (text !== '') return text
  }
  return undefined
}

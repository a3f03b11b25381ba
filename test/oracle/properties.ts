import { shortestDecimal } from './decimals.ts'
import { columnInstant, isoSecond } from './instants.ts'
import { DATE, type IngestRow, NUMBER, type Property, storedProperties } from './model.ts'
import { compareText } from './text.ts'

/** Properties sorted by key. Those with the same key are sorted by data type, then by text. */
export function propertiesOf(row: IngestRow): Property[] {
  return storedProperties(row).sort(
    (left, right) =>
      compareText(left.key, right.key) ||
      left.dataType - right.dataType ||
      compareText(left.stringValue, right.stringValue),
  )
}

/** A value's text in `fields`, `values` and the pivot. */
export function valueText(property: Property): string {
  if (property.dataType === NUMBER && property.numberValue !== null) return shortestDecimal(`${property.numberValue}`)
  if (property.dataType === DATE && property.dateValue !== null) return isoSecond(columnInstant(property.dateValue))
  return property.stringValue
}

/** The elements of an array property: strings as their text, others as their JSON. */
export function elementTexts(property: Property): string[] {
  const elements: unknown = JSON.parse(property.stringValue)
  if (!Array.isArray(elements)) throw new Error(`Oracle: not a JSON array: ${property.stringValue}`)
  return elements.map((element: unknown) => (typeof element === 'string' ? element : JSON.stringify(element)))
}

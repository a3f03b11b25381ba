import { shortestDecimal } from './decimals.ts'
import { columnInstant, isoSecond } from './instants.ts'
import { DATE, type IngestRow, NUMBER, type Property, storedProperties } from './model.ts'
import { compareText } from './text.ts'

/** Properties by key; a key that occurs twice in an event by data type, then by text. */
export function propertiesOf(row: IngestRow): Property[] {
  return storedProperties(row).sort(
    (left, right) =>
      compareText(left.key, right.key) ||
      left.dataType - right.dataType ||
      compareText(left.stringValue, right.stringValue),
  )
}

/** The value as `fields`, `values` and the pivot show it. */
export function valueText(property: Property): string {
  if (property.dataType === NUMBER && property.numberValue !== null) return shortestDecimal(`${property.numberValue}`)
  if (property.dataType === DATE && property.dateValue !== null) return isoSecond(columnInstant(property.dateValue))
  return property.stringValue
}

/** Elements of an array property: the text of a string, the JSON text of anything else. */
export function elementTexts(property: Property): string[] {
  const elements: unknown = JSON.parse(property.stringValue)
  if (!Array.isArray(elements)) throw new Error(`Oracle: not a JSON array: ${property.stringValue}`)
  return elements.map((element: unknown) => (typeof element === 'string' ? element : JSON.stringify(element)))
}

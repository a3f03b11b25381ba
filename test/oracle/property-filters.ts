import { isTextOperator, passesText } from './conditions.ts'
import { compareDecimals } from './decimals.ts'
import { columnInstant, isBareDate, localDay, milliseconds } from './instants.ts'
import { ARRAY, BOOLEAN, DATE, type IngestRow, NUMBER, type Property, STRING, storedProperties } from './model.ts'
import { elementTexts } from './properties.ts'
import { splitList } from './text.ts'

export type PropertyFilter = { dataType: number; operator: string; name: string; operand: string }

/**
 * Reads `epf0=1.eq.plan%2Eid.pro`: data type, operator, name (percent-encoded again), value (may contain dots).
 */
export function readEventPropertyFilter(value: string): PropertyFilter {
  const match = /^([1-5])\.([a-z]+)\.([^.]*)\.(.*)$/s.exec(value)
  if (match === null) throw new Error(`Oracle: malformed property filter: ${value}`)
  return { dataType: Number(match[1]), operator: match[2]!, name: decodeName(match[3]!), operand: match[4]! }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Reads `pf_plan=1.eq.pro`, or `pf_plan=eq.pro` for a string. The name is already decoded. */
export function readPivotPropertyFilter(name: string, value: string): PropertyFilter {
  const match = /^(?:([1-5])\.)?([a-z]+)\.(.*)$/s.exec(value)
  if (match === null) throw new Error(`Oracle: malformed property filter: ${name}=${value}`)
  return { dataType: Number(match[1] ?? STRING), operator: match[2]!, name, operand: match[3]! }
}

/** Whether the event has a property with that name and data type and a matching value. */
export function passesProperty(filter: PropertyFilter, row: IngestRow, timezone: string): boolean {
  return oneHasPassing(filter, storedProperties(row), timezone)
}

export function oneHasPassing(filter: PropertyFilter, properties: Property[], timezone: string): boolean {
  return properties.some(
    (property) =>
      property.key === filter.name && property.dataType === filter.dataType && valuePasses(filter, property, timezone),
  )
}

function valuePasses(filter: PropertyFilter, property: Property, timezone: string): boolean {
  switch (filter.dataType) {
    case STRING:
      return stringPasses(filter, property.stringValue)
    case NUMBER:
      return numberPasses(filter, `${property.numberValue}`)
    case BOOLEAN:
      return booleanPasses(filter, property.stringValue)
    case DATE:
      return dayPasses(filter, localDay(columnInstant(property.dateValue!), timezone), timezone)
    case ARRAY:
      return arrayPasses(filter, elementTexts(property))
    default:
      throw new Error(`Oracle: no such data type: ${filter.dataType}`)
  }
}

function stringPasses({ operator, operand }: PropertyFilter, text: string): boolean {
  if (!isTextOperator(operator)) return inapplicable(operator)
  return passesText({ operator, operand }, text)
}

function numberPasses({ operator, operand }: PropertyFilter, number: string): boolean {
  const isListed = () => splitList(operand).some((listed) => compareDecimals(number, listed) === 0)
  switch (operator) {
    case 'eq':
      return isListed()
    case 'neq':
      return !isListed()
    case 'gt':
      return compareDecimals(number, operand) > 0
    case 'lt':
      return compareDecimals(number, operand) < 0
    case 'gte':
      return compareDecimals(number, operand) >= 0
    case 'lte':
      return compareDecimals(number, operand) <= 0
    default:
      return inapplicable(operator)
  }
}

function booleanPasses({ operator, operand }: PropertyFilter, text: string): boolean {
  if (operator === 'eq') return text === operand
  if (operator === 'neq') return text !== operand
  return inapplicable(operator)
}

/** Compares dates as days in the request's time zone. */
function dayPasses({ operator, operand }: PropertyFilter, day: string, timezone: string): boolean {
  const wanted = isBareDate(operand) ? operand : localDay(milliseconds(operand), timezone)
  switch (operator) {
    case 'eq':
      return day === wanted
    case 'neq':
      return day !== wanted
    case 'bf':
      return day < wanted
    case 'af':
      return day > wanted
    default:
      return inapplicable(operator)
  }
}

function arrayPasses({ operator, operand }: PropertyFilter, elements: string[]): boolean {
  if (operator === 'c') return elements.includes(operand)
  if (operator === 'dnc') return !elements.includes(operand)
  return inapplicable(operator)
}

function inapplicable(operator: string): never {
  throw new Error(`Oracle: operator ${operator} does not apply to this data type`)
}

import * as z from 'zod'
import { type ListOperator, parseCommaList, parseFilterValues, type TextOperator } from './operators.ts'
import type { Refuse } from './query-string.ts'
import { dayOf, startOfDay, startOfNextDay } from './time-zone.ts'

/** The codes of property data types, in the API and in the column `data_type`. */
export const dataTypes = { string: 1, number: 2, boolean: 3, date: 4, array: 5 } as const

/**
 * Matches events or sessions that have a property with this name and type and a matching value. `parameter` is the name
 * as the caller spelled it, for messages. Days are [from, to] in milliseconds since 1970.
 */
export type PropertyFilter = { readonly parameter: string; readonly property: string } & PropertyTest

type PropertyTest =
  | { readonly dataType: 1; readonly operator: ListOperator; readonly values: readonly string[] }
  | { readonly dataType: 1; readonly operator: TextOperator; readonly value: string }
  | { readonly dataType: 2; readonly operator: ListOperator; readonly values: readonly string[] }
  | { readonly dataType: 2; readonly operator: 'gt' | 'lt' | 'gte' | 'lte'; readonly value: string }
  | { readonly dataType: 3; readonly operator: ListOperator; readonly value: 'true' | 'false' }
  | { readonly dataType: 4; readonly operator: ListOperator | 'bf' | 'af'; readonly from: number; readonly to: number }
  | { readonly dataType: 5; readonly operator: 'c' | 'dnc'; readonly value: string }

/** A property filter without its parameter name. */
type PropertyCondition = { readonly property: string } & PropertyTest

/** Parses `<dataType>.<operator>.<property>.<value>`. The property is percent-encoded, so it may contain a dot. */
export function parseProperty(given: string, zone: string, refuse: Refuse): PropertyCondition | undefined {
  const [, dataType, operator, encoded, value] = /^([1-5])\.([a-z]+)\.([^.]+)\.(.*)$/s.exec(given) ?? []
  const property = encoded === undefined ? undefined : decodeProperty(encoded)
  if (property === undefined) {
    return void refuse(
      'Must be <dataType>.<operator>.<property>.<value>, such as 1.eq.plan.pro, with the property percent-encoded.',
    )
  }
  const test = parseTest(Number(dataType), operator!, value!, zone, refuse)
  return test && { property, ...test }
}

/** Parses `<dataType>.<operator>.<value>`, or `<operator>.<value>` for text. */
export function parseShorthand(
  property: string,
  given: string,
  zone: string,
  refuse: Refuse,
): PropertyCondition | undefined {
  const [, dataType = '1', operator, value] = /^(?:([1-5])\.)?([a-z]+)\.(.*)$/s.exec(given) ?? []
  if (property === '' || operator === undefined) {
    return void refuse('Must be pf_<property>=<dataType>.<operator>.<value>, such as pf_plan=1.eq.pro.')
  }
  const test = parseTest(Number(dataType), operator, value!, zone, refuse)
  return test && { property, ...test }
}

function decodeProperty(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function parseTest(
  dataType: number,
  operator: string,
  value: string,
  zone: string,
  refuse: Refuse,
): PropertyTest | undefined {
  const one = <Operator extends string>(...allowed: Operator[]): Operator | undefined =>
    allowed.find((name) => name === operator) ??
    void refuse(`Operator ${operator} does not apply to data type ${dataType}. Allowed: ${allowed.join(', ')}.`)
  switch (dataType) {
    case dataTypes.string:
      return textTest(one('eq', 'neq', 'c', 'dnc', 're', 'nre'), value, refuse)
    case dataTypes.number:
      return numberTest(one('eq', 'neq', 'gt', 'lt', 'gte', 'lte'), value, refuse)
    case dataTypes.boolean:
      return booleanTest(one('eq', 'neq'), value, refuse)
    case dataTypes.date:
      return dateTest(one('eq', 'neq', 'bf', 'af'), value, zone, refuse)
    default: {
      const known = one('c', 'dnc')
      return known && { dataType: 5, operator: known, value }
    }
  }
}

function textTest(
  operator: ListOperator | TextOperator | undefined,
  value: string,
  refuse: Refuse,
): PropertyTest | undefined {
  if (operator === 'eq' || operator === 'neq') {
    const values = parseFilterValues(value, refuse)
    return values && { dataType: 1, operator, values }
  }
  return operator && { dataType: 1, operator, value }
}

type NumberOperator = ListOperator | 'gt' | 'lt' | 'gte' | 'lte'

function numberTest(operator: NumberOperator | undefined, value: string, refuse: Refuse): PropertyTest | undefined {
  const isList = operator === 'eq' || operator === 'neq'
  const values = isList ? parseCommaList(value, refuse) : [value]
  if (values?.some((text) => !/^-?\d{1,18}(\.\d{1,10})?$/.test(text))) {
    return void refuse('Must be a decimal number with at most 18 digits before and 10 after the point.')
  }
  if (!operator || !values) return undefined
  return operator === 'eq' || operator === 'neq' ? { dataType: 2, operator, values } : { dataType: 2, operator, value }
}

function booleanTest(operator: ListOperator | undefined, value: string, refuse: Refuse): PropertyTest | undefined {
  if (value !== 'true' && value !== 'false') return void refuse('Must be true or false.')
  return operator && { dataType: 3, operator, value }
}

/** Compares a date with a calendar day in `zone`. */
function dateTest(
  operator: ListOperator | 'bf' | 'af' | undefined,
  value: string,
  zone: string,
  refuse: Refuse,
): PropertyTest | undefined {
  const day = dayIn(value, zone)
  if (!day) return void refuse('Must be an ISO 8601 date (2025-10-15) or a moment with its offset.')
  return operator && { dataType: 4, operator, from: startOfDay(day, zone), to: startOfNextDay(day, zone) - 1 }
}

function dayIn(value: string, zone: string): string | undefined {
  const isDay = z.iso.date().safeParse(value).success
  if (!isDay && !z.iso.datetime({ offset: true }).safeParse(value).success) return undefined
  return isDay ? value : dayOf(Date.parse(value), zone)
}

import type { PropertyFilter } from '../../request/property-filters.ts'
import { all, decimal, decimals, type Fragment, milliseconds, sql, text, texts, uint8 } from '../language/sql.ts'
import { patternCheck, textCondition } from '../language/text.ts'

/** Whether an event in `custom_events` has a property with the filter's name and type whose value passes. */
export const holdsProperty = (filter: PropertyFilter): Fragment =>
  all(
    sql`arrayExists(
      (key, type, string, number, date) -> key = ${text(filter.property)} and type = ${uint8(filter.dataType)} and ${valuePasses(filter, stored)},
      properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
    )`,
    propertyPatternCheck(filter),
  )

/** Checks the pattern of a text filter, even if no row has the property. */
export const propertyPatternCheck = (filter: PropertyFilter): Fragment | undefined =>
  filter.dataType === 1 ? patternCheck(filter) : undefined

/** A value as a string, as a number, and as a date in milliseconds. The number and the date may be null. */
interface Value {
  readonly string: Fragment
  readonly number: Fragment
  readonly at: Fragment
}

const stored: Value = { string: sql`string`, number: sql`number`, at: sql`toUnixTimestamp64Milli(date)` }

function valuePasses(filter: PropertyFilter, { string, number, at }: Value): Fragment {
  switch (filter.dataType) {
    case 1:
      return textCondition(string, filter)
    case 2:
      return sql`ifNull(${numberPasses(number, filter)}, false)`
    case 3:
      return filter.operator === 'eq' ? sql`${string} = ${text(filter.value)}` : sql`${string} != ${text(filter.value)}`
    case 4:
      return sql`ifNull(${datePasses(at, filter)}, false)`
    case 5:
      return filter.operator === 'c'
        ? sql`has(${elements(string)}, ${text(filter.value)})`
        : sql`not has(${elements(string)}, ${text(filter.value)})`
  }
}

type FilterOfType<Type extends PropertyFilter['dataType']> = Extract<PropertyFilter, { dataType: Type }>

function numberPasses(number: Fragment, filter: FilterOfType<2>): Fragment {
  switch (filter.operator) {
    case 'eq':
      return sql`has(${decimals(filter.values)}, ${number})`
    case 'neq':
      return sql`not has(${decimals(filter.values)}, ${number})`
    case 'gt':
      return sql`${number} > ${decimal(filter.value)}`
    case 'lt':
      return sql`${number} < ${decimal(filter.value)}`
    case 'gte':
      return sql`${number} >= ${decimal(filter.value)}`
    case 'lte':
      return sql`${number} <= ${decimal(filter.value)}`
  }
}

/**
 * Compares milliseconds since 1970. A filter may contain a day before 1900. DateTime64 cannot represent it, but it is
 * earlier than every stored date.
 */
function datePasses(at: Fragment, { operator, from, to }: FilterOfType<4>): Fragment {
  switch (operator) {
    case 'eq':
      return sql`(${at} >= ${milliseconds(from)} and ${at} <= ${milliseconds(to)})`
    case 'neq':
      return sql`(${at} < ${milliseconds(from)} or ${at} > ${milliseconds(to)})`
    case 'bf':
      return sql`${at} < ${milliseconds(from)}`
    case 'af':
      return sql`${at} > ${milliseconds(to)}`
  }
}

/** The elements of an array property, as strings. Other types are written as JSON. */
export const elements = (array: Fragment): Fragment =>
  sql`arrayMap(raw -> if(JSONType(raw) = 'String', JSONExtractString(raw), raw), JSONExtractArrayRaw(${array}))`

const zipped = sql`arrayZip(properties.key, properties.data_type, properties.value)`

/**
 * For an array join: `said` is the key, type and text of a property in a call. With `keys`, only properties with these
 * keys.
 */
export const saidProperties = (keys: readonly string[] | undefined): Fragment =>
  keys ? sql`arrayFilter(one -> one.1 in ${texts(keys)}, ${zipped}) as said` : sql`${zipped} as said`

/** Unfolds all properties in a call, with their stored values. */
export const saidAsStored = sql`arrayZip(
  properties.key, properties.data_type, properties.value,
  properties.string_value, properties.number_value, properties.date_value) as said`

const callOrder = sql`reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at))))`

/** A session's value for one key, as a single string: time (8 bytes), type (1 byte), then the text of the value. */
const saidValue = sql`concat(${callOrder}, char(said.2), said.3)`

/**
 * An aggregate over a session's values for one key that returns the current value. The latest call wins; among
 * simultaneous calls, the greatest type, then the greatest text. Comparing a single string is cheaper than comparing a
 * tuple.
 */
export const currentValue = sql`max(${saidValue})`

/**
 * An aggregate over `saidAsStored` that returns the current value's text as it was sent. `said.3` has whole seconds, so
 * two simultaneous dates may only differ in the text.
 */
export const currentString = sql`argMax(said.4, (${saidValue}, said.4))`

/**
 * An aggregate over `saidAsStored` that returns the current value's number and date in milliseconds, and the time of
 * its call.
 */
export const currentParts = sql`argMax(
  (toString(said.5), toUnixTimestamp64Milli(said.6), toUnixTimestamp64Milli(created_at)), ${saidValue})`

/** The type and the text in `value`, which is a result of `currentValue`. */
export const typeOfCurrent = (value: Fragment): Fragment => sql`reinterpretAsUInt8(substring(${value}, 9, 1))`
export const textOfCurrent = (value: Fragment): Fragment => sql`substring(${value}, 10)`

/** The type of the current value, from `data_type` in the calls, so that no strings need to be read. */
export const currentType = sql`toUInt8(bitAnd(max(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(created_at)), 3) + data_type), 7))`

/** An aggregate over calls that returns the greatest distinct id among the latest ones. */
export const latestDistinctId = sql`max(concat(${callOrder}, distinct_id))`
export const distinctIdOf = (latest: Fragment): Fragment => sql`substring(${latest}, 9)`

export const numberOfText = (value: Fragment): Fragment => sql`toDecimal128OrNull(${value}, 4)`

/** Whether a session's current value passes the filter. `value` is a result of `currentValue`. */
export function currentPasses(value: Fragment, filter: PropertyFilter): Fragment {
  const string = textOfCurrent(value)
  const at = sql`toUnixTimestamp64Milli(toDateTime64OrNull(substring(${string}, 1, 19), 3, 'UTC'))`
  const isOfType = sql`${typeOfCurrent(value)} = ${uint8(filter.dataType)}`
  return sql`${isOfType} and ${valuePasses(filter, { string, number: numberOfText(string), at })}`
}

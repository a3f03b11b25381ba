import type { PropertyFilter } from '../request/property-filters.ts'
import { all, decimal, decimals, type Fragment, milliseconds, sql, text, uint8 } from './sql.ts'
import { patternCheck, textCondition } from './text.ts'

/** Whether an event of `custom_events` has a property of the filter's name and type with a passing value. */
export const holdsProperty = (filter: PropertyFilter): Fragment =>
  all(
    sql`arrayExists(
      (key, type, string, number, date) -> key = ${text(filter.property)} and type = ${uint8(filter.dataType)} and ${valuePasses(filter)},
      properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
    )`,
    filter.dataType === 1 ? patternCheck(filter) : undefined,
  )

function valuePasses(filter: PropertyFilter): Fragment {
  switch (filter.dataType) {
    case 1:
      return textCondition(sql`string`, filter)
    case 2:
      return sql`ifNull(${numberPasses(filter)}, false)`
    case 3:
      return filter.operator === 'eq' ? sql`string = ${text(filter.value)}` : sql`string != ${text(filter.value)}`
    case 4:
      return sql`ifNull(${datePasses(filter)}, false)`
    case 5:
      return filter.operator === 'c'
        ? sql`has(${elements(sql`string`)}, ${text(filter.value)})`
        : sql`not has(${elements(sql`string`)}, ${text(filter.value)})`
  }
}

type FilterOfType<Type extends PropertyFilter['dataType']> = Extract<PropertyFilter, { dataType: Type }>

function numberPasses(filter: FilterOfType<2>): Fragment {
  switch (filter.operator) {
    case 'eq':
      return sql`has(${decimals(filter.values)}, number)`
    case 'neq':
      return sql`not has(${decimals(filter.values)}, number)`
    case 'gt':
      return sql`number > ${decimal(filter.value)}`
    case 'lt':
      return sql`number < ${decimal(filter.value)}`
    case 'gte':
      return sql`number >= ${decimal(filter.value)}`
    case 'lte':
      return sql`number <= ${decimal(filter.value)}`
  }
}

/** Compares days as numbers: DateTime64 cannot hold a day before 1900, which is still earlier than every date. */
function datePasses({ operator, from, to }: FilterOfType<4>): Fragment {
  const at = sql`toUnixTimestamp64Milli(date)`
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

/** The elements of an array property, as texts: strings unchanged, other values as JSON. */
export const elements = (array: Fragment): Fragment =>
  sql`arrayMap(raw -> if(JSONType(raw) = 'String', JSONExtractString(raw), raw), JSONExtractArrayRaw(${array}))`

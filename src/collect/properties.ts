import { firstCharacters, isLonger } from './characters.ts'
import { firstElements } from './compact.ts'
import { fourDecimals } from './numbers.ts'
import { longestKey, mostSentProperties, type SentData, type SentValue } from './sent.ts'

/** A property as `ingest` stores it: one element in each of the parallel arrays `properties.…`. */
export interface SentProperty {
  readonly key: string
  /** 1: text, 2: number, 3: boolean, 4: date, 5: array. */
  readonly type: 1 | 2 | 3 | 4 | 5
  readonly text: string
  /** A decimal with four decimal places. */
  readonly number: string | null
  /** In ISO 8601, in UTC, with milliseconds. */
  readonly date: string | null
}

/** The maximum lengths of a text, and of an array's JSON, in characters. */
export const propertyLengths = { text: 2000, array: 4000 } as const

type Warn = (path: string, message: string) => void

/** The properties in `data`. Calls `warn` for each one that is not stored as it was sent. */
export function sentProperties(data: SentData | SentValue | undefined, warn: Warn): readonly SentProperty[] {
  if (data === undefined) return []
  if (typeof data === 'object' && 'properties' in data) {
    if (data.isMore) warn('data', `May have ${mostSentProperties} properties. The others are left out.`)
    return [...data.properties].map(([key, value]) => {
      const warnOf = (message: string): void => warn(`data.${key}`, message)
      if (data.cutKeys.has(key)) warnOf(`A key may have ${longestKey} characters. The rest is cut off.`)
      return propertyOf(key, value, warnOf)
    })
  }
  if (typeof data === 'object' && 'json' in data) {
    warn('data', 'Must be an object. It is left out.')
    return []
  }
  warn('data', 'Should be an object. It is stored as the property value.')
  return [propertyOf('value', data, (message) => warn('data', message))]
}

function propertyOf(key: string, value: SentValue, warn: (message: string) => void): SentProperty {
  const property = (type: SentProperty['type'], text: string, more: Partial<SentProperty> = {}): SentProperty => ({
    ...{ key, type, text, number: null, date: null },
    ...more,
  })
  if (typeof value === 'boolean') return property(3, String(value))
  if (typeof value === 'object' && 'json' in value) {
    const { json, isCut } = firstElements(value.json, propertyLengths.array)
    if (isCut)
      warn(`An array may have ${propertyLengths.array} characters of JSON. The elements after them are left out.`)
    return property(5, json)
  }
  if (typeof value === 'object') {
    const number = fourDecimals(value.number)
    if (number !== undefined) return property(2, number, { number })
    warn('A number may be up to 2^53 - 1, with 30 digits. It is stored as text.')
  }
  const text = typeof value === 'object' ? value.number : value
  const date = dateIn(text)
  if (date && isStorable(date)) return property(4, date, { date })
  if (date) warn('A date may be from 1900 to 2299. It is stored as text.')
  const isCut = isLonger(text, propertyLengths.text)
  if (isCut) warn(`A text may have ${propertyLengths.text} characters. The rest is cut off.`)
  return property(1, isCut ? firstCharacters(text, propertyLengths.text) : text)
}

/** In ISO 8601, a year before 0 or after 9999 has a sign. */
const isStorable = (date: string): boolean => date >= '1900' && date < '2300'

const dateFormat = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(Z|[+-]\d\d:\d\d)?$/

/**
 * The moment that a text represents, as ISO 8601 in UTC. Undefined if the text is in another format or if there is no
 * such moment. A text without a zone is in UTC.
 */
function dateIn(text: string): string | undefined {
  const [, clock, fraction = '.000', zone = 'Z'] = dateFormat.exec(text) ?? []
  if (clock === undefined) return undefined
  const local = `${clock}${fraction}Z`
  // `Date` would turn the 30th of February into the 2nd of March.
  if (isoOf(local) !== local) return undefined
  return zone === 'Z' ? local : isoOf(`${clock}${fraction}${zone}`)
}

function isoOf(text: string): string | undefined {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

import { isLonger } from './characters.ts'

/** A property as `ingest` stores it: one element of each of the parallel arrays `properties.…`. */
export interface SentProperty {
  readonly key: string
  /** 1 text, 2 number, 3 boolean, 4 date, 5 array. */
  readonly type: 1 | 2 | 3 | 4 | 5
  readonly text: string
  /** A decimal with four places. */
  readonly number: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  readonly date: string | null
}

const mostProperties = 100
const longestKey = 200
const longestText = 2000
const longestArray = 4000
/** Numbers reach up to this one, without it. */
const greatestNumber = 1e18

type Fault = (path: string, message: string) => void

/**
 * The properties in `data`: objects are flattened with dots, and a later key replaces an equal earlier one. Calls
 * `fault` for each property that cannot be stored.
 */
export function flatProperties(data: unknown, fault: Fault): readonly SentProperty[] {
  if (data === undefined || data === null || data === '') return []
  if (typeof data !== 'object' || Array.isArray(data)) {
    fault('data', 'Must be an object.')
    return []
  }
  const found = new Map<string, unknown>()
  flatten('', data, found)
  if (found.size > mostProperties) {
    fault('data', `May hold at most ${mostProperties} properties.`)
    return []
  }
  return [...found].flatMap(([key, value]) => {
    const path = `data.${key}`
    if (isLonger(key, longestKey)) {
      fault(path, `A key may have at most ${longestKey} characters.`)
      return []
    }
    const property = propertyOf(key, value)
    if (typeof property !== 'string') return [property]
    fault(path, property)
    return []
  })
}

/** Stops at one property too many, and at a key that is too long already. */
function flatten(prefix: string, value: object, found: Map<string, unknown>): void {
  for (const [name, inner] of Object.entries(value)) {
    if (found.size > mostProperties) return
    const key = (prefix === '' ? name : `${prefix}.${name}`).toWellFormed()
    if (inner === null) found.delete(key)
    else if (typeof inner === 'object' && !Array.isArray(inner) && !isLonger(key, longestKey))
      flatten(key, inner, found)
    else found.set(key, inner)
  }
}

/** The property, or why it cannot be stored. */
function propertyOf(key: string, value: unknown): SentProperty | string {
  const property = (type: SentProperty['type'], text: string, more: Partial<SentProperty> = {}): SentProperty => ({
    ...{ key, type, text, number: null, date: null },
    ...more,
  })
  if (typeof value === 'boolean') return property(3, String(value))
  if (typeof value === 'number') {
    if (!(Math.abs(value) < greatestNumber)) return 'A number must be below 10^18.'
    const number = value.toFixed(4)
    return property(2, number, { number })
  }
  if (Array.isArray(value)) {
    const json = JSON.stringify(value).toWellFormed()
    return isLonger(json, longestArray)
      ? `An array may have at most ${longestArray} characters of JSON.`
      : property(5, json)
  }
  const text = String(value).toWellFormed()
  if (isLonger(text, longestText)) return `A text may have at most ${longestText} characters.`
  const date = dateIn(text)
  if (date === undefined) return property(1, text)
  const year = date.getUTCFullYear()
  if (year < 1900 || year > 2299) return 'A date must be from 1900 to 2299.'
  return property(4, date.toISOString(), { date: date.toISOString() })
}

const dateFormat = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(Z|[+-]\d\d:\d\d)?$/

/** The moment that a text names; undefined if it is not such a text, or no such moment exists. No zone means UTC. */
function dateIn(text: string): Date | undefined {
  const [, clock, fraction = '.000', zone = 'Z'] = dateFormat.exec(text) ?? []
  if (clock === undefined) return undefined
  const local = new Date(`${clock}${fraction}Z`)
  // `Date` turns the 30th of February into the 2nd of March.
  if (Number.isNaN(local.getTime()) || local.toISOString() !== `${clock}${fraction}Z`) return undefined
  const moment = new Date(`${clock}${fraction}${zone}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

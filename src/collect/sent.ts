import type { JsonReader } from '../request/json-reader.ts'
import { firstCharacters } from './characters.ts'

/** A number as it was written. It may have more digits than a double can represent. */
interface SentNumber {
  readonly number: string
}

/** The JSON of an object or an array as it was written. */
interface SentJson {
  readonly json: string
}

/** The value of a field or property. */
export type SentValue = string | boolean | SentNumber | SentJson

/** The properties in `data`. */
export interface SentData {
  /** By flattened key. Keys have at most `longestKey` characters. Nested objects are not values themselves. */
  readonly properties: ReadonlyMap<string, SentValue>
  readonly cutKeys: ReadonlySet<string>
  /** Whether the event has more properties than were read. */
  readonly isMore: boolean
}

/** One event as it was sent. `null` values are left out. */
export interface Sent {
  readonly type: SentValue | undefined
  /** The known fields; undefined if the event has no object `payload`. */
  readonly payload: ReadonlyMap<string, SentValue> | undefined
  /** The content of `data`, if it is an object. */
  readonly data: SentData | undefined
}

export const mostSentProperties = 100
export const longestKey = 200

/**
 * The maximum number of members of `data` that are read, including those of nested objects. Some may be `null` or
 * repeated.
 */
const mostMembers = 200

/**
 * Reads one event. Returns undefined if it is not an object. Skips payload fields that are not in `names`. Throws a
 * `SyntaxError` if the text is not JSON.
 */
export function readSent(reader: JsonReader, names: ReadonlySet<string>): Sent | undefined {
  if (reader.next() !== 'object') return void reader.skip()
  let type: SentValue | undefined
  let rest: Omit<Sent, 'type'> = { payload: undefined, data: undefined }
  reader.object((name) => {
    if (name === 'type') type = readValue(reader)
    else if (name === 'payload') rest = readPayload(reader, names)
    else reader.skip()
  })
  return { type, ...rest }
}

function readPayload(reader: JsonReader, names: ReadonlySet<string>): Omit<Sent, 'type'> {
  let data: SentData | undefined
  if (reader.next() !== 'object') {
    reader.skip()
    return { payload: undefined, data }
  }
  const payload = new Map<string, SentValue>()
  reader.object((name) => {
    if (!names.has(name)) return reader.skip()
    // If a name is repeated, its last value applies.
    payload.delete(name)
    if (name === 'data') data = undefined
    if (name === 'data' && reader.next() === 'object') data = readData(reader)
    else {
      const value = readValue(reader)
      if (value !== undefined) payload.set(name, value)
    }
  })
  return { payload, data }
}

/** Flattens objects with dots. A later key replaces an equal earlier one, and `null` removes it. */
function readData(reader: JsonReader): SentData {
  const properties = new Map<string, SentValue>()
  const cutKeys = new Set<string>()
  let [members, isMore] = [0, false]
  const read = (before: string): void =>
    reader.object((name) => {
      isMore ||= ++members > mostMembers
      if (isMore) return reader.skip()
      const whole = before + name.toWellFormed()
      const key = firstCharacters(whole, longestKey)
      if (reader.next() === 'object') return read(`${key}.`)
      const value = readValue(reader)
      if (value === undefined) properties.delete(key)
      else if (properties.has(key) || properties.size < mostSentProperties) {
        properties.set(key, value)
        if (key !== whole) cutKeys.add(key)
      } else isMore = true
    })
  read('')
  return { properties, cutKeys, isMore }
}

/** The next value, or undefined if it is `null`. */
function readValue(reader: JsonReader): SentValue | undefined {
  const kind = reader.next()
  if (kind === 'text') return reader.text().toWellFormed()
  if (kind === 'number') return { number: reader.number() }
  if (kind === 'word') return reader.word() ?? undefined
  return { json: reader.spanOf(() => reader.skip()) }
}

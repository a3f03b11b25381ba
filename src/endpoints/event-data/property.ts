import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { isoSecond } from '../../query/language/time.ts'

/** A property of an event. */
export const Property = () =>
  z.object({
    dataKey: z.string(),
    stringValue: z.string(),
    numberValue: z.number().nullable(),
    dateValue: z.string().nullable(),
    dataType: z.number().int(),
    createdAt: z.string(),
  })

/** The properties of an event as parallel arrays; times in milliseconds since 1970. */
export interface StoredProperties {
  readonly created_ms: number
  readonly keys: readonly string[]
  readonly types: readonly number[]
  readonly strings: readonly string[]
  readonly numbers: readonly (number | null)[]
  readonly dates: readonly (number | null)[]
}

export const propertiesOf = (stored: StoredProperties): ValueOf<typeof Property>[] =>
  stored.keys.map((dataKey, index) => {
    const date = stored.dates[index] ?? null
    return {
      dataKey,
      stringValue: stored.strings[index]!,
      numberValue: stored.numbers[index] ?? null,
      dateValue: date === null ? null : isoSecond(date),
      dataType: stored.types[index]!,
      createdAt: isoSecond(stored.created_ms),
    }
  })

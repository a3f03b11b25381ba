import * as z from 'zod'
import { titled } from '../made.ts'

/** The answer of an action that has nothing to return. */
export const Done = titled('Done', () => z.object({ ok: z.literal(true) }))

export const done = { body: { ok: true as const } }

/** A record with these keys. */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>

/** Formats a time of D1 (milliseconds since 1970) as ISO 8601 in UTC, with milliseconds. */
export const timeOf = (moment: number): string => new Date(moment).toISOString()

/** The same for a time that may be missing. */
export const timeOrNull = (moment: number | null | undefined): string | null => (moment == null ? null : timeOf(moment))

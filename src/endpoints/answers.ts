import * as z from 'zod'
import type { Grant } from '../access/permit.ts'
import { titled } from '../made.ts'

/** The answer of an action that has nothing to return. */
export const Done = titled('Done', () => z.object({ ok: z.literal(true) }))

export const done = { body: { ok: true as const } }

/** A record with these keys. */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> => Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>

/** Splits rows into the items of these lists. Each row contains the index of its list. */
export const recordOfLists = <Name extends string, Row extends { readonly list: number }, Item>(
  names: readonly Name[],
  rows: readonly Row[],
  item: (row: Row) => Item,
): Record<Name, Item[]> => recordOf(names, (name) => rows.filter(({ list }) => list === names.indexOf(name)).map(item))

/** Formats a D1 time (milliseconds since 1970) as ISO 8601 in UTC, with milliseconds. */
export const timeOf = (moment: number): string => new Date(moment).toISOString()

/** Formats a time that may be missing. */
export const timeOrNull = (moment: number | null | undefined): string | null => (moment == null ? null : timeOf(moment))

/**
 * Whether the reader has locked filters. The owner's saved filters and notes would reveal the data that locked filters
 * hide.
 */
export const isLocked = ({ opening }: Grant): boolean => opening?.filters !== undefined

/** The parameters of a saved object. */
export const SavedParameters = () =>
  z.record(z.string(), z.unknown()).describe('Empty through a share or a public website with locked filters.')

/** The parameters as this reader may see them. */
export const parametersFor = (grant: Grant, parameters: object): Record<string, unknown> =>
  isLocked(grant) ? {} : { ...parameters }

import type * as z from 'zod'

/** The type of the values of the schema that a `Make` function returns. */
export type ValueOf<Make extends () => z.ZodType> = z.infer<ReturnType<Make>>

const madeBy = new WeakMap<() => unknown, unknown>()

/**
 * Calls the function on first use and remembers its result. Schemas are declared as such functions, so that a new
 * isolate creates only the schemas that its requests need.
 */
export const made = <Value>(make: () => Value): Value => madeFor(make, madeBy, () => make()) as Value

/** The value for a key in a map, created on first use. */
export function madeFor<Key, Value>(
  key: Key,
  values: { has(key: Key): boolean; get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  make: (key: Key) => Value,
): Value {
  if (!values.has(key)) values.set(key, make(key))
  return values.get(key) as Value
}

/** Adds a title to the schema that `make` returns. The OpenAPI document describes it once, under that title. */
export const titled =
  <Schema extends z.ZodType>(title: string, make: () => Schema) =>
  (): Schema =>
    make().meta({ title })

import type * as z from 'zod'

/** The values of a schema that a function makes. */
export type ValueOf<Make extends () => z.ZodType> = z.infer<ReturnType<Make>>

const madeBy = new WeakMap<() => unknown, unknown>()

/**
 * Calls the function on first use, and keeps its result. Schemas are declared as such functions, so that a new isolate
 * makes only those that its requests need.
 */
export function made<Value>(make: () => Value): Value {
  if (!madeBy.has(make)) madeBy.set(make, make())
  return madeBy.get(make) as Value
}

/** Gives the schemas of `make` a name, under which the OpenAPI document describes them once. */
export const titled =
  <Schema extends z.ZodType>(title: string, make: () => Schema) =>
  (): Schema =>
    make().meta({ title })

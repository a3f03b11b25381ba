import type * as z from 'zod'

/** The values of a schema that a function makes. */
export type ValueOf<Make extends () => z.ZodType> = z.infer<ReturnType<Make>>

const madeBy = new WeakMap<() => unknown, unknown>()

/**
 * What this function makes, made when it is first asked for. Schemas are declared as such functions: a new isolate
 * starts without those that no request needs.
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

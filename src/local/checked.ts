import type * as z from 'zod'

/** Validates arguments of a command by the API's own schemas: fields by their names, or the value of `flag`. */
export function checked<Value>(schema: z.ZodType<Value>, given: unknown, flag?: string): Value {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const named = (path: readonly PropertyKey[]) =>
    flag === undefined ? path.join('.') : [flag, ...path.map((at) => (given as unknown[])[Number(at)])].join(' ')
  throw new Error(error.issues.map(({ path, message }) => `${named(path)}: ${message}`).join('\n'))
}

import type * as z from 'zod'

/** What was given to a command, by the same rules as the API's: fields by their names, or what stood behind `flag`. */
export function checked<Value>(schema: z.ZodType<Value>, given: unknown, flag?: string): Value {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const named = (path: readonly PropertyKey[]) =>
    flag === undefined ? path.join('.') : [flag, ...path.map((at) => (given as unknown[])[Number(at)])].join(' ')
  throw new Error(error.issues.map(({ path, message }) => `${named(path)}: ${message}`).join('\n'))
}

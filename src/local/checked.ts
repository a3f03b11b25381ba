import type * as z from 'zod'

/** What was given to a command, by the same rules as the API's. */
export function checked<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

import type * as z from 'zod'

/** A mistake in the command line or in an environment variable. The exit code is 2. */
export class Misuse extends Error {}

/**
 * Validates arguments of a command with the schemas of the API. A message begins with the field's flag, such as
 * `--name`, or with `subject`, if it is given.
 */
export function checked<Value>(schema: z.ZodType<Value>, given: unknown, subject?: string): Value {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const named = (path: readonly PropertyKey[]) =>
    subject === undefined
      ? `--${path.join('.')}`
      : [subject, ...path.map((at) => (given as unknown[])[Number(at)])].join(' ')
  throw new Misuse(error.issues.map(({ path, message }) => `${named(path)}: ${message}`).join('\n'))
}

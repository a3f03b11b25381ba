import * as z from 'zod'

/** Field schemas that several bodies share. */

/** A text that a person typed, trimmed. Lone surrogates are refused: storing them would change them. */
export function typedText(maxLength: number): z.ZodType<string> {
  const error = `Must be a text of 1 to ${maxLength} characters.`
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(maxLength, { error })
    .refine(...wellFormed)
}

/** A name: a text on one line. */
export const nameSchema = (maxLength: number): z.ZodType<string> =>
  typedText(maxLength).refine((text) => !/\p{Cc}/u.test(text), {
    error: 'Must not contain control characters, such as U+0000 or line breaks.',
  })

/** A text of one line or several. */
export const noteSchema = (maxLength: number): z.ZodType<string> => typedText(maxLength).refine(...ofLines)

/** A description, which may be empty and have several lines. */
export function descriptionSchema(): z.ZodType<string> {
  const error = 'Must be a text of at most 500 characters.'
  return z
    .string({ error })
    .max(500, { error })
    .refine(...wellFormed)
    .refine(...ofLines)
}

const wellFormed = [(text: string) => text.isWellFormed(), { error: 'Must be valid Unicode text.' }] as const

const ofLines = [
  (text: string) => !/[^\P{Cc}\t\n\r]/u.test(text),
  { error: 'Must not contain control characters, such as U+0000, except for tabs and line breaks.' },
] as const

const oneOrigin = 'Must be an origin as browsers send it: https://host or https://host:port, in lower case, no path.'
const someOrigins = (most: number, otherwise: string) =>
  `Must be a list of 1 to ${most} origins, such as ["https://www.example.com"]; if omitted, ${otherwise}.`

/** An origin whose host consists of names between dots. */
const namedHost = /^https?:\/\/[a-z\d_-]+(\.[a-z\d_-]+)*\.?(:\d+)?$/

/** An origin whose host is an IPv6 address. */
const numberedHost = /^https?:\/\/\[[\da-f:]+\](:\d+)?$/

/** An origin that a `Content-Security-Policy` can name: no IPv6 address, underscore or final dot in the host. */
const inPolicy = /^https?:\/\/[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?$/

const isOrigin = (text: string): boolean =>
  (namedHost.test(text) || numberedHost.test(text)) && URL.canParse(text) && new URL(text).origin === text

/** Origins exactly as browsers send them: `https://www.example.com`, `http://localhost:3000`. */
export const origins = (most = 20, otherwise = 'any is allowed') => listOfOrigins(most, otherwise, isOrigin, oneOrigin)

/** Origins whose pages may show a page in a frame, in the forms that a `Content-Security-Policy` can name. */
export const frameOrigins = () =>
  listOfOrigins(
    10,
    'none is allowed',
    (text) => inPolicy.test(text) && isOrigin(text),
    `${oneOrigin} Browsers accept no IPv6 address and no underscore there.`,
  )

const listOfOrigins = (most: number, otherwise: string, fits: (text: string) => boolean, message: string) =>
  z
    .array(z.string({ error: message }).max(300, { error: message, abort: true }).refine(fits, { error: message }), {
      error: someOrigins(most, otherwise),
    })
    .min(1, { error: someOrigins(most, otherwise) })
    .max(most, { error: someOrigins(most, otherwise) })

/** A boolean setting that may be missing. */
export const optionalBoolean = () => z.boolean({ error: 'Must be true or false.' }).optional()

/** A time in ISO 8601; stored in UTC with milliseconds. */
export const isoMoment = () =>
  z.iso
    .datetime({ offset: true, error: 'Must be a moment in ISO 8601, such as 2030-12-31T23:59:59Z; null for never.' })
    .transform((text) => new Date(text).toISOString())
    .refine((text) => /^\d/.test(text), { error: 'Must be before the year 10000, in UTC.' })

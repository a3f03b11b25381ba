import * as z from 'zod'
import { checked } from '../told/misuse.ts'

const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'Must be a day such as 2025-01-31, or a moment such as 2025-01-31T12:00:00Z.',
  })
  .transform((text) => Date.parse(text))

/** A UTC day or a moment, in milliseconds since 1970. */
export const momentOf = (text: string | undefined, flag: string): number | undefined =>
  text === undefined ? undefined : checked(moment, text, flag)

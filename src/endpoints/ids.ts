import * as z from 'zod'

/** A hexadecimal id of the form 8-4-4-4-12, in either case. Answers contain it in lower case. */
export const id = () =>
  z
    .guid({ error: 'Must be an id of the form 8-4-4-4-12, in hexadecimal digits.' })
    .transform((text) => text.toLowerCase())

/** The slug of a share: its name in a link. */
export const slug = () =>
  z.string().regex(/^(?!\.\.?$)[\w.~-]{1,100}$/, { error: 'Must be 1 to 100 letters, digits, and - _ . ~' })

/** The slug of a new share. It must be longer, because a short slug could be guessed. */
export const newSlug = () =>
  z.string().regex(/^[\w.~-]{8,100}$/, { error: 'Must be 8 to 100 letters, digits, and - _ . ~' })

/** The last part of a link's or pixel's address. */
export const addressSlug = () =>
  z.string().regex(/^[\w-]{1,100}$/, { error: 'Must be 1 to 100 ASCII letters, digits, and - _' })

import * as z from 'zod'

/** What an action answers that has nothing to tell. */
export const Done = z.object({ ok: z.literal(true) })

export const done = { body: { ok: true as const } }

/** A moment of metadata, in milliseconds since 1970, as it is answered: ISO 8601 in UTC, with milliseconds. */
export const timeOf = (moment: number): string => new Date(moment).toISOString()

/** The same for one that may not have come. */
export const timeOrNull = (moment: number | null | undefined): string | null => (moment == null ? null : timeOf(moment))

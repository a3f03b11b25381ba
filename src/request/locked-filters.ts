import { filters } from './filters.ts'
import { query } from './query-string.ts'

const locked = query(filters({ shorthand: true }))

/** Reads the filters that a share keeps, an object in the spelling of `filters={…}`: the filters, or what is wrong. */
export const readLocked = (kept: object) => locked.schema.safeParse({ filters: JSON.stringify(kept) })

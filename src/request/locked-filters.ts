import { filters } from './filters.ts'
import { query } from './query-string.ts'

const locked = query(filters({ shorthand: 'properties' }))

/** Parses the stored filters of a share, in the form of `filters={…}`. Returns the filters, or their faults. */
export const readLocked = (kept: object) => locked.schema.safeParse({ filters: JSON.stringify(kept) })

import { type Group, group } from './query-string.ts'

/** What some answers depend on of the caller. No parameter sets it: `serve/saved-filters.ts` does. */
export interface Reader {
  /** Whether the caller reads through a share or a public website, which shows no distinct ids. */
  readonly isOpening: boolean
  readonly mayUpdate: boolean
}

export const reader: Group<{ reader: Reader }> = group({}, () => ({ reader: { isOpening: true, mayUpdate: false } }))

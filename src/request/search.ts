import { freeText, type Group, group } from './query-string.ts'

/** A search text: each character is literal, case is ignored. An empty text searches for nothing. */
export const search = (description: string): Group<{ search: string | undefined }> =>
  group({ search: freeText(description) }, ({ search }) => ({ search: search === '' ? undefined : search }))

/** What a search among events finds. */
export const eventsSearched = 'Part of a custom event’s name or of a page view’s path, in any case.'

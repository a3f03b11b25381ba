import { freeText, type Group, group } from './query-string.ts'

/** A search text: each character is literal, case is ignored. An empty text searches for nothing. */
export const search = (description: string): Group<{ search: string | undefined }> =>
  group({ search: freeText(description) }, ({ search }) => ({ search: search === '' ? undefined : search }))

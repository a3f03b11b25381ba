import { freeText, type Group, group } from './query-string.ts'

/** What is looked for, every character for itself and in any case; an empty text looks for nothing. */
export const search = (description: string): Group<{ search: string | undefined }> =>
  group({ search: freeText(description) }, ({ search }) => ({ search: search === '' ? undefined : search }))

import type { Scope } from '../../src/query/language/scope.ts'

/** The scope of a caller with an own right: the whole website. Every day may be sealed. */
export const wholeWebsite = (websiteId: string): Scope => ({
  websiteId,
  since: undefined,
  only: [],
  hidesDistinctIds: false,
  hidesSessionProperties: false,
  closedBefore: Number.MAX_SAFE_INTEGER,
})

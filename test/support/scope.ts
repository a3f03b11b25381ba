import type { Scope } from '../../src/query/scope.ts'

/** All of a website, as somebody with a right of their own reads it. */
export const wholeWebsite = (websiteId: string): Scope => ({ websiteId, since: undefined, only: [] })

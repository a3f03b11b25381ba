import type { Derived } from '../../src/local/derived.ts'
import { isLong } from './long.ts'

/** In `npm test` one table of each way in which `check` and `rebuild` treat a table; all of them in the long run. */
export const oneOfEachWay = (tables: readonly Derived[]): readonly Derived[] =>
  isLong ? tables : [...new Map(tables.map((one) => [wayOf(one), one])).values()]

function wayOf({ counts, hasExtremes, sources, month }: Derived): string {
  return JSON.stringify([counts !== undefined, hasExtremes, sources.length, month])
}

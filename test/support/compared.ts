import type { Derived } from '../../src/local/derived.ts'
import { isLong } from './long.ts'

/** In `npm test` one table of each way in which `check` and `rebuild` treat a table; all of them in the long run. */
export const oneOfEachWay = (tables: readonly Derived[]): readonly Derived[] =>
  isLong ? tables : [...new Map(tables.map((one) => [wayOf(one), one])).values()]

/** As `oneOfEachWay`, where it does not matter from what, or for how long, a table is made. */
export const oneOfEachKind = (tables: readonly Derived[]): readonly Derived[] =>
  isLong ? tables : [...new Map(tables.map((one) => [kindOf(one), one])).values()]

const kindOf = ({ counts, hasExtremes }: Derived): string => JSON.stringify([counts !== undefined, hasExtremes])

function wayOf({ counts, hasExtremes, sources, month }: Derived): string {
  return JSON.stringify([counts !== undefined, hasExtremes, sources.length, month])
}

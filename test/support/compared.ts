import type { Derived } from '../../src/local/storage/derived.ts'
import { isLong } from './long.ts'

type Choice = (tables: readonly Derived[]) => readonly Derived[]

/** In `npm test` one table of each kind; all of them in the long run. */
const oneOfEach =
  (kindOf: (table: Derived) => readonly unknown[]): Choice =>
  (tables) =>
    isLong ? tables : [...new Map(tables.map((one) => [JSON.stringify(kindOf(one)), one])).values()]

/** Tables of many columns: a look at one of them takes three times as long. */
const wide = ['event_data', 'sales', 'web_vitals']

const ofNarrow =
  (choice: Choice): Choice =>
  (tables) =>
    isLong ? tables : choice(tables.filter(({ table }) => !wide.includes(table)))

/** One table of each way in which `check` and `rebuild` treat a table. */
export const oneOfEachWay = ofNarrow(
  oneOfEach(({ counts, hasExtremes, sources }) => [counts !== undefined, hasExtremes, sources.length]),
)

/** One table of each way in which a table knows its months. */
export const oneOfEachMonth = ofNarrow(oneOfEach(({ month }) => [month]))

/** As `oneOfEachWay`, where it does not matter from what a table is made. */
export const oneOfEachKind = ofNarrow(oneOfEach(({ counts, hasExtremes }) => [counts !== undefined, hasExtremes]))

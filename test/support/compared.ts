import type { Derived } from '../../src/local/storage/derived.ts'
import { isLong } from './long.ts'
import { seed } from './seed.ts'

type Choice = (tables: readonly Derived[]) => readonly Derived[]

/** Tables of many columns, for a look at one of them takes three times as long; and the table that no event fills. */
const left = ['event_data', 'sales', 'web_vitals', 'replays']

/** In `npm test` one narrow table of each kind, another one in each run; all tables in the long run. */
const oneOfEach =
  (kindOf: (table: Derived) => readonly unknown[]): Choice =>
  (tables) => {
    if (isLong) return tables
    const kinds = new Map<string, Derived[]>()
    for (const one of tables.filter(({ table }) => !left.includes(table))) {
      const kind = JSON.stringify(kindOf(one))
      kinds.set(kind, [...(kinds.get(kind) ?? []), one])
    }
    return [...kinds.values()].map((alike) => alike[seed % alike.length]!)
  }

/** One table of each way in which a table knows its months. */
export const oneOfEachMonth = oneOfEach(({ month }) => [month])

/** One table of each way in which `check` and `rebuild` treat a table. */
export const oneOfEachKind = oneOfEach(({ counts, hasExtremes }) => [counts !== undefined, hasExtremes])

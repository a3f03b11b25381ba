import type { Derived } from '../../src/local/storage/derived.ts'
import { isLong } from './long.ts'
import { seed } from './seed.ts'

type Choice = (tables: readonly Derived[]) => readonly Derived[]

/** Tables with many columns, which take three times as long to compare, and the table that no event fills. */
const left = ['event_data', 'sales', 'web_vitals', 'replays']

/** In each run, `npm test` compares a different narrow table of each kind. Long runs compare all tables. */
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

/** One table for each way of storing the month. */
export const oneOfEachMonth = oneOfEach(({ month }) => [month])

/** One table for each way in which `check` and `rebuild` treat tables. */
export const oneOfEachKind = oneOfEach(({ counts, hasExtremes }) => [counts !== undefined, hasExtremes])

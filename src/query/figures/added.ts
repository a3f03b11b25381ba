import type { ValueOf } from '../../made.ts'
import type { FigureName, PartRow } from '../chains/parts.ts'
import type { Result } from '../language/statement.ts'
import { compareText } from '../tables/buckets.ts'
import { grouped } from './few-rows.ts'
import type { Counting, ListedMetric } from './whole.ts'

type PartialRow = ValueOf<typeof PartRow>

/** The maximum number of rows of a part that the Worker adds up. */
export const mostAdded = 5_000

/** A row of figures returned by `counted`. */
export type CountedRow<Name extends FigureName> = { readonly [Key in Name as `f_${Key}`]: number } & {
  readonly f_x?: string
  readonly f_country?: string
}

/**
 * The sum of the parts, as the rows that a single statement would return. A list has the same order. Undefined if a
 * part may be incorrect, or if a list has too many rows or invalid strings. `judging` says for each part whether its
 * rows contain `isSure`.
 */
export function addedUp<Name extends FigureName>(
  results: readonly Result<never>[],
  { by, figures, atMost = Number.POSITIVE_INFINITY }: Counting<Name>,
  judging: readonly boolean[],
): Result<CountedRow<Name>> | undefined {
  const parts = results.map((result) => result.rows as readonly PartialRow[])
  // Without rows, such a part does not tell whether it is correct.
  const isUnsure = parts.some((some, place) => judging[place] && some.length === 0)
  if (isUnsure || parts.some((some) => some.some(({ isSure }) => !isSure))) return undefined
  if (by?.kind === 'metric' && parts.some((some) => some.length > mostAdded || some.some(isUnclear))) return undefined
  const sums = [...grouped(parts.flat(), keyOfRow).values()].map((some) => sumOf(some, figures, atMost))
  return (by?.kind === 'metric' ? listOf(sums, by) : seriesOf(sums)) as unknown as Result<CountedRow<Name>>
}

type Sum = Omit<PartialRow, 'isSure' | 'f_countries'>

/** Sorted by key. Empty buckets have no row, but there is always a row of totals. */
function seriesOf(sums: readonly Sum[]): Result<Sum> {
  const rows = sums
    .filter(({ f_x, f_visitors }) => f_x === undefined || f_visitors !== 0)
    .sort((one, other) => compareText(one.f_x ?? '', other.f_x ?? ''))
  return { rows, total: rows.length }
}

function listOf(sums: readonly Sum[], { slice: { limit, offset } }: ListedMetric): Result<Sum> {
  const found = sums.filter((row) => row.f_x !== '' && row.f_visitors! > 0).sort(byVisitors)
  return { rows: found.slice(offset, offset + limit), total: found.length }
}

const keyOfRow = ({ f_x, f_country }: PartialRow): string => JSON.stringify([f_x, f_country])

/** Whether a row's strings are ambiguous: different strings may look equal if their bytes are not valid UTF-8. */
const isUnclear = ({ f_x = '', f_country = '' }: PartialRow): boolean => `${f_x}${f_country}`.includes('\ufffd')

function sumOf(rows: readonly PartialRow[], figures: readonly FigureName[], atMost: number): Sum {
  const { f_x, f_country } = rows[0]!
  const numbers = figures.map((name) => {
    const value =
      name === 'countries'
        ? new Set(rows.flatMap(({ f_countries = [] }) => f_countries)).size
        : rows.reduce((sum, row) => sum + row[`f_${name}`]!, 0)
    return [`f_${name}`, Math.min(value, atMost)]
  })
  return {
    ...(f_x !== undefined && { f_x }),
    ...(f_country !== undefined && { f_country }),
    ...Object.fromEntries(numbers),
  }
}

/**
 * The order of a list: most visitors first, then most visits (if counted), then by the bytes of the value, then by
 * those of the country.
 */
const byVisitors = (one: Sum, other: Sum): number =>
  other.f_visitors! - one.f_visitors! ||
  (other.f_visits ?? 0) - (one.f_visits ?? 0) ||
  compareText(one.f_x!, other.f_x!) ||
  compareText(one.f_country ?? '', other.f_country ?? '')

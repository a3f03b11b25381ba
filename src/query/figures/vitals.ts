import type { Selection } from '../language/scope.ts'
import { type Fragment, sql } from '../language/sql.ts'
import { rows } from '../tables/rows.ts'
import { webVitals } from '../tables/tables.ts'
import { unfiltered, viewConditions } from '../tables/views.ts'

/** The measures of web vitals, and their columns. */
export const vitalColumns = { lcp: sql`lcp`, inp: sql`inp`, cls: sql`cls`, fcp: sql`fcp`, ttfb: sql`ttfb` } as const

export type Vital = keyof typeof vitalColumns

export const vitals = Object.keys(vitalColumns) as Vital[]

/** `from … where …` for the shown web vitals that pass the request's filters. */
export const selectedVitals = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment =>
  rows(webVitals, unfiltered(selection), [...viewConditions(selection), ...conditions])

/** Whether a row has the measure. */
export const hasVital = (vital: Vital): Fragment =>
  sql`isNotNull(${vitalColumns[vital]}) and isFinite(${vitalOf(vital)})`

/** The value of the measure in rows that have it. */
export const vitalOf = (vital: Vital): Fragment => sql`assumeNotNull(${vitalColumns[vital]})`

/** The 50th, 75th and 95th percentiles, interpolated between values. */
export const percentilesOf = (value: Fragment): Fragment => sql`quantilesExactInclusive(0.5, 0.75, 0.95)(${value})`

/** The percentiles of the measure over any rows; zeros if no row has it. */
export const percentilesOrZeros = (vital: Vital): Fragment => sql`if(
  countIf(${hasVital(vital)}) = 0, [0, 0, 0],
  quantilesExactInclusiveIf(0.5, 0.75, 0.95)(${vitalOf(vital)}, ${hasVital(vital)}))`

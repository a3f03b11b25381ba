import type { Section } from '../../src/access/opening.ts'
import type { Table } from '../../src/query/tables/tables.ts'
import type { Posted } from '../oracle/reports.ts'
import type { LongRanges } from './long-ranges.ts'
import type { Row } from './may.ts'
import { type Oracle, postOracle } from './oracles.ts'

/** What tests need to know about an endpoint in addition to its declaration. */
interface Facts {
  /** The permissions, as a row of `may.ts` that is chosen by hand. */
  readonly may: Row
  /** Umami's official client lacks this endpoint. */
  readonly isOurOwn?: true
  /** Marks a GET about a website whose answer contains only numbers and times, or is compressed. */
  readonly holdsNoText?: true
}

/** What tests need to know about a report. */
export interface ReportFacts extends Facts {
  /** The sections, chosen by hand. Any one of them opens the example to shares and the public. */
  readonly openedBy?: readonly Section[]
  /** Another report with the same statements, and therefore the same oracle and tables. */
  readonly like?: string
  /** The oracle that computes its expected answer. */
  readonly oracle?: Oracle
  /** The test file below `test` with hand-written example answers. */
  readonly meaning?: string
  /** The report's statements may use 2 GiB of memory in ClickHouse, since its declaration has `analysis`. */
  readonly isAnalysis?: true
  readonly takesNoFilters?: true
  /** For a report about the current time, the earliest time that it reads, in milliseconds. */
  readonly looksBack?: (now: number) => number
  /** The combinations of tables that answer it. A sweep over ranges must use all of them. */
  readonly tables?: readonly (readonly Table[])[]
  /** Questions over long ranges, if a table of hours or days answers the report. */
  readonly longRanges?: LongRanges
  /** The table that answers `longRanges.sure`, if other than `hourly_visits`. */
  readonly longTable?: Table
}

export type FactsByName = Readonly<Record<string, ReportFacts>>

/** A report that any of these sections opens. `meaning` is the name of its test in `test/endpoints`. */
export const report = (
  openedBy: readonly Section[],
  meaning: string,
  oracle: Oracle,
  more: Partial<ReportFacts> = {},
): ReportFacts => ({ may: 'view', openedBy, oracle, meaning: `endpoints/${meaning}.test.ts`, ...more })

/** Weir's own POST report of this type, which computes the same as a GET. */
export const byPost = (openedBy: readonly Section[], meaning: string, type: Posted, like: string): ReportFacts =>
  report(openedBy, meaning, postOracle(type), { isOurOwn: true, like, isAnalysis: true })

import type { Section } from '../../src/access/opening.ts'
import type { Table } from '../../src/query/tables/tables.ts'
import type { Posted } from '../oracle/reports.ts'
import type { LongRanges } from './long-ranges.ts'
import type { Row } from './may.ts'
import { type Oracle, postOracle } from './oracles.ts'

/** What tests must know about an endpoint beyond its declaration. */
interface Facts {
  /** The permissions: a row of `may.ts`, chosen by hand. */
  readonly may: Row
  /** Umami's official client does not have it. */
  readonly isOurOwn?: true
  /** A GET about a website whose answer has only numbers and times, or is compressed. */
  readonly holdsNoText?: true
}

/** What tests must know about a report. */
export interface ReportFacts extends Facts {
  /** The sections that open its example to shares and the public, chosen by hand. One of them is enough. */
  readonly openedBy?: readonly Section[]
  /** Another report with the same statements: it has the same oracle and reads the same tables. */
  readonly like?: string
  /** The oracle that computes its expected answer. */
  readonly oracle?: Oracle
  /** The test file below `test` with hand-written examples of its answers. */
  readonly meaning?: string
  /** The report's statements may use 2 GiB in ClickHouse: its declaration has `analysis`. */
  readonly isAnalysis?: true
  readonly takesNoFilters?: true
  /** For a report about the present: the earliest time that it reads, in milliseconds. */
  readonly looksBack?: (now: number) => number
  /** The combinations of tables that answer it; a sweep over ranges must meet all of them. */
  readonly tables?: readonly (readonly Table[])[]
  /** Questions over long ranges, if a table of hours or days answers it. */
  readonly longRanges?: LongRanges
  /** The table that answers `longRanges.sure`, if it is not `hourly_visits`. */
  readonly longTable?: Table
}

export type FactsByName = Readonly<Record<string, ReportFacts>>

/** A report that any of these sections opens; `meaning` is the name of its test in `test/endpoints`. */
export const report = (
  openedBy: readonly Section[],
  meaning: string,
  oracle: Oracle,
  more: Partial<ReportFacts> = {},
): ReportFacts => ({ may: 'view', openedBy, oracle, meaning: `endpoints/${meaning}.test.ts`, ...more })

/** Our POST report of this type, which computes the same as a GET. */
export const byPost = (openedBy: readonly Section[], meaning: string, type: Posted, like: string): ReportFacts =>
  report(openedBy, meaning, postOracle(type), { isOurOwn: true, like, isAnalysis: true })

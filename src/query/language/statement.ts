import type * as z from 'zod'
import { type Bound, type Fragment, sql } from './sql.ts'

/** The rows returned by a statement. `total` is the number of rows before its limit. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** A complete statement and the schema of its rows. */
export interface Statement<Row> {
  readonly body: Fragment
  readonly row: () => z.ZodType<Row>
  /** Cheaper statements, in the order in which to try them. */
  readonly cheaper?: readonly CheaperStatement<Row>[]
  /** Selects the statement's rows for an export, in an order that needs no sorting. */
  readonly streamed?: Fragment
  /** What an isolate needs to know about the website before it can use a cheaper statement. */
  readonly wants?: Inquiry
  /** The possible sources of the figures, best first. The last one is used. */
  readonly sources?: readonly Source[]
}

/** A source of figures. `refused` is a sentence that says why it is not used. */
export interface Source {
  readonly source: 'sealed hours' | 'hours' | 'events'
  readonly refused?: string
}

/**
 * Cheaper statements that run first, all at the same time. `result` converts their rows to the whole statement's
 * result. If it returns undefined, they are insufficient.
 */
export interface CheaperStatement<Row> {
  /** Each of these runs once, even if several statements in a plan refer to it. */
  readonly statements: readonly Statement<unknown>[]
  /** Sent once the statements have returned their rows. The result is used only if every check holds. */
  readonly checks?: readonly Statement<{ readonly holds: number }>[]
  readonly result: (results: readonly Result<never>[]) => Result<Row> | undefined
  /**
   * Set if the cheaper statements are often insufficient, to estimate the price: the minimum number of rows that they
   * need, and whether that depends on a filter.
   */
  readonly needs?: { readonly rows: number; readonly isUnsure: boolean }
  /** If these statements were insufficient, plans leave out cheaper statements with this name for a minute. */
  readonly name?: string
}

/** A preparatory query on which a plan depends. */
export interface Inquiry {
  /** Plans that need the same query have the same key. */
  readonly key: string
  readonly statement: Statement<unknown>
  /** How long an isolate remembers the result, in milliseconds. */
  readonly lasts: (found: Result<never>) => number
  /** If given, the query is sent only after a statement with this key has read at least this many rows. */
  readonly once?: { readonly key: string; readonly rows: number }
}

/** A report's statements, by name. `shape` receives their results under the same names. */
export type Plan<Rows> = { readonly [Name in keyof Rows]: Statement<Rows[Name]> }

/** A plan's results, by statement name. */
export type Results<Rows> = { readonly [Name in keyof Rows]: Result<Exclude<Rows[Name], undefined>> }

/** `select(Row)` creates a statement whose rows have the schema `Row`. */
export const select =
  <Row>(row: () => z.ZodType<Row>) =>
  (strings: TemplateStringsArray, ...parts: readonly (Bound | Fragment)[]): Statement<Row> => ({
    body: sql(strings, ...parts),
    row,
  })

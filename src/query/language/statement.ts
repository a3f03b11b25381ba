import type * as z from 'zod'
import { type Bound, type Fragment, sql } from './sql.ts'

/** The rows of a statement; `total` counts the rows before its limit. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** A complete statement and the schema of its rows. */
export interface Statement<Row> {
  readonly body: Fragment
  readonly row: () => z.ZodType<Row>
  /** Tried in this order. */
  readonly cheaper?: readonly CheaperStatement<Row>[]
  /** The statement's rows for an export, in an order that needs no sorting. */
  readonly streamed?: Fragment
  /** The data about the website that an isolate needs for a cheaper statement. */
  readonly wants?: Inquiry
  /** The possible sources of the figures, best first; the last source answers. */
  readonly sources?: readonly Source[]
}

/** A source of figures. `refused` is a readable reason why it does not answer. */
export interface Source {
  readonly source: 'sealed hours' | 'hours' | 'events'
  readonly refused?: string
}

/**
 * Cheaper statements that run first, all at once. `result` turns their rows into the whole statement's result. If it
 * returns undefined, they do not answer.
 */
export interface CheaperStatement<Row> {
  /** Each runs once, even if several statements of a plan name it. */
  readonly statements: readonly Statement<unknown>[]
  /** Sent once the statements have answered. Their result counts only if each check holds. */
  readonly checks?: readonly Statement<{ readonly holds: number }>[]
  readonly result: (results: readonly Result<never>[]) => Result<Row> | undefined
  /**
   * For the price, if the cheaper statement often does not suffice: the minimum number of rows that it needs, and
   * whether that depends on a filter.
   */
  readonly needs?: { readonly rows: number; readonly isUnsure: boolean }
  /** If the cheaper statements did not answer, plans omit those of this name for a minute. */
  readonly name?: string
}

/** A preparatory question that a plan depends on. */
export interface Inquiry {
  /** Plans with the same question share a key. */
  readonly key: string
  readonly statement: Statement<unknown>
  /** How long an isolate keeps the result, in milliseconds. */
  readonly lasts: (found: Result<never>) => number
  /** If given, the question is asked only after a statement with this key has read at least this many rows. */
  readonly once?: { readonly key: string; readonly rows: number }
}

/** The statements of a report, by name; `shape` gets their results under the same names. */
export type Plan<Rows> = { readonly [Name in keyof Rows]: Statement<Rows[Name]> }

/** The results of a plan, by statement name. */
export type Results<Rows> = { readonly [Name in keyof Rows]: Result<Exclude<Rows[Name], undefined>> }

/** `select(Row)` makes a statement whose rows have the schema `Row`. */
export const select =
  <Row>(row: () => z.ZodType<Row>) =>
  (strings: TemplateStringsArray, ...parts: readonly (Bound | Fragment)[]): Statement<Row> => ({
    body: sql(strings, ...parts),
    row,
  })

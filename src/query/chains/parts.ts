import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import type { Buckets } from '../../request/series.ts'
import { namedAs, type SelectedColumn } from '../language/named-columns.ts'
import { all, type Fragment, sql, uint8, union } from '../language/sql.ts'
import { type Statement, select } from '../language/statement.ts'
import type { ChainedField, DailyField } from '../tables/chained-fields.ts'
import type { Notes } from './notes.ts'
import type { Chain, Sealed } from './rows.ts'

/**
 * The figures that can be counted. A visitor is a session; `length` is the duration of visits in milliseconds. In a
 * part's rows, `countries` contains hashes of names.
 */
export type FigureName = 'views' | 'visitors' | 'visits' | 'bounces' | 'length' | 'countries' | 'customs'

/** Whether the number of visitors is the only figure. */
export const areVisitors = (figures: readonly FigureName[]): boolean => figures.every((name) => name === 'visitors')

/**
 * A part of an answer. The rows of all parts have the same columns: keys, which are strings, and figures, which are
 * added up.
 */
export interface ChainPart {
  readonly columns: readonly SelectedColumn[]
  /** `from …`, including its grouping. */
  readonly from: Fragment
  /** The chains whose rows the part reads. */
  readonly chains: readonly Chain[]
  /**
   * A condition that is true of every row of a correct part. If there are no rows, it is unknown whether the part is
   * correct.
   */
  readonly isSure?: Fragment
}

/** Converts a figure to the type that all parts use, so that figures can be added. */
export const amount = (of: Fragment): Fragment => sql`toInt64(${of})`

/** The number of distinct sessions or visits that these keys identify. */
export const distinct = (key: Fragment): Fragment => amount(sql`uniqExact(${key})`)

/** A part that is reduced to its keys and these figures. */
export const onlyFigures = ({ columns, ...part }: ChainPart, figures: readonly string[]): ChainPart => ({
  ...part,
  columns: columns.filter(([name]) => ['x', 'country', ...figures].includes(name)),
})

/**
 * A question that chains may be able to answer: figures about views, or about actions, which are views and custom
 * events.
 */
export interface ChainQuestion {
  readonly of: 'views' | 'actions'
  readonly figures: readonly FigureName[]
  /** How the figures are broken down; undefined for totals. */
  readonly by?: By | undefined
}

export type By =
  | { readonly kind: 'bucket'; readonly buckets: Buckets }
  | { readonly kind: 'hour of week'; readonly zone: string }
  | OfClient
  | { readonly kind: 'view'; readonly field: ChainedField; readonly ofViews: Fragment }
  | OfVisit

/** A breakdown by a value that describes the visitor. */
export interface OfClient {
  readonly kind: 'client'
  readonly field: Field
  /** An expression over an event or a row of hours. */
  readonly value: Fragment
  /** Whether equal values in different countries are counted separately. */
  readonly byCountry: boolean
}

/**
 * A breakdown by a value of a visit's first or last view. It is given as a column in rows of hours and as an expression
 * over a view.
 */
export interface OfVisit {
  readonly kind: 'landing' | 'exit'
  readonly ofHours: Fragment
  readonly ofViews: Fragment
}

/** The kind of statement that chains replace; see `leastViews`. */
export type CostClass = 'visits' | 'paths' | 'values' | 'ids' | 'keys'

/** How chains answer a question: as parts, which are added up. */
export interface ChainAnswer {
  readonly sealed: Sealed
  readonly cost: CostClass
  /**
   * Columns whose values must not change within a session on these days, in addition to the columns that filters read.
   */
  readonly reads: readonly Field[]
  readonly parts: (notes: Notes) => readonly ChainPart[]
}

/** The chains for a range, and its unsealed ends. */
export interface Chains {
  readonly sealed: Sealed
  /** Rows of hours with views. With filters on paths, `passes` means that at least one of the views passes. */
  readonly views: Chain
  /** Rows of hours with views or custom events. `passes` has the same meaning here. */
  readonly actions: Chain
  /** Rows of values. With filters on paths, only the rows of paths that pass. */
  readonly values: (field: ChainedField) => Chain
  /** Rows of days; undefined if rows of hours are used. */
  readonly days: ((...fields: readonly DailyField[]) => Chain) | undefined
}

/** A row of a part. */
export const PartRow = () =>
  z.object({
    f_x: z.string().optional(),
    f_country: z.string().optional(),
    f_views: z.number().optional(),
    f_visitors: z.number().optional(),
    f_visits: z.number().optional(),
    f_bounces: z.number().optional(),
    f_length: z.number().optional(),
    f_countries: z.array(z.string()).optional(),
    f_customs: z.number().optional(),
    isSure: z.number(),
  })

/** Selects a part's rows. `tail` follows the grouping. */
export const apart = (
  { columns, from, isSure }: ChainPart,
  tail: Fragment,
  ...conditions: readonly Fragment[]
): Fragment => sql`select ${namedAs(columns)}, toUInt8(${all(isSure, ...conditions)}) as isSure ${from} ${tail}`

/**
 * `from …` for the rows of all parts, with the columns `f_of_NAME` and `isSure`. `isJudged` says whether the part has a
 * condition `isSure`.
 */
export const unionOfParts = (parts: readonly ChainPart[]): Fragment =>
  sql`from ${union(
    parts.map(({ columns, from, isSure }) => {
      const judged = sql`toUInt8(${all(isSure)}) as isSure, ${uint8(isSure ? 1 : 0)} as isJudged`
      return sql`select ${namedAs(columns, 'of_')}, ${judged} ${from}`
    }),
  )}`

const Check = () => z.object({ holds: z.number() })

/** Returns one statement for each condition, which evaluates the condition. */
export const checks = (conditions: readonly Fragment[]): readonly Statement<ValueOf<typeof Check>>[] =>
  conditions.map((condition) => select(Check)`select toUInt8(${condition}) as holds`)

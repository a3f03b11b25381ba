import { literal } from '../engine/literal.ts'
import type { Cursor, Span } from './source.ts'

/** The order of a page: expressions with their types. */
export type Order = readonly (readonly [expression: string, type: string])[]

export const inOrder = (order: Order): string => `ORDER BY ${order.map(([expression]) => expression).join(', ')}`

export const listOf = (ids: readonly string[]): string => ids.map(literal).join(', ') || 'NULL'

/** A condition on the time of a row. `DateTime` stores whole seconds, up to 2106. */
export const isIn = ({ from, until }: Span): string => `created_at >= ${second(from)} AND created_at < ${second(until)}`

const second = (instant: number): string =>
  `toDateTime(${Math.max(0, Math.min(Math.ceil(instant / 1000), 2 ** 32 - 1))}, 'UTC')`

/** Conditions for rows after a cursor. The first condition lets the server skip earlier rows. */
export function behind(order: Order, cursor: Cursor): readonly string[] {
  const values = order.map(([, type], place) => `CAST(${literal(cursor[place]!)} AS ${type})`)
  const expressions = order.map(([expression]) => expression)
  return [`${expressions[0]} >= ${values[0]}`, `(${expressions.join(', ')}) > (${values.join(', ')})`]
}

import { alias, commaList, type Fragment, sql } from './sql.ts'

/** Columns of a select under names that no table has: `f_NAME`. */

export type SelectedColumn = readonly [name: string, value: Fragment]

/** The values of keys and figures, by name. */
export type NamedColumns = Readonly<Record<string, Fragment>>

/** The columns in an order that depends only on their names. */
export const columnsOf = (columns: NamedColumns): readonly SelectedColumn[] =>
  Object.entries(columns).sort(([one], [other]) => (one < other ? -1 : 1))

/** `VALUE as f_NAME, …` */
export const namedAs = (columns: readonly SelectedColumn[], prefix = ''): Fragment =>
  commaList(columns.map(([name, value]) => sql`${value} as ${alias(prefix + name)}`))

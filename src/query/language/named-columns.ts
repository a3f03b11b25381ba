import { alias, commaList, type Fragment, sql } from './sql.ts'

/** Columns of a select, named `f_NAME`, which no table uses as a column name. */

export type SelectedColumn = readonly [name: string, value: Fragment]

/** The values of keys and figures, by name. */
export type NamedColumns = Readonly<Record<string, Fragment>>

/** Sorts the columns by name, so that their order does not depend on anything else. */
export const columnsOf = (columns: NamedColumns): readonly SelectedColumn[] =>
  Object.entries(columns).sort(([one], [other]) => (one < other ? -1 : 1))

/** Formats columns as `VALUE as f_NAME, …`. */
export const namedAs = (columns: readonly SelectedColumn[], prefix = ''): Fragment =>
  commaList(columns.map(([name, value]) => sql`${value} as ${alias(prefix + name)}`))

import type { Slice } from '../../request/page.ts'
import { ascending, descending, order, slice } from '../language/order.ts'
import type { Scope } from '../language/scope.ts'
import { alias, aliasName, commaList, type Fragment, having, sql } from '../language/sql.ts'
import { type CheaperStatement, type Result, type Statement, select } from '../language/statement.ts'
import { anyContains } from '../language/text.ts'
import type { ListSource, Row } from './list.ts'

/** The input that every counted list has. */
interface SliceInput {
  readonly slice: Slice
  readonly search: string | undefined
}

/** An item of the list, keyed by column name, before equal items are added up. */
export type Item = Readonly<Record<string, string | number>>

/** Cheaper statements that return the items in any order. Equal items have not been added up yet. */
type CheaperItems = (toResult: (items: readonly Item[]) => Result<Row>) => readonly CheaperStatement<Row>[]

export interface CountedRows {
  /** `from …` for the rows to be grouped. */
  readonly from: Fragment
  /**
   * A cheaper way to create the same list, without `group by`. Not used with a search, because only ClickHouse can
   * search strings.
   */
  readonly cheaper?: CheaperItems
}

interface CountedListDeclaration<Own> {
  readonly rows: (input: Own, scope: Scope) => CountedRows
  /** The sort order: every column that the list is grouped by, and the count, highest first. */
  readonly by: readonly string[]
  /** The name of the count column; `total` by default. */
  readonly count?: string
  /** The text columns that are searched. */
  readonly searched: readonly string[]
  /**
   * A column that is not grouped by. It contains the number with the highest count in the group, or the smallest such
   * number if there are several.
   */
  readonly commonest?: string
  /** Whether a group's counts may add up to 0, as in tables of counts. */
  readonly mayBeNothing?: true
}

/** A counted list as a bare array: the requested slice, and the total number of items. */
export function countedList<Own extends object>(
  declared: CountedListDeclaration<Own>,
): ListSource<SliceInput & Own, { list: Row }, 'array'> {
  const { rows, by, count = 'total', searched, mayBeNothing } = declared
  const groups = by.filter((name) => name !== count)
  const keys = by.map((name) => (name === count ? descending(alias(name)) : ascending(alias(name))))
  return {
    reads: [],
    envelope: 'array',
    plan(selectList, input, scope) {
      const { from, cheaper } = rows(input, scope)
      const isFound = anyContains(input.search, ...searched.map(alias))
      const statement: Statement<Row> = select(selectList.row)`
        select ${selectList.columns}
        ${from}
        group by ${commaList(groups.map(alias))}
        ${having(mayBeNothing && sql`${alias(count)} > 0`, isFound)}
        ${slice(order(keys), input.slice)}`
      if (isFound || !cheaper) return { list: statement }
      return { list: { ...statement, cheaper: cheaper((items) => addUp(items, declared, input.slice)) } }
    },
    shape: ({ list }, _input, item) => ({ body: list.rows.map(item), total: list.total }),
    exported: ({ list }) => ({ rows: list.body }),
  }
}

/** The value of `expression` with the highest sum of `counts`, or the smallest such value if there are several. */
export const commonestOf = (expression: Fragment, counts: Fragment): Fragment => {
  // The map's keys are in ascending order.
  const sums = sql`sumMap(map(${expression}, ${counts}))`
  return sql`mapKeys(${sums})[indexOf(mapValues(${sums}), arrayMax(mapValues(${sums})))]`
}

/** Adds up items that differ only in their totals, sorts them in the list's order and takes the slice. */
function addUp(
  items: readonly Item[],
  { by, commonest }: Pick<CountedListDeclaration<never>, 'by' | 'commonest'>,
  { limit, offset }: Slice,
): Result<Row> {
  const groups = by.filter((name) => name !== 'total')
  const more = commonest === undefined ? [] : [commonest]
  const parts = summed(items, [...groups, ...more])
  if (commonest !== undefined) {
    // The most frequent item comes last, so its value is the one that remains.
    parts.sort(
      (one, other) => Number(one.total) - Number(other.total) || Number(other[commonest]) - Number(one[commonest]),
    )
  }
  const ordered = summed(parts, groups).sort((one, other) => {
    const name = by.find((each) => one[each] !== other[each])
    return name && one[name]! < other[name]! === (name !== 'total') ? -1 : 1
  })
  const columns = [...by, 'total', ...more]
  const rows = ordered
    .slice(offset, offset + limit)
    .map((item) => Object.fromEntries(columns.map((name) => [aliasName(name), item[name]])))
  return { rows, total: ordered.length }
}

/** One item for each group, with the sum of its totals. Other columns come from the last item in the group. */
function summed(items: readonly Item[], groups: readonly string[]): Item[] {
  const sums = new Map<string, Item>()
  for (const item of items) {
    const key = JSON.stringify(groups.map((name) => item[name]))
    sums.set(key, { ...item, total: Number(item.total) + Number(sums.get(key)?.total ?? 0) })
  }
  return [...sums.values()]
}

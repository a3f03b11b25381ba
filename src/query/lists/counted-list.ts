import type { Slice } from '../../request/page.ts'
import { ascending, descending, order, slice } from '../language/order.ts'
import type { Scope } from '../language/scope.ts'
import {
  alias,
  aliasName,
  type CheaperStatement,
  commaList,
  type Fragment,
  having,
  type Result,
  type Statement,
  select,
  sql,
} from '../language/sql.ts'
import { anyContains } from '../language/text.ts'
import type { ListSource, Row } from './list.ts'

/** The input of every counted list. */
interface SliceInput {
  readonly slice: Slice
  readonly search: string | undefined
}

/** An item of the list, by the names of its columns, before equal items are added up. */
export type Item = Readonly<Record<string, string | number>>

/** A cheaper statement, and the items that its rows stand for: in any order, equal items not yet added up. */
type CheaperItems = (toResult: (items: readonly Item[]) => Result<Row>) => CheaperStatement<Row>

/** The rows of a counted list. */
export interface CountedRows {
  /** `from …`: the rows that are grouped. */
  readonly from: Fragment
  /** A way to make the same list without `group by`. Not used with a search: only ClickHouse compares texts. */
  readonly cheaper?: CheaperItems
}

interface CountedListDeclaration<Own> {
  readonly rows: (input: Own, scope: Scope) => CountedRows
  /** The order of the list: every column that it groups by, and the count, highest first. */
  readonly by: readonly string[]
  /** The column of the count; `total` where it is not named. */
  readonly count?: string
  /** The columns of texts that a search looks through. */
  readonly searched: readonly string[]
  /** Whether the counts of a group may add up to 0, as in tables of counts. */
  readonly mayBeNothing?: true
}

/** A counted list as a bare array: the requested slice, and the number of all items. */
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
      return { list: { ...statement, cheaper: cheaper((items) => addUp(items, by, input.slice)) } }
    },
    shape: ({ list }, _input, item) => ({ body: list.rows.map(item), total: list.total }),
    exported: ({ list }) => ({ rows: list.body }),
  }
}

/** Adds up items that differ only in their total, orders them as the list does, and takes the slice. */
function addUp(items: readonly Item[], by: readonly string[], { limit, offset }: Slice): Result<Row> {
  const sums = new Map<string, Item>()
  for (const item of items) {
    const key = JSON.stringify(by.map((name) => name !== 'total' && item[name]))
    const total = Number(item.total) + Number(sums.get(key)?.total ?? 0)
    sums.set(key, { ...item, total })
  }
  const ordered = [...sums.values()].sort((one, other) => {
    const name = by.find((each) => one[each] !== other[each])
    return name && one[name]! < other[name]! === (name !== 'total') ? -1 : 1
  })
  const rows = ordered.slice(offset, offset + limit).map((item) => rowOf(item, by))
  return { rows, total: ordered.length }
}

const rowOf = (item: Item, by: readonly string[]): Row =>
  Object.fromEntries([...by, 'total'].map((name) => [aliasName(name), item[name]]))

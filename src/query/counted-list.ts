import type { Slice } from '../request/page.ts'
import type { ListSource, Row } from './list.ts'
import { ascending, descending, order, slice } from './order.ts'
import type { Scope } from './scope.ts'
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
} from './sql.ts'
import { anyContains } from './text.ts'

/** What every counted list reads of a request. */
interface SliceInput {
  readonly slice: Slice
  readonly search: string | undefined
}

/** What is counted before equal items are added up: an item of the list, by the names of its columns. */
export type Item = Readonly<Record<string, string | number>>

/** A cheaper statement, and what its rows mean: items of the list, in any order, equal ones not added up yet. */
type CheaperItems = (toResult: (items: readonly Item[]) => Result<Row>) => CheaperStatement<Row>

/** The rows of a counted list. */
export interface CountedRows {
  /** `from …`: the rows that are grouped. */
  readonly from: Fragment
  /** How the same list is made without a group by. A search needs ClickHouse, which alone compares texts. */
  readonly cheaper?: CheaperItems
}

interface CountedListDeclaration<Own> {
  readonly rows: (input: Own, scope: Scope) => CountedRows
  /** The columns that the list is ordered by: all that it groups by, and the one of the count, highest first. */
  readonly by: readonly string[]
  /** The column of the count; `total` where it is not named. */
  readonly count?: string
  /** The columns of texts that a search looks through. */
  readonly searched: readonly string[]
  /** Whether the counts of a group may add up to nothing, as those of a table of counts may. */
  readonly mayBeNothing?: true
}

/** A list of what is counted, as a bare array: the slice that was asked for, and how many items there are. */
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

/** Items that differ in nothing but their total as one, in the order of the list; and sliced. */
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

import type { Slice } from '../request/page.ts'
import type { ListSource, Row } from './list.ts'
import { ascending, descending, order, slice } from './order.ts'
import type { Scope } from './scope.ts'
import {
  alias,
  aliased,
  commaList,
  type Fragment,
  having,
  type Result,
  type Shortcut,
  type Statement,
  select,
  sql,
} from './sql.ts'
import { anyContains } from './text.ts'

/** What every counted list reads of a request. */
interface Asked {
  readonly slice: Slice
  readonly search: string | undefined
}

/** What is counted before equal items are added up: an item of the list, by the names of its columns. */
export type Item = Readonly<Record<string, string | number>>

/** A cheaper statement, and what its rows mean: items of the list, in any order, equal ones not added up yet. */
export type FromItems = (toResult: (items: readonly Item[]) => Result<Row>) => Shortcut<Row>

interface Counted<Own> {
  /** `from …`: the rows that are grouped. */
  readonly rows: (input: Own, scope: Scope) => Fragment
  /** The columns that the list is ordered by: all that it groups by, and `total`, highest first. */
  readonly by: readonly string[]
  /** The columns of texts that a search looks through. */
  readonly searched: readonly string[]
  /** Whether the counts of a group may add up to nothing, as those of a table of counts may. */
  readonly mayBeNothing?: true
  /** How the same list is made without a group by. A search needs ClickHouse, which alone compares texts. */
  readonly shortcut?: (input: Own, scope: Scope) => FromItems
}

/** A list of what is counted, as a bare array: the slice that was asked for, and how many items there are. */
export function counted<Own extends object>(declared: Counted<Own>): ListSource<Asked & Own, { list: Row }, 'array'> {
  const { rows, by, searched, mayBeNothing, shortcut } = declared
  const groups = by.filter((name) => name !== 'total')
  const keys = by.map((name) => (name === 'total' ? descending(alias(name)) : ascending(alias(name))))
  return {
    reads: [],
    envelope: 'array',
    plan(selected, input, scope) {
      const found = anyContains(input.search, ...searched.map(alias))
      const statement: Statement<Row> = select(selected.row)`
        select ${selected.columns}
        ${rows(input, scope)}
        group by ${commaList(groups.map(alias))}
        ${having(mayBeNothing && sql`${alias('total')} > 0`, found)}
        ${slice(order(keys), input.slice)}`
      const cheaper = found ? undefined : shortcut?.(input, scope)
      return {
        list: cheaper ? { ...statement, shortcut: cheaper((items) => added(items, by, input.slice)) } : statement,
      }
    },
    shape: ({ list }, _input, item) => ({ body: list.rows.map(item), total: list.total }),
    exported: ({ list }) => ({ rows: list.body }),
  }
}

/** Items that differ in nothing but their total as one, in the order of the list; and sliced. */
function added(items: readonly Item[], by: readonly string[], { limit, offset }: Slice): Result<Row> {
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
  Object.fromEntries([...by, 'total'].map((name) => [aliased(name), item[name]]))

import type { Sql, Store } from './store.ts'

/** The searched text and the page of a list with a fixed order. */
export interface ListPart {
  readonly search: string
  readonly limit: number
  readonly offset: number
}

export interface ListOptions<Order extends string> extends ListPart {
  readonly orderBy: Order
  readonly descending: boolean
}

export interface Page<Item> {
  /** The number of all rows, regardless of limit and offset. */
  readonly count: number
  readonly data: readonly Item[]
  /** Whether the rows are too large for one answer; `data` is then empty. */
  readonly isTooLarge: boolean
}

/** The most bytes in the `large` column of a page, in all rows together: 20 rows fit, even with the largest bodies. */
const mostBytes = 2_500_000

/**
 * Counts the rows and reads a page in one round trip. `from` is `FROM … WHERE …`; `order` has to end in a unique
 * column. `large` is a column with possibly long texts. A page with more than `mostBytes` in it is not read. `itemOf`
 * turns a row into an item.
 */
export async function readPage<Row, Item>(
  store: Store,
  { columns, from, order, large }: { columns: string; from: string; order: string; large?: 'parameters' },
  values: Sql extends readonly [string, ...infer Values] ? Values : never,
  { limit, offset }: { limit: number; offset: number },
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const part = `ORDER BY ${order} LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`
  const fits = large
    ? `AND (SELECT total(bytes) FROM (SELECT octet_length(${large}) AS bytes ${from} ${part})) <= ${mostBytes}`
    : ''
  const [counted, rows] = await store.reads<Row & { count: number }>(
    [`SELECT count(*) AS count ${from}`, ...values],
    [`SELECT ${columns} ${from} ${fits} ${part}`, ...values, limit, offset],
  )
  const { count } = counted![0]!
  return { count, data: rows!.map(itemOf), isTooLarge: rows!.length === 0 && limit > 0 && offset < count }
}

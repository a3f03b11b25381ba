import type { Sql, Store } from './store.ts'

/** The search text and the requested page of a list with a fixed order. */
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
  /** The total number of rows, regardless of limit and offset. */
  readonly count: number
  readonly data: readonly Item[]
  /** Whether the rows are too large for one answer, in which case `data` is empty. */
  readonly isTooLarge: boolean
}

/**
 * The maximum total size of a page's values in the `large` column, in bytes. 20 rows with the largest bodies still fit.
 */
const mostBytes = 2_500_000

/**
 * Counts the rows and reads a page in one round trip. `from` is `FROM … WHERE …`; `order` must end with a unique
 * column. `large` is a column that may contain long texts. If a page has more than `mostBytes` in that column, it is
 * not read. `itemOf` converts a row to an item.
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

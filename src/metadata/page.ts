import type { Sql, Store } from './store.ts'

/** The searched text and the page of a list whose order is fixed. */
export interface ListPart {
  readonly search: string
  readonly limit: number
  readonly offset: number
}

/** The page and the order of a list. */
export interface ListOptions<Order extends string> extends ListPart {
  readonly orderBy: Order
  readonly descending: boolean
}

export interface Page<Item> {
  /** The number of all rows, regardless of limit and offset. */
  readonly count: number
  readonly data: readonly Item[]
}

/**
 * Counts the rows and reads a page in one round trip. `from` is `FROM … WHERE …`; `order` has to end in a unique
 * column.
 */
export async function readPage<Row>(
  store: Store,
  statement: { columns: string; from: string; order: string },
  values: Sql extends readonly [string, ...infer Values] ? Values : never,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Row>> {
  const [counted, rows] = await store.reads<Row & { count: number }>(
    [`SELECT count(*) AS count ${statement.from}`, ...values],
    [
      `SELECT ${statement.columns} ${statement.from} ORDER BY ${statement.order} LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`,
      ...values,
      limit,
      offset,
    ],
  )
  return { count: counted![0]!.count, data: rows! }
}

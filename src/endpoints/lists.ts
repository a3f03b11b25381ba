import * as z from 'zod'
import { invalid } from '../errors.ts'
import type { ValueOf } from '../made.ts'
import type { ListOptions, Page } from '../metadata/page.ts'
import { pageSchema } from '../query/lists/list.ts'
import { sortDescending } from '../request/common.ts'
import { maxResults, pageNumber, pageSize } from '../request/page.ts'
import { freeText, type Group, group, oneOf, type Values } from '../request/query-string.ts'
import type { ActionAnswer } from './endpoint.ts'

/** The requested page and order of a list; `orderBy` and `descending` are undefined if omitted. */
export interface ListRequest<Order extends string> {
  readonly page: number
  readonly pageSize: number
  readonly maxResults: number | undefined
  readonly search: string
  readonly orderBy: Order | undefined
  readonly defaultOrder: Order
  readonly descending: boolean | undefined
}

const pageParameters = (search: string) => ({ page: pageNumber, pageSize, maxResults, search: freeText(search) })

const pageOf = ({ page = 1, pageSize = 20, maxResults, search = '' }: Values<ReturnType<typeof pageParameters>>) => ({
  page,
  pageSize,
  maxResults,
  search,
})

/**
 * The parameters for a list of metadata. `search` describes the searched fields; the first of `orders` is the default.
 */
export const listGroup = <const Order extends string>(
  search: string,
  orders: readonly [Order, ...Order[]],
): Group<{ list: ListRequest<Order> }> =>
  group(
    {
      ...pageParameters(search),
      orderBy: oneOf(`The field to order by; ${orders[0]} by default.`, orders),
      sortDescending,
    },
    ({ orderBy, sortDescending, ...page }) => ({
      list: {
        ...pageOf(page),
        orderBy,
        defaultOrder: orders[0],
        descending: sortDescending === undefined ? undefined : sortDescending === 'true',
      },
    }),
  )

/** The parameters of a list whose order is fixed. */
export const fixedListGroup = (search: string): Group<{ list: ListRequest<'fixed'> }> =>
  group(pageParameters(search), (page) => ({
    list: { ...pageOf(page), orderBy: undefined, defaultOrder: 'fixed', descending: undefined },
  }))

/** The JSON of a list of metadata. */
export const listSchema =
  <Item extends z.ZodType>(item: () => Item) =>
  () =>
    pageSchema(item)().extend({
      orderBy: z.string().optional(),
      sortDescending: z.boolean().optional(),
      search: z.string().optional(),
    })

type ListBody<Item> = ValueOf<ReturnType<typeof listSchema<z.ZodType<Item>>>>

/**
 * Reads and answers the requested page: `answerList(list, (part) => metadata.teams.list(whose, part), teamAnswer)`.
 */
export async function answerList<Order extends string, Row, Item>(
  request: ListRequest<Order>,
  read: (part: ListOptions<Order>) => Promise<Page<Row>>,
  shape: (row: Row) => Item,
): Promise<ActionAnswer<ListBody<Item>>> {
  const { page, pageSize, maxResults = Number.POSITIVE_INFINITY, search, orderBy, defaultOrder, descending } = request
  const offset = (page - 1) * pageSize
  const { count, data, isTooLarge } = await read({
    search,
    orderBy: orderBy ?? defaultOrder,
    descending: descending ?? false,
    limit: Math.max(0, Math.min(pageSize, maxResults - offset)),
    offset,
  })
  if (isTooLarge)
    throw invalid([{ path: 'pageSize', message: 'These rows are too large for one answer: ask for fewer.' }])
  const listed = Math.min(count, maxResults)
  return {
    ...(offset + pageSize < listed && { nextPage: page + 1 }),
    body: {
      data: data.map(shape),
      count: listed,
      page,
      pageSize,
      ...(orderBy && { orderBy }),
      ...(descending !== undefined && { sortDescending: descending }),
      ...(search && { search }),
      ...(count > maxResults && { isCapped: true as const }),
    },
  }
}

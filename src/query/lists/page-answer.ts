import * as z from 'zod'
import type { PageRequest } from '../../request/page.ts'
import { type Fragment, instant, sql } from '../language/sql.ts'

/** The row returned by a statement that counts a list. */
export const Count = () => z.object({ count: z.number() })

/** The number at which counting may stop: high enough to show whether there are more than `maxResults` rows. */
export const countLimit = ({ maxResults }: PageRequest): number | undefined =>
  maxResults === undefined ? undefined : maxResults + 1

/**
 * How many rows to read: one more than the page has, to see whether there is a next page, but at most `maxResults` in
 * total.
 */
export function rowsOfPage({ pageSize, offset, maxResults }: PageRequest): number {
  return Math.max(0, Math.min(pageSize + 1, (maxResults ?? Number.MAX_SAFE_INTEGER) - offset))
}

/** Pages that end within this many rows are usually in the last part of the range. */
export const shallowDepth = 1000

/** The condition that events are in the last part of this range. */
export const inLastPart = (startAt: number, endAt: number): Fragment =>
  sql`created_at >= ${instant(Math.floor(endAt - (endAt - startAt) / 32))}`

/** The JSON for one page of a list, including the total number of rows. */
export function pageBody<Item>({ page, pageSize, maxResults }: PageRequest, data: Item[], total: number) {
  const isCapped = maxResults !== undefined && total > maxResults
  return { data, count: isCapped ? maxResults : total, page, pageSize, ...(isCapped && { isCapped: true as const }) }
}

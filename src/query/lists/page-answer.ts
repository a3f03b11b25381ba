import * as z from 'zod'
import type { PageRequest } from '../../request/page.ts'

/** The row of a statement that counts a list. */
export const Count = () => z.object({ count: z.number() })

/** The count may stop here, which shows whether there are more than `maxResults` rows. */
export const countLimit = ({ maxResults }: PageRequest): number | undefined =>
  maxResults === undefined ? undefined : maxResults + 1

/** The number of rows to read: one more than the page, to see whether a next page exists, but at most `maxResults`. */
export function rowsOfPage({ pageSize, offset, maxResults }: PageRequest): number {
  return Math.max(0, Math.min(pageSize + 1, (maxResults ?? Number.MAX_SAFE_INTEGER) - offset))
}

/** The JSON for one page of a list, with the number of all rows. */
export function pageBody<Item>({ page, pageSize, maxResults }: PageRequest, data: Item[], total: number) {
  const isCapped = maxResults !== undefined && total > maxResults
  return { data, count: isCapped ? maxResults : total, page, pageSize, ...(isCapped && { isCapped: true as const }) }
}

import * as z from 'zod'
import { type Cursor, encodeCursor, type Page } from '../request/page.ts'
import { count, type Fragment, instant, type Statement, select, sql, uuid } from './sql.ts'

/** How many rows there are; with `maxResults`, counted no further than one more than that. */
export const counted = (table: Fragment, where: Fragment, { maxResults }: Page): Statement<{ count: number }> =>
  maxResults === undefined
    ? select(Count)`select count() as count from ${table} where ${where}`
    : select(Count)`select count() as count from (select 1 from ${table} where ${where} limit ${count(maxResults + 1)})`

const Count = z.object({ count: z.number() })

/** Rows of a page: newest first, then event id descending, so that no two rows stand in either order. */
export const newestFirst = (page: Page): Fragment =>
  sql`order by created_at desc, event_id desc limit ${count(rowsWanted(page))} offset ${count(page.cursor ? 0 : page.offset)}`

/** Restricts a page to the rows after its cursor. */
export const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`created_at <= ${instant(cursor.createdAt)}
    and (created_at < ${instant(cursor.createdAt)} or event_id < ${uuid(cursor.eventId)})`

/** One row more than is shown tells whether there is a next page. Never past `maxResults`. */
function rowsWanted({ pageSize, offset, maxResults }: Page): number {
  return Math.max(0, Math.min(pageSize + 1, (maxResults ?? Number.MAX_SAFE_INTEGER) - offset))
}

interface Keyed {
  readonly event_id: string
  readonly created_ms: number
}

/** The envelope of a paged answer, and the cursor to the rows after it. */
export function paged<Row extends Keyed, Item>(
  page: Page,
  counts: readonly { count: number }[],
  rows: readonly Row[],
  item: (row: Row) => Item,
): {
  body: { data: Item[]; count: number; page: number; pageSize: number; isCapped?: true }
  next: string | undefined
} {
  const total = counts[0]?.count ?? 0
  const isCapped = page.maxResults !== undefined && total > page.maxResults
  const shown = rows.slice(0, page.pageSize)
  const last = shown.at(-1)
  const body = {
    data: shown.map(item),
    count: isCapped ? page.maxResults! : total,
    page: page.page,
    pageSize: page.pageSize,
    ...(isCapped && { isCapped: true as const }),
  }
  const next =
    last && rows.length > shown.length
      ? encodeCursor({ createdAt: last.created_ms, eventId: last.event_id, before: page.offset + shown.length })
      : undefined
  return { body, next }
}

import * as z from 'zod'
import { type Cursor, encodeCursor, type Page } from '../request/page.ts'
import { all, count, type Fragment, instant, type Statement, select, sql, type Table, uuid } from './sql.ts'
import { begin, needsEvent, type Selection } from './where.ts'

/** How many rows there are, of a subquery that counts them; with `maxResults` it may have stopped one further. */
export const counted = (events: Fragment): Statement<{ count: number }> =>
  select(Count)`select sum(events) as count from ${events}`

const Count = z.object({ count: z.number() })

/** As far as rows have to be counted to tell whether there are more than `maxResults`. */
export const enough = ({ maxResults }: Page): number | undefined =>
  maxResults === undefined ? undefined : maxResults + 1

/** Rows of a page: newest first, then event id descending, so that no two rows stand in either order. */
export const newestFirst = (page: Page): Fragment =>
  sql`order by created_at desc, event_id desc limit ${count(rowsWanted(page))} offset ${count(page.cursor ? 0 : page.offset)}`

/** Restricts a page to the rows after its cursor. */
export const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`created_at <= ${instant(cursor.createdAt)}
    and (created_at < ${instant(cursor.createdAt)} or event_id < ${uuid(cursor.eventId)})`

/** Ranges from here on are looked through from their end, and deep pages are not, in milliseconds and rows. */
const longRange = 62 * 86_400_000
const deepest = 50_000

/**
 * For a page of a long range: the last part of the range where it holds the whole page, so that only the files of its
 * months are opened. `where` is the condition of the list.
 */
export function located(
  table: Table,
  where: Fragment,
  { scope, period, filters }: Selection,
  page: Page,
): Fragment | undefined {
  const from = begin(scope, period)
  const to = Math.min(period.endAt, page.cursor?.createdAt ?? period.endAt)
  const needed = (page.cursor ? 0 : page.offset) + rowsWanted(page)
  if (to - from < longRange || needed > deepest || needsEvent({ scope, period, filters })) return undefined
  const late = Math.floor(to - (to - from) / 32)
  return sql`created_at >= if(
    (select count() from (
      select 1 from ${table} where ${all(where, after(page.cursor), sql`created_at >= ${instant(late)}`)} limit ${count(needed)}
    )) = ${count(needed)}, ${instant(late)}, ${instant(from)})`
}

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

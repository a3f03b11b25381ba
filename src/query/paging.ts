import * as z from 'zod'
import { type Cursor, encodeCursor, type Page } from '../request/page.ts'
import { type Counted, countsWithPage, eventCount, plain, type Rollups } from './source.ts'
import {
  all,
  count,
  type Fragment,
  instant,
  type Plan,
  type Result,
  type Statement,
  select,
  sql,
  type Table,
  uuid,
} from './sql.ts'
import { begin, needsEvent, type Selection } from './where.ts'

/** A list of events, newest first, of which a page is shown. */
export interface Listed {
  readonly what: Counted
  readonly selection: Selection
  /** What an event has to be to stand in the list, beside being selected. */
  readonly shown: Fragment
  readonly page: Page
  /** `plain` where `shown` reads columns that no table of counts has. */
  readonly rollups?: Rollups | undefined
}

/** The rows of a page, and how many rows the list has; undefined where the statement of the rows tells. */
export type PageRows<Row> = {
  rows: Row
  count?: { count: number }
}

/** The statements of a page. `columns` are those of `Row`; `created_at` and `event_id` are what it is ordered by. */
export function pagePlan<Row extends Keyed>(
  row: z.ZodType<Row>,
  columns: Fragment,
  listed: Listed,
): Plan<PageRows<Row>> {
  const { what, selection, shown, page, rollups } = listed
  const { table, where } = plain[what]
  const list = all(where(selection), shown)
  if (isReadOnce(listed)) {
    // Rows before the limit are counted right only where they are not read in the order of the key.
    const rows = (part: Fragment) => select(row)`
      select ${columns} from ${table} where ${list} ${part}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0`
    return { rows: whole(rows(byKey(page)), rows(byKeyAndContent(page)), page) }
  }
  const counted = eventCount(selection, what, shown, enough(page), rollups)
  const afterCursor = all(list, after(page.cursor))
  const rows = (part: Fragment, from?: Fragment) => select(row)`
    select ${columns} from ${table}
    where ${all(afterCursor, from)}
    ${part}`
  const byKeyFrom = (from?: Fragment) => rows(byKey(page), from)
  const isFromTop = page.cursor !== undefined || page.offset === 0
  const total = isFromTop ? ofItsKeys(row, columns, table, afterCursor, page) : rows(byKeyAndContent(page))
  return {
    count: select(Count)`select sum(events) as count from ${counted}`,
    rows: whole(located(byKeyFrom, table, afterCursor, selection, page), total, page),
  }
}

const Count = z.object({ count: z.number() })

/** What is capped is counted no further than needed, and a page after a cursor is a part of the list. */
const isReadOnce = ({ selection, what, page }: Listed): boolean =>
  page.maxResults === undefined &&
  page.cursor === undefined &&
  reach(page) <= deepest &&
  countsWithPage(selection, what)

/** How many rows of those selected stand above the page's end. */
const reach = (page: Page): number => skipped(page) + rowsWanted(page)

/** How many of the rows selected stand above the page. */
const skipped = ({ cursor, offset }: Page): number => (cursor ? cursor.ties : offset)

/** As far as rows have to be counted to tell whether there are more than `maxResults`. */
const enough = ({ maxResults }: Page): number | undefined => (maxResults === undefined ? undefined : maxResults + 1)

/** Newest first, then event id descending. With them comes the row above a numbered page: it may be the twin of its first. */
const byKey = (page: Page): Fragment =>
  sql`order by created_at desc, event_id desc limit ${count(rowsWanted(page) + above(page))} offset ${count(skipped(page) - above(page))}`

const above = ({ cursor, offset }: Page): number => (cursor || offset === 0 ? 0 : 1)

/** A total order, whatever is stored: rows of one time and id by all that they hold. It reads every column of the range. */
const byKeyAndContent = (page: Page): Fragment =>
  sql`order by created_at desc, event_id desc, sipHash64(*) limit ${count(rowsWanted(page))} offset ${count(skipped(page))}`

/**
 * The same for a page that begins at the top or at a cursor: its keys are found in the order of the key, which reads no other column,
 * and only rows of these keys are read whole and put in the total order.
 */
function ofItsKeys<Row>(
  row: z.ZodType<Row>,
  columns: Fragment,
  table: Table,
  where: Fragment,
  page: Page,
): Statement<Row> {
  return select(row)`
    select ${columns} from ${table}
    where ${where} and (created_at, event_id) global in (
      select created_at, event_id from ${table} where ${where}
      order by created_at desc, event_id desc limit ${count(reach(page))}
    )
    ${byKeyAndContent(page)}`
}

/**
 * The rows of a page by the cheap order of the key, or, where a page begins or ends between two rows of one key, by the
 * total order. Ids are unique but for mistakes of writers, so that the second is hardly ever sent.
 */
function whole<Row extends Keyed>(cheap: Statement<Row>, total: Statement<Row>, page: Page): Statement<Row> {
  const streamed = cheap.body
  if (page.cursor && page.cursor.ties > 0) return { ...total, streamed }
  const result = ({ rows, ...rest }: Result<Row>) => {
    const first = above(page)
    const isCut = (at: number) => isTwin(rows[at - 1], rows[at])
    return isCut(first) || isCut(first + page.pageSize) ? undefined : { ...rest, rows: rows.slice(first) }
  }
  return { ...total, streamed, shortcut: { statement: cheap, result } }
}

const isTwin = (left: Keyed | undefined, right: Keyed | undefined): boolean =>
  left !== undefined && left.event_id === right?.event_id && left.created_ms === right.created_ms

/** Restricts a page to the rows after its cursor, and to those of the cursor's own key where it stands between them. */
const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`created_at <= ${instant(cursor.createdAt)}
    and (created_at < ${instant(cursor.createdAt)} or event_id ${cursor.ties > 0 ? sql`<=` : sql`<`} ${uuid(cursor.eventId)})`

/** Ranges from here on are looked through from their end, in milliseconds. */
const longRange = 62 * 86_400_000

/** Pages that end further down are read in order, all the way, in rows. */
const deepest = 50_000

/** Pages that end no further down are there more often than not. */
const shallow = 1000

/**
 * The rows of a page, `rowsFrom` a moment on where that is given. Of a long range its last part is looked at first, so that
 * only the files of its months are opened: the page is there if enough rows are. `where` is the condition of the rows.
 */
function located<Row>(
  rowsFrom: (from?: Fragment) => Statement<Row>,
  table: Table,
  where: Fragment,
  { scope, period, filters }: Selection,
  page: Page,
): Statement<Row> {
  const from = begin(scope, period)
  const to = Math.min(period.endAt, page.cursor?.createdAt ?? period.endAt)
  const needed = reach(page)
  if (to - from < longRange || needed > deepest || needsEvent({ scope, period, filters })) return rowsFrom()
  const isLate = sql`created_at >= ${instant(Math.floor(to - (to - from) / 32))}`
  if (needed <= shallow) {
    const result = (found: Result<Row>) => (found.rows.length === rowsWanted(page) + above(page) ? found : undefined)
    return { ...rowsFrom(), shortcut: { statement: rowsFrom(isLate), result } }
  }
  // From the page's last row on, found in the same statement: the website may well be too small for a page so deep.
  return rowsFrom(sql`created_at >= (
    select if(count() = ${count(needed)}, min(created_at), ${instant(from)})
    from (
      select created_at from ${table} where ${all(where, isLate)}
      order by created_at desc limit ${count(needed)}
    ))`)
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
  found: { readonly rows: Result<Row>; readonly count?: Result<{ count: number }> },
  item: (row: Row) => Item,
): {
  body: { data: Item[]; count: number; page: number; pageSize: number; isCapped?: true }
  next: string | undefined
} {
  const { rows } = found.rows
  const total = found.count ? (found.count.rows[0]?.count ?? 0) : found.rows.total
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
      ? encodeCursor({
          createdAt: last.created_ms,
          eventId: last.event_id,
          before: page.offset + shown.length,
          ties: isTwin(last, rows[shown.length]) ? Math.min(mostTies, twinsUpTo(shown, page.cursor)) : 0,
        })
      : undefined
  return { body, next }
}

/** A cursor goes on among so many events of one key. More of them can be paged by number only. */
const mostTies = 9999

/** How many rows of the last one's key stand above the next page. */
function twinsUpTo(shown: readonly Keyed[], cursor: Cursor | undefined): number {
  const last = shown.at(-1)!
  const here = shown.filter((row) => isTwin(row, last)).length
  const isCursors = isTwin(last, cursor && { event_id: cursor.eventId, created_ms: cursor.createdAt })
  return here + (isCursors ? cursor!.ties : 0)
}

import * as z from 'zod'
import type { Filters } from '../request/filters.ts'
import { type Cursor, encodeCursor, type PageRequest } from '../request/page.ts'
import type { Period } from '../request/period.ts'
import { type EventKind, eventCount, plainTable } from './counts.ts'
import type { ListSource, Row, SelectItem, SelectList } from './list.ts'
import { descending, limitTo, type Order, order } from './order.ts'
import { rows } from './rows.ts'
import { needsEvent, type Selection, visiblePeriod } from './scope.ts'
import {
  alias,
  aliasName,
  all,
  type Fragment,
  instant,
  type Plan,
  type Result,
  type Statement,
  select,
  sql,
  uint64,
  uuid,
} from './sql.ts'
import type { Table } from './tables.ts'
import { matchesSearch } from './text.ts'
import { day } from './time.ts'

/** The part of a request that every list of events reads. */
interface PageInput {
  readonly period: Period
  readonly filters: Filters
  readonly page: PageRequest
  readonly search: string | undefined
}

interface EventPagesDeclaration<Own> {
  readonly kind: EventKind
  /** What an event has to be to stand in the list, beside being selected and found by a search. */
  readonly condition: (input: Own) => Fragment
}

/** The id of an event, and its moment in milliseconds since 1970: what lists of events are ordered by. */
export const eventIdItem: SelectItem = { name: 'event_id', expression: sql`event_id`, row: z.string() }
export const createdAtItem: SelectItem = {
  name: 'created_ms',
  expression: sql`toUnixTimestamp64Milli(created_at)`,
  row: z.number(),
}

/** The rows of a page, and how many rows the list has; undefined where the statement of the rows tells. */
type PageRows = {
  rows: Row
  count?: { count: number }
}

/** A list of events, newest first, of which a page is shown. */
export const eventPages = <Own extends object>(
  list: EventPagesDeclaration<Own>,
): ListSource<PageInput & Own, PageRows, 'page'> => ({
  envelope: 'page',
  reads: [eventIdItem, createdAtItem],
  plan(selectList, input, scope) {
    const { period, filters, page, search } = input
    const condition = all(list.condition(input), matchesSearch(search))
    const { kind } = list
    return pagePlan({
      selectList,
      kind,
      selection: { scope, period, filters },
      condition,
      isSearched: !!search,
      page,
    })
  },
  shape: (results, { page }, item) => pageAnswer(page, results, item),
  // An export has no end of a page that could fall between two rows of one key: it reads in the order of the key.
  exported: ({ rows }, { page }) => ({ rows: rows.streamed ?? rows.body, cursor: cursorAfter(page) }),
})

/** The place after a row, as `encodeCursor` writes it. Rows have to come in order. */
const cursorAfter = ({ offset }: PageRequest): Fragment =>
  sql`base64URLEncode(concat(
    toString(${alias(createdAtItem.name)}), ' ', toString(${alias(eventIdItem.name)}), ' ',
    toString(rowNumberInAllBlocks() + ${uint64(offset + 1)})
  ))`

interface PageQuery {
  readonly selectList: SelectList
  readonly kind: EventKind
  readonly selection: Selection
  readonly condition: Fragment
  /** Whether `condition` reads columns that no table of counts has. */
  readonly isSearched: boolean
  readonly page: PageRequest
}

function pagePlan(pageQuery: PageQuery): Plan<PageRows> {
  const { kind, selection, condition, isSearched, page } = pageQuery
  const table = plainTable[kind]
  if (isReadOnce(pageQuery)) {
    const list = rows(table, selection, [condition])
    // Rows before the limit are counted right only where they are not read in the order of the key.
    const ordered = (part: Fragment) => select(pageQuery.selectList.row)`
      select ${pageQuery.selectList.columns} ${list} ${part}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0`
    return { rows: withTwins(ordered(limitByKey(page)), ordered(limitByTotalOrder(page)), page) }
  }
  const total = eventCount(selection, kind, condition, countLimit(page), isSearched ? 'the events' : 'any table')
  const ordered = (part: Fragment, ...more: readonly Fragment[]) => select(pageQuery.selectList.row)`
    select ${pageQuery.selectList.columns}
    ${rows(table, selection, [condition, after(page.cursor), ...more])}
    ${part}`
  const isFromTop = page.cursor !== undefined || page.offset === 0
  const whole = isFromTop
    ? ordered(limitByTotalOrder(page), isOfItsKeys(table, pageQuery))
    : ordered(limitByTotalOrder(page))
  return {
    count: select(Count)`select sum(events) as count from ${total}`,
    rows: withTwins(
      locatePage((...more) => ordered(limitByKey(page), ...more), table, pageQuery),
      whole,
      page,
    ),
  }
}

const Count = z.object({ count: z.number() })

/** Ranges up to here are read faster once than twice, in milliseconds. */
const readOnceUpTo: Readonly<Record<EventKind, number>> = { events: 2 * day, 'custom events': 7 * day }

/**
 * Whether a page of a list and the count of the list are read in one statement. What is capped is counted no further than needed,
 * and a page after a cursor is a part of the list.
 */
function isReadOnce({ selection, kind, page }: PageQuery): boolean {
  const { startAt, endAt } = visiblePeriod(selection)
  return (
    page.maxResults === undefined &&
    page.cursor === undefined &&
    rowsToPageEnd(page) <= maxLocatedDepth &&
    endAt + 1 - startAt <= readOnceUpTo[kind]
  )
}

/** How many rows of those selected stand above the page's end. */
const rowsToPageEnd = (page: PageRequest): number => rowsAbovePage(page) + rowsWanted(page)

/** How many of the rows selected stand above the page. */
const rowsAbovePage = ({ cursor, offset }: PageRequest): number => (cursor ? cursor.ties : offset)

/** As far as rows have to be counted to tell whether there are more than `maxResults`. */
const countLimit = ({ maxResults }: PageRequest): number | undefined =>
  maxResults === undefined ? undefined : maxResults + 1

const newestFirst = descending(sql`created_at`)

/** Newest first, then event id descending. Ids are unique but for mistakes of writers. */
const keyOrder: Order = order([newestFirst, descending(sql`event_id`)])

/** A total order, whatever is stored: rows of one time and id by all that they hold. It reads every column of the range. */
const totalOrder: Order = order([
  newestFirst,
  descending(sql`event_id`),
  { column: sql`sipHash64(*)`, isDescending: false },
])

/** With the rows comes the one above a numbered page: it may be the twin of its first. */
const limitByKey = (page: PageRequest): Fragment =>
  limitTo(keyOrder, rowsWanted(page) + rowAbovePage(page), rowsAbovePage(page) - rowAbovePage(page))

const rowAbovePage = ({ cursor, offset }: PageRequest): number => (cursor || offset === 0 ? 0 : 1)

const limitByTotalOrder = (page: PageRequest): Fragment => limitTo(totalOrder, rowsWanted(page), rowsAbovePage(page))

/**
 * Of a page that begins at the top or at a cursor: its keys are found in the order of the key, which reads no other column, and
 * only rows of these keys are read whole and put in the total order.
 */
const isOfItsKeys = (table: Table, { selection, condition, page }: PageQuery): Fragment => sql`
  (created_at, event_id) global in (
    select created_at, event_id ${rows(table, selection, [condition, after(page.cursor)])}
    ${limitTo(keyOrder, rowsToPageEnd(page))}
  )`

/**
 * The rows of a page by the cheap order of the key, or, where a page begins or ends between two rows of one key, by the
 * total order, which is hardly ever sent.
 */
function withTwins(cheap: Statement<Row>, total: Statement<Row>, page: PageRequest): Statement<Row> {
  const streamed = cheap.body
  if (page.cursor && page.cursor.ties > 0) return { ...total, streamed }
  const result = ({ rows, ...rest }: Result<Row>) => {
    const first = rowAbovePage(page)
    const isCut = (at: number) => isTwin(eventKey(rows[at - 1]), eventKey(rows[at]))
    return isCut(first) || isCut(first + page.pageSize) ? undefined : { ...rest, rows: rows.slice(first) }
  }
  return { ...total, streamed, cheaper: { statement: cheap, result } }
}

/** What rows are ordered by: the id of an event, and its moment. */
interface EventKey {
  readonly id: string
  readonly at: number
}

const eventKey = (row: Row | undefined): EventKey | undefined =>
  row && { id: row[aliasName(eventIdItem.name)] as string, at: row[aliasName(createdAtItem.name)] as number }

const isTwin = (left: EventKey | undefined, right: EventKey | undefined): boolean =>
  left !== undefined && left.id === right?.id && left.at === right.at

/** Restricts a page to the rows after its cursor, and to those of the cursor's own key where it stands between them. */
const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`created_at <= ${instant(cursor.createdAt)}
    and (created_at < ${instant(cursor.createdAt)} or event_id ${cursor.ties > 0 ? sql`<=` : sql`<`} ${uuid(cursor.eventId)})`

/** Ranges from here on are looked through from their end, in milliseconds. */
const longRange = 62 * day

/** Pages that end further down are read in order, all the way, in rows. */
const maxLocatedDepth = 50_000

/** Pages that end no further down are there more often than not. */
const shallowDepth = 1000

/**
 * The rows of a page. Of a long range its last part is looked at first, so that only the files of its months are opened: the page
 * is there if enough rows are.
 */
function locatePage(
  rowsOf: (...more: readonly Fragment[]) => Statement<Row>,
  table: Table,
  { selection, condition, page }: PageQuery,
): Statement<Row> {
  const { startAt, endAt } = visiblePeriod(selection)
  const to = Math.min(endAt, page.cursor?.createdAt ?? endAt)
  const needed = rowsToPageEnd(page)
  if (to - startAt < longRange || needed > maxLocatedDepth || needsEvent(selection)) return rowsOf()
  const isLate = sql`created_at >= ${instant(Math.floor(to - (to - startAt) / 32))}`
  if (needed <= shallowDepth) {
    const ifFull = (result: Result<Row>) =>
      result.rows.length === rowsWanted(page) + rowAbovePage(page) ? result : undefined
    return { ...rowsOf(), cheaper: { statement: rowsOf(isLate), result: ifFull } }
  }
  // From the page's last row on, found in the same statement: the website may well be too small for a page so deep.
  return rowsOf(sql`created_at >= (
    select if(count() = ${uint64(needed)}, min(created_at), ${instant(startAt)})
    from (
      select created_at ${rows(table, selection, [condition, after(page.cursor), isLate])}
      ${limitTo(order([newestFirst]), needed)}
    ))`)
}

/** One row more than is shown tells whether there is a next page. Never past `maxResults`. */
function rowsWanted({ pageSize, offset, maxResults }: PageRequest): number {
  return Math.max(0, Math.min(pageSize + 1, (maxResults ?? Number.MAX_SAFE_INTEGER) - offset))
}

/** The envelope of a paged answer, and the cursor to the rows after it. */
function pageAnswer<Item>(
  page: PageRequest,
  results: { readonly rows: Result<Row>; readonly count?: Result<{ count: number }> },
  item: (row: Row) => Item,
) {
  const { rows } = results.rows
  const total = results.count ? (results.count.rows[0]?.count ?? 0) : results.rows.total
  const isCapped = page.maxResults !== undefined && total > page.maxResults
  const shown = rows.slice(0, page.pageSize)
  const body = {
    data: shown.map(item),
    count: isCapped ? page.maxResults! : total,
    page: page.page,
    pageSize: page.pageSize,
    ...(isCapped && { isCapped: true as const }),
  }
  return { body, next: rows.length > shown.length ? nextCursor(page, shown, rows[shown.length]) : undefined }
}

function nextCursor(page: PageRequest, shown: readonly Row[], next: Row | undefined): string | undefined {
  const last = eventKey(shown.at(-1))
  if (!last) return undefined
  const ties = isTwin(last, eventKey(next)) ? Math.min(maxTies, twinsUpTo(last, shown, page.cursor)) : 0
  return encodeCursor({ createdAt: last.at, eventId: last.id, before: page.offset + shown.length, ties })
}

/** A cursor goes on among so many events of one key. More of them can be paged by number only. */
const maxTies = 9999

/** How many rows of the last one's key stand above the next page. */
function twinsUpTo(last: EventKey, shown: readonly Row[], cursor: Cursor | undefined): number {
  const here = shown.filter((row) => isTwin(last, eventKey(row))).length
  const isCursors = isTwin(last, cursor && { id: cursor.eventId, at: cursor.createdAt })
  return here + (isCursors ? cursor!.ties : 0)
}

import * as z from 'zod'
import type { Field } from '../../request/fields.ts'
import { type Cursor, encodeCursor, type PageRequest } from '../../request/page.ts'
import { dayLength } from '../../request/time-zone.ts'
import { type EventKind, eventCount, plainTable } from '../figures/counts.ts'
import { descending, limitTo, type Order, order } from '../language/order.ts'
import { isFiltered, needsEvent, type SelectedEvents, type Selection, visiblePeriod } from '../language/scope.ts'
import { alias, aliasName, all, type Fragment, inGranules, instant, sql, uint64, uuid } from '../language/sql.ts'
import { type Plan, type Result, type Statement, select } from '../language/statement.ts'
import { matchesSearch } from '../language/text.ts'
import { rows } from '../tables/rows.ts'
import type { ListSource, Row, SelectItem, SelectList } from './list.ts'
import { Count, countLimit, inLastPart, pageBody, rowsOfPage, shallowDepth } from './page-answer.ts'

/** The input that every list of events uses. */
interface PageInput extends SelectedEvents {
  readonly page: PageRequest
  readonly search: string | undefined
}

interface EventPagesDeclaration<Own> {
  readonly kind: EventKind
  /** The condition that defines the list, in addition to the selection and the search. */
  readonly condition: (input: Own) => Fragment
  /** The fields whose columns the condition reads. */
  readonly read?: (input: Own) => readonly Field[]
  /** Whether the condition may be met by only a few events. */
  readonly isSelective?: true
}

/** The event's id, and its time in milliseconds since 1970. Lists of events are ordered by these. */
export const eventIdItem: SelectItem = { name: 'event_id', expression: sql`event_id`, row: () => z.string() }
export const createdAtItem: SelectItem = {
  name: 'created_ms',
  expression: sql`toUnixTimestamp64Milli(created_at)`,
  row: () => z.number(),
}

/**
 * The rows of a page, and the list's count. `count` is missing if the statement that reads the rows also counts them.
 */
export type PageRows = {
  rows: Row
  count?: { count: number }
}

/** A page of a list of events, newest first. */
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
      read: list.read?.(input) ?? [],
      isUnsure: !!search || list.isSelective === true || isFiltered({ scope, period, filters }),
      page,
    })
  },
  shape: (results, { page }, item) => pageAnswer(page, results, item),
  // An export has no page boundary that could separate rows with the same key, so it reads in key order.
  exported: ({ rows }, { page }) => ({ rows: rows.streamed ?? rows.body, cursor: cursorAfter(page) }),
})

/** The cursor after a row, in the format of `encodeCursor`. The rows must be in order. */
export const cursorAfter = ({ offset }: PageRequest): Fragment =>
  sql`base64URLEncode(concat(
    toString(${alias(createdAtItem.name)}), ' ', toString(${alias(eventIdItem.name)}), ' ',
    toString(rowNumberInAllBlocks() + ${uint64(offset + 1)})
  ))`

interface PageQuery {
  readonly selectList: SelectList
  readonly kind: EventKind
  readonly selection: Selection
  readonly condition: Fragment
  /** Whether `condition` reads columns that are in no table of counts. */
  readonly isSearched: boolean
  /** Fields whose columns `condition` reads. */
  readonly read: readonly Field[]
  /** Whether filters increase the number of rows that are read before the page is full. */
  readonly isUnsure: boolean
  readonly page: PageRequest
}

function pagePlan(pageQuery: PageQuery): Plan<PageRows> {
  const { kind, selection, condition, isSearched, read, page } = pageQuery
  if (isReadOnce(pageQuery)) {
    const list = rows(plainTable[kind], selection, [condition])
    // ClickHouse counts the rows before the limit correctly only if it does not read in key order.
    const ordered = (part: Fragment) => select(pageQuery.selectList.row)`
      select ${pageQuery.selectList.columns} ${list} ${part}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0`
    return { rows: withTwins(ordered(limitByKey(page)), ordered(limitByTotalOrder(page)), page) }
  }
  const source = isSearched ? 'the events' : 'any table'
  const total = eventCount(selection, kind, condition, countLimit(page), source, read)
  const ordered = (part: Fragment, ...more: readonly Fragment[]) => select(pageQuery.selectList.row)`
    select ${pageQuery.selectList.columns}
    ${listed(pageQuery, ...more)}
    ${part}`
  const isFromTop = page.cursor !== undefined || page.offset === 0
  const whole = isFromTop ? ordered(limitByTotalOrder(page), isOfItsKeys(pageQuery)) : ordered(limitByTotalOrder(page))
  return {
    count: select(Count)`select sum(events) as count from ${total}`,
    rows: withTwins(
      locatePage((...more) => ordered(limitByKey(page), ...more), pageQuery),
      whole,
      page,
    ),
  }
}

/** The maximum length of a range, in milliseconds, for which one read is faster than two. */
const readOnceUpTo: Readonly<Record<EventKind, number>> = { events: 2 * dayLength, 'custom events': 7 * dayLength }

/**
 * Whether one statement reads both the page and the count. It cannot if `maxResults` stops the count early or a cursor
 * restricts the rows to part of the list.
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

/** The number of selected rows up to the end of the page. */
const rowsToPageEnd = (page: PageRequest): number => rowsAbovePage(page) + rowsOfPage(page)

/**
 * `from … where …` for the rows after the cursor. They are read in key order, so the read stops at the end of the page.
 * For the price, 1,000 of them count as one granule.
 */
const listed = (pageQuery: PageQuery, ...more: readonly Fragment[]): Fragment => {
  const { kind, selection, condition, page, isUnsure } = pageQuery
  const whole = rows(plainTable[kind], selection, [condition, after(page.cursor), ...more])
  return inGranules(whole, { most: 1 + Math.floor(rowsToPageEnd(page) / 1000), isUnsure })
}

/** The number of selected rows before the page. */
const rowsAbovePage = ({ cursor, offset }: PageRequest): number => (cursor ? cursor.ties : offset)

const newestFirst = descending(sql`created_at`)

/** Newest first, then by event id in descending order. Ids are unique unless a writer repeats one. */
const keyOrder: Order = order([newestFirst, descending(sql`event_id`)])

/**
 * A total order for any stored rows. It reads every column: rows with the same time and id are sorted by a hash of all
 * columns. The hash is that of a tuple, because a hash of separate columns is NULL if any column is NULL.
 */
const totalOrder: Order = order([
  newestFirst,
  descending(sql`event_id`),
  { column: sql`sipHash64(tuple(*))`, isDescending: false },
])

/** A page that is requested by number also reads the row before it, which may have the same key as its first row. */
const limitByKey = (page: PageRequest): Fragment =>
  limitTo(keyOrder, rowsOfPage(page) + rowAbovePage(page), rowsAbovePage(page) - rowAbovePage(page))

const rowAbovePage = ({ cursor, offset }: PageRequest): number => (cursor || offset === 0 ? 0 : 1)

const limitByTotalOrder = (page: PageRequest): Fragment => limitTo(totalOrder, rowsOfPage(page), rowsAbovePage(page))

/**
 * Restricts rows to the keys on a page that begins at the top or at a cursor. To find the keys, only the key columns
 * are read. Then only rows with these keys are read in full, for the total order.
 */
const isOfItsKeys = (pageQuery: PageQuery): Fragment => sql`
  (created_at, event_id) global in (
    select created_at, event_id ${listed(pageQuery)}
    ${limitTo(keyOrder, rowsToPageEnd(pageQuery.page))}
  )`

/**
 * Reads a page in key order, which is cheap. In the rare case that a page boundary separates rows with the same key,
 * reads in the total order instead.
 */
function withTwins(cheap: Statement<Row>, total: Statement<Row>, page: PageRequest): Statement<Row> {
  const streamed = cheap.body
  if (page.cursor && page.cursor.ties > 0) return { ...total, streamed }
  const result = ([found]: readonly Result<Row>[]) => {
    const { rows, ...rest } = found!
    const first = rowAbovePage(page)
    const isCut = (at: number) => isTwin(eventKey(rows[at - 1]), eventKey(rows[at]))
    return isCut(first) || isCut(first + page.pageSize) ? undefined : { ...rest, rows: rows.slice(first) }
  }
  return { ...total, streamed, cheaper: [{ statements: [cheap], result }] }
}

/** The key in a list of events: id and time. */
interface EventKey {
  readonly id: string
  readonly at: number
}

const eventKey = (row: Row | undefined): EventKey | undefined =>
  row && { id: row[aliasName(eventIdItem.name)] as string, at: row[aliasName(createdAtItem.name)] as number }

const isTwin = (left: EventKey | undefined, right: EventKey | undefined): boolean =>
  left !== undefined && left.id === right?.id && left.at === right.at

/**
 * Restricts a page to the rows after its cursor. If the cursor separates rows with the same key, all rows with that key
 * are included.
 */
const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`created_at <= ${instant(cursor.createdAt)}
    and (created_at < ${instant(cursor.createdAt)} or event_id ${cursor.ties > 0 ? sql`<=` : sql`<`} ${uuid(cursor.eventId)})`

/** Ranges of at least this length, in milliseconds, are searched from their end. */
const longRange = 62 * dayLength

/** Pages that end after more than this many rows are read in order from the top. */
const maxLocatedDepth = 50_000

/**
 * Reads a page. In a long range, only the last part is read first, which opens only the files for those months. If it
 * has enough rows, it contains the whole page.
 */
function locatePage(rowsOf: (...more: readonly Fragment[]) => Statement<Row>, pageQuery: PageQuery): Statement<Row> {
  const { selection, page, isUnsure } = pageQuery
  const { startAt, endAt } = visiblePeriod(selection)
  const to = Math.min(endAt, page.cursor?.createdAt ?? endAt)
  const needed = rowsToPageEnd(page)
  if (to - startAt < longRange || needed > maxLocatedDepth || needsEvent(selection)) return rowsOf()
  const isLate = inLastPart(startAt, to)
  if (needed <= shallowDepth) {
    const ifFull = ([found]: readonly Result<Row>[]) =>
      found!.rows.length === rowsOfPage(page) + rowAbovePage(page) ? found : undefined
    return {
      ...rowsOf(),
      cheaper: [{ statements: [rowsOf(isLate)], result: ifFull, needs: { rows: needed, isUnsure } }],
    }
  }
  // The read starts at the last row of the page, which the same statement finds. If the last part has too few rows, the
  // statement reads the whole range.
  return rowsOf(sql`created_at >= (
    select if(count() = ${uint64(needed)}, min(created_at), ${instant(startAt)})
    from (
      select created_at ${listed(pageQuery, isLate)}
      ${limitTo(order([newestFirst]), needed)}
    ))`)
}

/** A page's JSON, and the cursor to the next page. */
export function pageAnswer<Item>(
  page: PageRequest,
  results: { readonly rows: Result<Row>; readonly count?: Result<{ count: number }> },
  item: (row: Row) => Item,
) {
  const { rows } = results.rows
  const total = results.count ? (results.count.rows[0]?.count ?? 0) : results.rows.total
  const shown = rows.slice(0, page.pageSize)
  const next = rows.length > shown.length ? nextCursor(page, shown, rows[shown.length]) : undefined
  return { body: pageBody(page, shown.map(item), total), next }
}

function nextCursor(page: PageRequest, shown: readonly Row[], next: Row | undefined): string | undefined {
  const last = eventKey(shown.at(-1))
  if (!last) return undefined
  const ties = isTwin(last, eventKey(next)) ? Math.min(maxTies, twinsUpTo(last, shown, page.cursor)) : 0
  return encodeCursor({ createdAt: last.at, eventId: last.id, before: page.offset + shown.length, ties })
}

/**
 * The maximum number of rows with the same key that a cursor can count. If there are more, the list can only be paged
 * by number.
 */
const maxTies = 9999

/** The number of rows before the next page that have the same key as the last row. */
function twinsUpTo(last: EventKey, shown: readonly Row[], cursor: Cursor | undefined): number {
  const here = shown.filter((row) => isTwin(last, eventKey(row))).length
  const isCursors = isTwin(last, cursor && { id: cursor.eventId, at: cursor.createdAt })
  return here + (isCursors ? cursor!.ties : 0)
}

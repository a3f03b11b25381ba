import * as z from 'zod'
import { type Cursor, encodeCursor, type PageRequest } from '../../request/page.ts'
import type { Period } from '../../request/period.ts'
import { dayLength } from '../../request/time-zone.ts'
import { sessionsOfActions } from '../figures/actions.ts'
import type { CountedRow } from '../figures/added.ts'
import { counted } from '../figures/counted.ts'
import { ofEvents } from '../figures/figures.ts'
import { atMost, descending, limitTo, order } from '../language/order.ts'
import {
  isFiltered,
  needsEvent,
  type Scope,
  type SelectedEvents,
  type Selection,
  visiblePeriod,
} from '../language/scope.ts'
import {
  alias,
  aliasName,
  all,
  type Fragment,
  having,
  inGranules,
  instant,
  milliseconds,
  sql,
  uint64,
  uuid,
} from '../language/sql.ts'
import { type Result, type Statement, select } from '../language/statement.ts'
import { anyContains } from '../language/text.ts'
import { millisecondsIn } from '../language/time.ts'
import { canAnswer, isAction, isEvent, rows } from '../tables/rows.ts'
import { sessionEvents } from '../tables/tables.ts'
import { asksOfVisits, selectedActions } from '../tables/views.ts'
import type { ListSource, Row, SelectItem, SelectList } from './list.ts'
import { countLimit, inLastPart, pageBody, rowsOfPage, shallowDepth } from './page-answer.ts'

export interface ListedInput extends SelectedEvents {
  readonly page: PageRequest
  readonly search: string | undefined
  /** The time of the request; 0 if it is not known yet. */
  readonly now: number
}

/**
 * The session's id, and the time of its last event in milliseconds since 1970. The list is ordered by these, newest
 * first.
 */
export const seenIdItem: SelectItem = { name: 'session_id', expression: sql`session_id`, row: () => z.string() }
export const lastAtItem: SelectItem = {
  name: 'last_ms',
  expression: sql`toUnixTimestamp64Milli(max(created_at))`,
  row: () => z.number(),
}

const lastSeenFirst = order([descending(sql`max(created_at)`), descending(sql`session_id`)])

/** Returns a condition on sessions that applies in addition to the filters. */
export type OfSessions<Input> = (input: Input, selection: Selection) => Fragment

/** A page of sessions. Each column is an expression over a session's selected actions. */
export const pagesOfSessions = <Input extends ListedInput>(
  ofSessions?: OfSessions<Input>,
): ListSource<Input, { rows: Row; count?: CountedRow<'visitors'> }, 'page'> => ({
  envelope: 'page',
  reads: [seenIdItem, lastAtItem],
  plan(selectList, input, scope) {
    const { filters, page, search } = input
    const selection = { scope, period: pinned(input), filters }
    const isListed = [ofSessions?.(input, selection)]
    const question = { selectList, selection, page, isListed, isFound: isFound(search, scope), now: input.now }
    const streamed = pageAtOnce(toExport(question)).body
    if (isReadOnce(question)) {
      return { rows: { ...pageAtOnce(question, sql`settings exact_rows_before_limit = 1`), streamed } }
    }
    return { rows: { ...pageOf(question), streamed }, count: countOf(question) }
  },
  shape({ rows: { rows, total }, count }, input, item) {
    const { page } = input
    const shown = rows.slice(0, page.pageSize)
    const next = rows.length > shown.length ? nextCursor(input, shown) : undefined
    return { body: pageBody(page, shown.map(item), count ? (count.rows[0]?.f_visitors ?? 0) : total), next }
  },
  exported: ({ rows }, { page }) => ({ rows: rows.streamed!, cursor: cursorOfRow(page) }),
})

/**
 * Later pages end at the same time as the first page's range, so that new events do not move a session to another page.
 */
const pinned = ({ period, page: { cursor } }: ListedInput): Period => ({
  ...period,
  endAt: Math.min(period.endAt, cursor?.until ?? period.endAt),
})

interface SessionsQuestion {
  readonly selectList: SelectList
  readonly selection: Selection
  readonly page: PageRequest
  readonly isListed: readonly (Fragment | undefined)[]
  /** The condition that the search finds an action's session. */
  readonly isFound: Fragment | undefined
  readonly now: number
}

const isFound = (search: string | undefined, { hidesDistinctIds }: Scope): Fragment | undefined =>
  anyContains(
    search,
    ...(hidesDistinctIds ? [] : [sql`distinct_id`]),
    ...[sql`city`, sql`browser`, sql`os`, sql`device`],
  )

function countOf({ selection, isListed, isFound, page }: SessionsQuestion): Statement<CountedRow<'visitors'>> {
  const limit = countLimit(page)
  const found = isFound ? selectedActions(selection, ...isListed, isFound) : sessionsOfActions(selection, ...isListed)
  const whole =
    limit === undefined
      ? select(Visitors)`select ${ofEvents.visitors} as f_visitors ${found}`
      : select(Visitors)`
          select count() as f_visitors from (select session_id ${found} group by session_id ${atMost(limit)})`
  const ofAll = !isFound && isListed.every((condition) => !condition)
  return ofAll ? { ...counted(selection, { of: 'actions', figures: ['visitors'], atMost: limit }), ...whole } : whole
}

const Visitors = () => z.object({ f_visitors: z.number() })

/** Up to this length of a range, in milliseconds, one read is faster than two. */
const readOnceUpTo = dayLength

/** Whether one statement reads both the page and the count. It cannot if the statement skips sessions. */
const isReadOnce = ({ selection, page: { cursor, maxResults } }: SessionsQuestion): boolean =>
  cursor === undefined && maxResults === undefined && millisecondsIn(visiblePeriod(selection)) <= readOnceUpTo

/**
 * A single statement reads the page. If a table allows it, a subquery finds its sessions, and only their events are
 * read.
 */
function pageOf(question: SessionsQuestion): Statement<Row> {
  const { selection, page } = question
  const whole = pageAtOnce(question)
  const isSimple = !needsEvent(selection) && !asksOfVisits(selection.filters) && canAnswer(sessionEvents, selection)
  if (!isSimple || rowsOfPage(page) > mostLookedUp) return whole
  const statement = pageByKeys(question)
  const isLate = lastPart(question)
  if (!isLate) return statement
  const needs = { rows: rowsOfPage(page), isUnsure: isFiltered(selection) || question.isListed.some((one) => one) }
  const result = ([late]: readonly Result<Row>[]) => (late!.rows.length === rowsOfPage(page) ? late : undefined)
  return { ...statement, cheaper: [{ statements: [pageByKeys(question, isLate)], result, needs }] }
}

/** The maximum number of sessions whose events are looked up by session id. */
const mostLookedUp = 1001

function pageAtOnce({ selectList, ...question }: SessionsQuestion, settings = sql``): Statement<Row> {
  return select(selectList.row)`
    select ${selectList.columns} ${sessionsOf(question)}
    ${limitTo(lastSeenFirst, rowsOfPage(question.page), rowsAbove(question.page))} ${settings}`
}

function pageByKeys({ selectList, ...question }: SessionsQuestion, isLate?: Fragment): Statement<Row> {
  const { selection, page } = question
  const wanted = rowsOfPage(page)
  const isOnPage = sql`session_id global in (
    select session_id ${sessionsOf(question, isLate)} ${limitTo(lastSeenFirst, wanted, rowsAbove(page))}
  )`
  return select(selectList.row)`
    select ${selectList.columns}
    ${inGranules(rows(sessionEvents, selection, [isAction, isEvent, isOnPage]), { most: wanted })}
    group by session_id
    ${limitTo(lastSeenFirst, wanted)}`
}

/** The selected actions by session, for those sessions after the cursor that the search finds. */
function sessionsOf(
  { selection, isListed, isFound, page }: Omit<SessionsQuestion, 'selectList'>,
  isLate?: Fragment,
): Fragment {
  return sql`${selectedActions(selection, ...isListed, isLate)}
    group by session_id
    ${having(isFound && sql`countIf(${isFound}) > 0`, after(page.cursor))}`
}

/** The number of rows to skip. A cursor refers to the row before the page, so none are skipped. */
const rowsAbove = ({ cursor, offset }: PageRequest): number => (cursor ? 0 : offset)

const after = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  all(
    sql`max(created_at) <= ${instant(cursor.createdAt)}`,
    sql`max(created_at) < ${instant(cursor.createdAt)} or session_id < ${uuid(cursor.eventId)}`,
  )

/** Ranges of at least this length, in milliseconds, are searched from their end. */
const longRange = 7 * dayLength

/**
 * Returns the condition that events are in the last part of the range. Sessions with an event in that part come first
 * in the list, in the same order, so a page that they fill is correct. Undefined if such sessions are unlikely to fill
 * the page, or if a search must read all events.
 */
function lastPart({ selection, isFound, page, now }: SessionsQuestion): Fragment | undefined {
  const { startAt, endAt } = visiblePeriod(selection)
  const to = now > startAt ? Math.min(endAt, now) : endAt
  if (isFound || to - startAt < longRange || page.offset + rowsOfPage(page) > shallowDepth) return undefined
  return inLastPart(startAt, to)
}

const millisecondsOf = (row: Row): number => row[aliasName(lastAtItem.name)] as number

/**
 * The cursor after a page. Later pages cover the range up to now, or up to the first row if that is later, so events
 * that arrive later are not counted on any page.
 */
function nextCursor({ page, period, now }: ListedInput, shown: readonly Row[]): string {
  const last = shown.at(-1)!
  const seen = Math.max(now, millisecondsOf(shown[0]!))
  return encodeCursor({
    createdAt: millisecondsOf(last),
    eventId: last[aliasName(seenIdItem.name)] as string,
    before: page.offset + shown.length,
    ties: 0,
    until: page.cursor?.until ?? Math.min(period.endAt, seen),
  })
}

const untilColumn = alias('until')

/** Adds the column `until` for exports: where the range of a later export that continues this one ends. */
const toExport = (question: SessionsQuestion): SessionsQuestion => {
  const { columns, row } = question.selectList
  return { ...question, selectList: { columns: sql`${columns}, ${untilOf(question)} as ${untilColumn}`, row } }
}

/** The time up to which `nextCursor` would pin the range. Only events that are later than now can make it later. */
function untilOf({ selection, isListed, page: { cursor }, now }: SessionsQuestion): Fragment {
  const end = cursor?.until ?? selection.period.endAt
  if (cursor?.until !== undefined || end <= now) return sql`${milliseconds(end)}`
  const ahead = selectedActions(selection, ...isListed, sql`created_at > ${instant(now)}`)
  const last = sql`(select toUnixTimestamp64Milli(max(created_at)) ${ahead})`
  return sql`least(${milliseconds(end)}, greatest(${milliseconds(now)}, ifNull(${last}, 0)))`
}

/** The cursor after a row, in the format of `encodeCursor`. The rows must be in order. */
const cursorOfRow = ({ offset }: PageRequest): Fragment =>
  sql`base64URLEncode(concat(
    toString(${alias(lastAtItem.name)}), ' ', toString(${alias(seenIdItem.name)}), ' ',
    toString(rowNumberInAllBlocks() + ${uint64(offset + 1)}), ' until ', toString(${untilColumn})
  ))`

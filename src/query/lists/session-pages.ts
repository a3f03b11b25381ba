import type { Cursor, PageRequest } from '../../request/page.ts'
import { ofEvents } from '../figures/figures.ts'
import { descending, limitTo, order } from '../language/order.ts'
import { type Fragment, having, instant, sql, uuid } from '../language/sql.ts'
import { select } from '../language/statement.ts'
import type { ListSource, SelectItem } from './list.ts'
import { Count, rowsOfPage } from './page-answer.ts'
import { createdAtItem, cursorAfter, eventIdItem, type PageRows, pageAnswer } from './paging.ts'
import { foundCalls, type SearchedSessionsInput, saidBySessions } from './session-data.ts'

/**
 * The session's id and the time of its latest call. Pages of sessions are sorted by these as pages of events are sorted
 * by id and time.
 */
export const sessionIdItem: SelectItem = { ...eventIdItem, expression: sql`session_id` }

const latestOf = (moments: Fragment): Fragment => sql`max(${moments})`

const saidAt = latestOf(sql`said_at`)
const calledAt = latestOf(sql`created_at`)

export const createdItem: SelectItem = { ...createdAtItem, expression: sql`toUnixTimestamp64Milli(${saidAt})` }

const newestFirst = (moment: Fragment) => order([descending(moment), descending(sql`session_id`)])

/**
 * Pages of the sessions that have a property, grouped over all their properties. Reads only the sessions on the page.
 */
export const sessionPages: ListSource<SearchedSessionsInput & { readonly page: PageRequest }, PageRows, 'page'> = {
  envelope: 'page',
  reads: [sessionIdItem, createdItem],
  plan(selectList, input, scope) {
    const { page } = input
    const found = foundCalls(input, scope)
    const rowsWanted = rowsOfPage(page)
    const sessions = sql`
      select session_id ${found}
      group by session_id
      ${having(afterCursor(page.cursor))}
      ${limitTo(newestFirst(calledAt), rowsWanted, page.cursor ? 0 : page.offset)}`
    return {
      count: select(Count)`select ${ofEvents.visitors} as count ${found}`,
      rows: select(selectList.row)`
        select ${selectList.columns}
        from ${saidBySessions(sessions, scope)}
        group by session_id
        ${limitTo(newestFirst(saidAt), rowsWanted)}`,
    }
  },
  shape: (results, { page }, item) => pageAnswer(page, results, item),
  exported: ({ rows }, { page }) => ({ rows: rows.body, cursor: cursorAfter(page) }),
}

const afterCursor = (cursor: Cursor | undefined): Fragment | undefined =>
  cursor &&
  sql`(${calledAt} < ${instant(cursor.createdAt)}
    or ${calledAt} = ${instant(cursor.createdAt)} and session_id < ${uuid(cursor.eventId)})`

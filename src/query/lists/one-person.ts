import * as z from 'zod'
import { noFilters } from '../../request/filters.ts'
import { always } from '../../request/period.ts'
import { ascending, limitTo, order } from '../language/order.ts'
import type { Scope } from '../language/scope.ts'
import { exportName, type Fragment, sql, text, union, uuid, uuids } from '../language/sql.ts'
import { select } from '../language/statement.ts'
import { fewRows, rows } from '../tables/rows.ts'
import {
  customEvents,
  events,
  heatmapEvents,
  replayChunks,
  sales,
  sessionData,
  sessionEvents,
  type Table,
} from '../tables/tables.ts'
import { bearers, byDistinctId, sharingSessions } from './one-session.ts'

/** One person's sessions, and everything that is stored about them. */

/**
 * Identifies a person, by a distinct id or by a session that belongs to the person. `single`: only this session is
 * meant.
 */
export type NamedPerson = { readonly distinctId: string } | NamedSession

interface NamedSession {
  readonly sessionId: string
  readonly single: boolean
}

/** The maximum number of sessions with a distinct id that a person can have. */
export const mostOfPerson = 10_000

const Session = () => z.object({ id: z.string(), ids: z.array(z.string()) })

const shownIn = (scope: Scope) => ({ scope, period: always, filters: noFilters })

/**
 * A person's sessions (at most one more than allowed), each with at most two of its distinct ids. For a session, these
 * are all sessions with its distinct id, or only the session itself if it is single, or has no distinct id or several.
 */
export function sessionsOfPerson(scope: Scope, person: NamedPerson) {
  const { all, recorded } = 'distinctId' in person ? ofDistinctId(scope, person.distinctId) : ofSession(scope, person)
  const known = sql`select session_id, distinct_id
    ${rows(sessionEvents, shownIn(scope), [sql`session_id global in ${all}`])}`
  return select(Session)`
    select toString(session_id) as id, arraySort(groupUniqArrayIf(2)(distinct_id, distinct_id != '')) as ids
    from ${union([known, ...recorded])}
    group by session_id
    ${limitTo(order([ascending(sql`id`)]), mostOfPerson + 1)} ${byDistinctId}, max_result_rows = 10001`
}

const ofDistinctId = (scope: Scope, distinctId: string) => ({
  all: sql`(select session_id ${bearers(scope, sql`distinct_id = ${text(distinctId)}`)})`,
  recorded: [],
})

/** A session may have only recordings, because a recorder may run on pages where no events are counted. */
function ofSession(scope: Scope, { sessionId, single }: NamedSession) {
  const own = sql`session_id = ${uuid(sessionId)}`
  const others = sql`select session_id from ${sharingSessions(scope, sessionId, mostOfPerson)}`
  return {
    all: union([sql`select ${uuid(sessionId)} as session_id`, ...(single ? [] : [others])]),
    recorded: [replayChunks, heatmapEvents].map(
      (table) => sql`select session_id, '' as distinct_id ${rows(table, shownIn(scope), [own])}`,
    ),
  }
}

/** The exported tables: all tables except those that are derived only from exported ones. */
const exported: readonly { table: Table; columns: Fragment; isByTime?: true }[] = [
  { table: events, columns: sql`* except (packed)`, isByTime: true },
  { table: customEvents, columns: sql`*`, isByTime: true },
  { table: sales, columns: sql`*`, isByTime: true },
  { table: sessionData, columns: sql`*` },
  { table: heatmapEvents, columns: sql`* replace (hex(request) as request)` },
  { table: replayChunks, columns: sql`* replace (hex(hash) as hash)` },
]

/**
 * How many sessions are listed in a statement. ClickHouse accepts statements of up to 256 KiB, and each id takes 40
 * bytes.
 */
const sessionsAtOnce = 1000

/** The statements that return everything stored about these sessions. Each row contains the name of its table. */
export const recordsOf = (scope: Scope, sessionIds: readonly string[]): Fragment[] =>
  exported.flatMap((one) =>
    Array.from({ length: Math.ceil(sessionIds.length / sessionsAtOnce) }, (_, part) =>
      recordsIn(one, scope, sessionIds.slice(part * sessionsAtOnce, (part + 1) * sessionsAtOnce)),
    ),
  )

/** If a table is sorted by time, it is read only at the times of the sessions' events. */
function recordsIn({ table, columns, isByTime }: (typeof exported)[number], scope: Scope, ids: readonly string[]) {
  const own = sql`session_id in ${uuids(ids)}`
  const atTheirs = sql`created_at global in (select created_at ${rows(sessionEvents, shownIn(scope), [own])})`
  return sql`select ${text(table.name)} as ${exportName('table')}, ${columns}
    ${fewRows(table, shownIn(scope), own, isByTime ? [atTheirs] : [])}`
}

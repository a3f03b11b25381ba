import { noFilters } from '../../request/filters.ts'
import { always, type Period } from '../../request/period.ts'
import { lengthOf, ofEvents } from '../figures/figures.ts'
import { atMost, descending, limitTo, order } from '../language/order.ts'
import type { Scope, Selection } from '../language/scope.ts'
import { type Fragment, having, inGranules, sql, text, union, uuid } from '../language/sql.ts'
import { saidAsStored } from '../tables/properties.ts'
import { canAnswer, isAction, isEvent, isView, rows, shownCalls } from '../tables/rows.ts'
import { events, sessionEvents } from '../tables/tables.ts'

/** Look-ups of one session, and of the sessions that share a distinct id with it. They do not need a range. */

/** The numbers of events and of linked sessions that a look-up usually finds, for estimating its price. */
const usualEvents = 20
const usualSessions = 2

/** Selects all rows in the period that the scope shows. */
const shownIn = (scope: Scope, period: Period): Selection => ({ scope, period, filters: noFilters })

const isSession = (sessionId: string): Fragment => sql`session_id = ${uuid(sessionId)}`

/**
 * `from … where …` for the shown actions of some sessions. If locked filters need columns that `session_events` lacks,
 * `events` is read at the times of these sessions' events.
 */
function actionsOf(scope: Scope, isOne: Fragment, period: Period = always, isWanted?: Fragment): Fragment {
  const selection = shownIn(scope, period)
  const conditions = [isAction, isEvent, isOne, isWanted]
  if (canAnswer(sessionEvents, selection)) {
    return inGranules(rows(sessionEvents, selection, conditions), { most: usualSessions })
  }
  const moments = rows(sessionEvents, shownIn({ ...scope, only: [] }, period), [isOne])
  const atTheirs = rows(events, selection, [...conditions, sql`created_at global in (select created_at ${moments})`])
  return inGranules(atTheirs, { most: usualEvents })
}

/** A subquery of a session's visits, with `views`, `customs`, `first_at`, `last_at`, `length`, `newest` and `said`. */
export const visitsOfSession = (scope: Scope, sessionId: string, said: Fragment): Fragment => sql`(
  select visit_id, ${ofEvents.views} as views, ${ofEvents.customEvents} as customs, min(created_at) as first_at,
    max(created_at) as last_at,
    if(views = 0, 0, ${lengthOf(sql`minIf(created_at, ${isView})`, sql`maxIf(created_at, ${isView})`)}) as length,
    max((created_at, event_id)) as newest, ${said} as said
  ${actionsOf(scope, isSession(sessionId))}
  group by visit_id
)`

/** `from … where …` for the shown actions in a period of one session, or also of all sessions with a distinct id. */
export function activityOf(
  scope: Scope,
  period: Period,
  { sessionId, distinctId }: { readonly sessionId: string; readonly distinctId: string | undefined },
  isWanted: Fragment | undefined,
): Fragment {
  const isOne = distinctId === undefined ? isSession(sessionId) : isLinked(scope, sessionId, distinctId)
  return actionsOf(scope, isOne, period, isWanted)
}

/**
 * `from … where …` for all properties from a session's identify calls, as `said`. A session without a shown action is
 * treated as if it did not exist.
 */
export function saidOfSession(scope: Scope, sessionId: string): Fragment {
  const isOne = isSession(sessionId)
  const isKnown = sql`session_id global in (select session_id ${actionsOf(scope, isOne)})`
  return shownCalls(scope, [isOne, isKnown], saidAsStored)
}

/** The maximum number of sessions with a distinct id that are counted or read. */
export const mostLinked = 1000

/** Returns the condition that a session is this one, or one of the newest sessions with the distinct id. */
const isLinked = (scope: Scope, sessionId: string, distinctId: string): Fragment => {
  const newestFirst = order([descending(sql`max(created_at)`), descending(sql`session_id`)])
  const linked = sql`select session_id ${bearers(scope, sql`distinct_id = ${text(distinctId)}`)}
    group by session_id
    ${limitTo(newestFirst, mostLinked)}`
  return sql`session_id global in ${union([sql`select ${uuid(sessionId)} as session`, sql`select session_id as session from (${linked})`])}`
}

/** `from … where …` for events of any kind and identify calls whose distinct id meets the condition. */
export const bearers = (scope: Scope, isId: Fragment): Fragment =>
  inGranules(rows(sessionEvents, shownIn(scope, always), [isId]), { most: usualSessions })

/** `from … where …` for the session's events and identify calls that have a distinct id. */
export const linksOf = (scope: Scope, sessionId: string): Fragment =>
  rows(sessionEvents, shownIn(scope, always), [isSession(sessionId), sql`distinct_id != ''`])

/**
 * A subquery of the sessions that share the session's distinct id; none if the session has several. It has at most one
 * row more than `most`.
 */
export const sharingSessions = (scope: Scope, sessionId: string, most = mostLinked): Fragment => {
  const onlyId = sql`select max(distinct_id) ${linksOf(scope, sessionId)} ${having(sql`uniqExact(distinct_id) = 1`)}`
  return sql`(select distinct session_id ${bearers(scope, sql`distinct_id global in (${onlyId})`)} ${atMost(most + 1)})`
}

/**
 * The end of a statement that looks up sessions by distinct id. It allows ClickHouse to use the projection that is
 * sorted by distinct id.
 */
export const byDistinctId = sql`settings optimize_use_projections = 1`

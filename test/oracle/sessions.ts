import { clock, columnInstant, isoSecond } from './instants.ts'
import {
  type Answer,
  CUSTOM_EVENT,
  DATE,
  type IngestRow,
  isAction,
  isView,
  NUMBER,
  type OracleRequest,
} from './model.ts'
import { list, newestFirst, only, page } from './paging.ts'
import { valueText } from './properties.ts'
import type { Reading } from './reading.ts'
import { hasProperties, passesSearch } from './records.ts'
import { EVER, type Range, shownEvents } from './selection.ts'
import { currentValues, type SessionRecord } from './session-records.ts'
import type { Sets } from './sets.ts'
import { compareIds, compareText, containsIgnoringCase, sameId } from './text.ts'
import { distinctSessions, totals } from './totals.ts'
import { compareEvents, grouped, visitsOf } from './visits.ts'

/** Views and custom events together, oldest first. */
export function actionsOf({ views, customEvents }: Pick<Sets, 'views' | 'customEvents'>): IngestRow[] {
  return [...views, ...customEvents].toSorted(compareEvents)
}

/** The actions by session, in order of the sessions' first events. */
export function bySession(actions: IngestRow[]): Map<string, IngestRow[]> {
  return grouped(actions.toSorted(compareEvents), (row) => row.session_id)
}

/** A session's attributes, from its last action, and its counts. */
function described(actions: IngestRow[]) {
  const [first, last] = [actions[0]!, actions.at(-1)!]
  return {
    id: last.session_id.toLowerCase(),
    websiteId: last.website_id.toLowerCase(),
    ...{ browser: last.browser, os: last.os, device: last.device, screen: last.screen, language: last.language },
    ...{ country: last.country, region: last.region, city: last.city },
    firstAt: isoSecond(columnInstant(first.created_at)),
    lastAt: isoSecond(columnInstant(last.created_at)),
    visits: new Set(actions.map((row) => row.visit_id)).size,
    views: actions.filter(isView).length,
    events: actions.filter((row) => row.event_type === CUSTOM_EVENT).length,
  }
}

/** The list of sessions, most recently seen first. A share neither shows distinct ids nor searches them. */
export function sessions(sets: Sets, reading: Reading, isShare: boolean, isWanted = (_id: string) => true): Answer {
  const search = reading.settings.get('search') ?? ''
  const found = [...bySession(actionsOf(sets)).values()]
    .filter((actions) => isWanted(actions[0]!.session_id))
    .filter((actions) => search === '' || actions.some((row) => isFound(row, search, isShare)))
  found.sort(
    (left, right) =>
      columnInstant(right.at(-1)!.created_at) - columnInstant(left.at(-1)!.created_at) ||
      compareIds(right[0]!.session_id, left[0]!.session_id),
  )
  return page(reading, found, (actions) => sessionRow(actions, isShare))
}

function isFound(row: IngestRow, search: string, isShare: boolean): boolean {
  const texts = [row.city, row.browser, row.os, row.device, ...(isShare ? [] : [row.distinct_id])]
  return texts.some((text) => containsIgnoringCase(text, search))
}

function sessionRow(actions: IngestRow[], isShare: boolean) {
  const session = described(actions)
  const named = actions.filter((row) => row.distinct_id !== '')
  return {
    ...session,
    hostname: actions.at(-1)!.hostname,
    distinctId: isShare ? null : (named.at(-1)?.distinct_id ?? null),
    createdAt: session.lastAt,
  }
}

/** Section 7.2. */
export function sessionStats(sets: Sets): Answer {
  const actions = actionsOf(sets)
  const countries = new Set(actions.map((row) => row.country).filter((country) => country !== ''))
  return only({
    pageviews: { value: sets.views.length },
    visitors: { value: distinctSessions(actions) },
    visits: { value: new Set(actions.map((row) => row.visit_id)).size },
    countries: { value: countries.size },
    events: { value: sets.customEvents.length },
  })
}

/** Sessions with a view, by weekday (Sunday first) and local hour. */
export function weekly({ views }: Sets, { settings }: Reading): Answer {
  const timezone = settings.get('timezone') ?? 'UTC'
  const table: number[][] = []
  for (let day = 0; day < 7; day++) {
    table.push([])
    for (let hour = 0; hour < 24; hour++) {
      const inHour = views.filter((view) => {
        const local = new Date(clock(columnInstant(view.created_at), timezone))
        return local.getUTCDay() === day && local.getUTCHours() === hour
      })
      table[day]!.push(distinctSessions(inHour))
    }
  }
  return only(table)
}

/** All pairs of a session and a distinct id in events and records. */
function links(rows: IngestRow[], records: SessionRecord[], websiteId: string) {
  return [...rows, ...records]
    .filter((one) => sameId(one.website_id, websiteId) && one.distinct_id !== '')
    .map((one) => ({ session: one.session_id, distinctId: one.distinct_id }))
}

const MOST_STITCHED = 1000

/** One session over all time. */
export function oneSession(rows: IngestRow[], request: OracleRequest<'sessions/:sessionId'>): Answer {
  const { websiteId, sessionId = '', records = [], isShare = false } = request
  const shown = shownEvents(rows, websiteId, EVER)
  const own = shown.filter((row) => sameId(row.session_id, sessionId))
  const actions = own.filter(isAction).toSorted(compareEvents)
  if (actions.length === 0) return { body: undefined, headers: {}, status: 404 }
  const linked = links(rows, records, websiteId)
  const distinctIds = [
    ...new Set(linked.filter(({ session }) => sameId(session, sessionId)).map(({ distinctId }) => distinctId)),
  ].sort(compareText)
  const only1 = distinctIds.length === 1 ? distinctIds[0]! : null
  const stitched = new Set(linked.filter(({ distinctId }) => distinctId === only1).map(({ session }) => session))
  const { totaltime } = totals(actions, visitsOf(own))
  return only({
    ...described(actions),
    totaltime,
    distinctIds: isShare ? [] : distinctIds,
    distinctId: isShare ? null : only1,
    stitchedSessionCount: isShare || only1 === null ? 1 : Math.min(stitched.size, MOST_STITCHED),
    canDelete: !isShare,
  })
}

/** A session's actions, newest first. With a distinct id, linked sessions' actions are included. */
/** Links cover all time. A lock on bounces reads only the range. */
export function activity(
  { inRange, ever }: Readonly<Record<'inRange' | 'ever', IngestRow[]>>,
  request: OracleRequest<'sessions/:sessionId/activity'>,
  reading: Reading,
  range: Range,
): Answer {
  const { websiteId, sessionId = '', records = [] } = request
  const distinctId = reading.settings.get('distinctId')
  const linked = links(ever, records, websiteId)
    .filter((link) => link.distinctId === distinctId)
    .map(({ session }) => session)
  const own = shownEvents(inRange, websiteId, range).filter(
    (row) => isAction(row) && (sameId(row.session_id, sessionId) || linked.includes(row.session_id)),
  )
  const found = own.filter((row) => passesSearch(row, reading.settings.get('search') ?? ''))
  return list(reading, newestFirst(found).map(activityRow))
}

function activityRow(row: IngestRow) {
  return {
    createdAt: isoSecond(columnInstant(row.created_at)),
    ...{ urlPath: row.url_path, urlQuery: row.url_query, referrerDomain: row.referrer_domain },
    ...{ eventId: row.event_id.toLowerCase(), eventType: row.event_type, eventName: row.event_name },
    ...{ visitId: row.visit_id.toLowerCase(), hostname: row.hostname },
    hasData: hasProperties(row) ? 1 : 0,
  }
}

/** The current properties of a session with an action, whose key or text contains the search. */
export function sessionProperties(rows: IngestRow[], request: OracleRequest<'sessions/:sessionId/properties'>): Answer {
  const { websiteId, sessionId = '', records = [] } = request
  const search = new Map(request.query).get('search') ?? ''
  const isKnown = shownEvents(rows, websiteId, EVER).some((row) => isAction(row) && sameId(row.session_id, sessionId))
  const values = currentValues(records, websiteId).filter((value) => sameId(value.sessionId, sessionId))
  if (!isKnown) return only([])
  return only(
    values
      .toSorted((left, right) => compareText(left.property.key, right.property.key))
      .map(({ property, record }) => ({
        ...{ websiteId: record.website_id.toLowerCase(), sessionId: record.session_id.toLowerCase() },
        ...{ dataKey: property.key, dataType: property.dataType },
        stringValue: property.dataType === NUMBER ? valueText(property) : property.stringValue,
        numberValue: property.dataType === NUMBER ? Number(property.numberValue) : null,
        dateValue: property.dataType === DATE ? isoSecond(columnInstant(property.dateValue!)) : null,
        createdAt: isoSecond(columnInstant(record.created_at)),
      }))
      .filter(({ dataKey, stringValue }) => [dataKey, stringValue].some((text) => containsIgnoringCase(text, search))),
  )
}

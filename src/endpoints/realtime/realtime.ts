import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { countedHere, grouped, ifShort } from '../../query/figures/few-rows.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { descending, limitTo, order } from '../../query/language/order.ts'
import { type Scope, type Selection, withDeleted } from '../../query/language/scope.ts'
import { type Fragment, sql, uint64 } from '../../query/language/sql.ts'
import { type Statement, select } from '../../query/language/statement.ts'
import { isoSecond } from '../../query/language/time.ts'
import { compareText, labelled } from '../../query/tables/buckets.ts'
import { foreignReferrer, isForeignReferrer } from '../../query/tables/referrers.ts'
import { isView } from '../../query/tables/rows.ts'
import { selectedActions } from '../../query/tables/views.ts'
import { filters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { query, requestMoment } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { packedEvent } from '../events/events.ts'
import { happeningNow } from '../examples.ts'

const Counts = () => z.record(z.string(), z.number().int())
const Points = () => z.array(z.object({ x: z.string(), y: z.number().int() }).meta({ title: 'Point' }))

const NewestEvent = () =>
  z.object({
    __type: z.enum(['session', 'pageview', 'event']),
    sessionId: z.string(),
    eventName: z.string(),
    createdAt: z.string(),
    browser: z.string(),
    os: z.string(),
    device: z.string(),
    country: z.string(),
    urlPath: z.string(),
    referrerDomain: z.string(),
    hostname: z.string(),
  })

/** `timestamp` comes last: live answers compare the text before it. */
const Realtime = () =>
  z.object({
    countries: Counts(),
    urls: Counts(),
    referrers: Counts(),
    events: z.array(NewestEvent()),
    series: z.object({ views: Points(), visitors: Points() }),
    totals: z.object({
      views: z.number().int(),
      visitors: z.number().int(),
      events: z.number().int(),
      countries: z.number().int(),
    }),
    timestamp: z.number().int(),
  })

const Ranking = () => z.array(z.tuple([z.string(), z.number()]))

const Summary = () =>
  z.object({
    views: z.number(),
    events: z.number(),
    visitors: z.number(),
    countries: Ranking(),
    nations: z.number(),
    urls: Ranking(),
    referrers: Ranking(),
    minutes: z.array(z.tuple([z.string(), z.number(), z.number()])),
  })

const Newest = () =>
  z.object({
    id: z.string(),
    session: z.string(),
    type: z.number(),
    moment: z.number(),
    packed: z.array(z.string()),
    is_first: z.number(),
  })

const minute = 60_000

/** The number of whole minutes before the current one that the answer covers. */
const minutesBefore = 30

const mostNames = 500
const mostEvents = 100

const windowOf = (now: number): Period => ({
  startAt: Math.floor(now / minute) * minute - minutesBefore * minute,
  endAt: now,
})

/** The pairs of name and count in a `sumMap`, without the empty name, ordered by descending count, then by name. */
const ranked = (counts: Fragment): Fragment => sql`arrayMap(pair -> (pair.2, -pair.1), arraySlice(arraySort(
  arrayFilter(pair -> pair.2 != '', arrayMap((name, count) -> (-toInt64(count), toString(name)), ${counts}.1, ${counts}.2))
), 1, ${uint64(mostNames)}))`

/**
 * Aggregates actions by session, then over all sessions. A session is counted in each minute with a view, under the
 * attributes of its last event.
 */
const summaryOf = (selection: Selection): Statement<ValueOf<typeof Summary>> => select(Summary)`
  select sum(views_of) as views, sum(events_of) as events, count() as visitors,
    sumMap([nation], [1]) as nation_counts, sumMap(paths.1, paths.2) as path_counts,
    sumMap(domains.1, domains.2) as domain_counts, sumMap(minutes_of.1, minutes_of.2) as view_counts,
    sumMap(minutes_of.1, arrayMap(one -> 1, minutes_of.1)) as session_counts,
    ${ranked(sql`nation_counts`)} as countries, arrayCount(one -> one != '', nation_counts.1) as nations,
    ${ranked(sql`path_counts`)} as urls, ${ranked(sql`domain_counts`)} as referrers,
    arrayMap((bucket, count, sessions) -> (toString(bucket), count, sessions),
      view_counts.1, view_counts.2, session_counts.2) as minutes
  from (
    select session_id, ${ofEvents.views} as views_of, ${ofEvents.customEvents} as events_of,
      toString(argMax(country, (created_at, event_id))) as nation, sumMap([toString(url_path)], [1]) as paths,
      sumMapIf([toString(referrer_domain)], [1], ${isForeignReferrer}) as domains,
      sumMapIf([intDiv(toUnixTimestamp64Second(created_at), 60) * 60], [1], ${isView}) as minutes_of
    ${selectedActions(selection)}
    group by session_id
  )`

const latestFirst = order([descending(sql`created_at`), descending(sql`event_id`)])

/** The newest actions, with a mark on each session's first action in the window. */
const newestOf = (selection: Selection): Statement<ValueOf<typeof Newest>> => select(Newest)`
  select event_id as id, session_id as session, event_type as type, toUnixTimestamp64Milli(created_at) as moment,
    packed,
    (session_id, created_at, event_id) global in (
      select session_id, (min((created_at, event_id)) as earliest).1, earliest.2
      ${selectedActions(selection)}
      group by session_id
    ) as is_first
  ${selectedActions(selection)}
  ${limitTo(latestFirst, mostEvents)}`

/** In `packed`, the foreign referrer comes last. */
const Action = () => Newest().omit({ is_first: true })

type Action = ValueOf<typeof Action>

/** The maximum number of actions that the Worker counts. */
const mostCounted = 500

/** The actions, newest first: at most one more than the Worker counts. */
const fewActions = (selection: Selection) =>
  countedHere<Action>(selection.scope, {
    statement: select(Action)`
      select event_id as id, session_id as session, event_type as type, toUnixTimestamp64Milli(created_at) as moment,
        ${ifShort(sql`arrayPushBack(packed, toString(${foreignReferrer}))`)} as packed
      ${selectedActions(selection)}
      ${limitTo(latestFirst, mostCounted + 1)}`,
    most: mostCounted,
    texts: (action) =>
      action.packed.length > 0 ? [said(action, 'country'), said(action, 'url_path'), referrerOf(action)] : [],
    name: 'actions',
  })

/** The row of `summaryOf`, computed from actions, newest first. */
function summaryOfFew(actions: readonly Action[]): ValueOf<typeof Summary> {
  const views = actions.filter(({ type }) => type !== 2)
  const sessions = [...grouped(actions, ({ session }) => session).values()]
  const nations = countsOf(sessions.map(([last]) => said(last!, 'country')))
  const startOf = ({ moment }: Action) => String((Math.floor(moment / minute) * minute) / 1000)
  return {
    views: views.length,
    events: actions.length - views.length,
    visitors: sessions.length,
    countries: nations.slice(0, mostNames),
    nations: nations.length,
    urls: countsOf(actions.map((action) => said(action, 'url_path'))).slice(0, mostNames),
    referrers: countsOf(actions.map(referrerOf)).slice(0, mostNames),
    minutes: [...grouped(views, startOf)].map(([bucket, its]) => [
      ...([bucket, its.length, new Set(its.map(({ session }) => session)).size] as const),
    ]),
  }
}

/** Counts the non-empty texts, in the order of `ranked`. */
const countsOf = (texts: readonly string[]): [name: string, count: number][] =>
  [...grouped(texts, (text) => text)]
    .filter(([name]) => name !== '')
    .map(([name, { length }]): [string, number] => [name, length])
    .sort(([one, count], [other, more]) => more - count || compareText(one, other))

/** The actions of sessions that are not deleted. */
const shownOf = (actions: readonly Action[], { deletedSessions = [] }: Scope): readonly Action[] =>
  deletedSessions.length === 0 ? actions : actions.filter(({ session }) => !deletedSessions.includes(session))

/** The rows of `newestOf`, computed from the same actions. */
function newestOfFew(actions: readonly Action[]): ValueOf<typeof Newest>[] {
  const first = new Map(actions.map((action) => [action.session, action]))
  const isFirst = ({ session, id, moment }: Action): boolean =>
    first.get(session)!.id === id && first.get(session)!.moment === moment
  return actions.slice(0, mostEvents).map((action) => ({ ...action, is_first: Number(isFirst(action)) }))
}

const said = ({ packed }: Pick<Action, 'packed'>, name: (typeof packedEvent.names)[number]): string =>
  packed[packedEvent.names.indexOf(name)]!

const referrerOf = ({ packed }: Action): string => packed.at(-1)!

function eventsOf({ session, type, moment, packed, is_first }: ValueOf<typeof Newest>) {
  const of = (name: (typeof packedEvent.names)[number]) => said({ packed }, name)
  const event = {
    __type: type === 2 ? ('event' as const) : ('pageview' as const),
    sessionId: session,
    eventName: of('event_name'),
    createdAt: isoSecond(moment),
    ...{ browser: of('browser'), os: of('os'), device: of('device'), country: of('country') },
    ...{ urlPath: of('url_path'), referrerDomain: of('referrer_domain'), hostname: of('hostname') },
  }
  return is_first ? [event, { ...event, __type: 'session' as const }] : [event]
}

export const getRealtime = report({
  name: 'getRealtime',
  path: '/api/realtime/:websiteId',
  sections: ['realtime'],
  lifetime: 5,
  isLive: true,
  summary: 'The last half hour by minute. With Accept: text/event-stream, the answer is sent again at each change.',
  example: { query: {}, events: [happeningNow] },
  query: query(requestMoment, filters()),
  answer: Realtime,
  plan: ({ now, filters }, scope) => {
    const shown = { scope, period: windowOf(now), filters }
    // The figures include deleted sessions until the purge; the list of events omits these sessions immediately.
    const counted = { ...shown, scope: withDeleted(scope) }
    const few = fewActions(counted)
    const ofShown = (actions: readonly Action[]) => newestOfFew(shownOf(actions, scope))
    return {
      summary: { ...summaryOf(counted), cheaper: few((actions) => [summaryOfFew(actions)]) },
      newest: { ...newestOf(shown), cheaper: few(ofShown) },
    }
  },
  shape: ({ summary, newest }, { now }) => {
    const { views, events, visitors, countries, nations, urls, referrers, minutes } = summary.rows[0]!
    const rows = minutes.map(([bucket, views, sessions]) => ({ bucket, views, sessions }))
    const points = labelled(rows, windowOf(now), { unit: 'minute', zone: 'UTC', fill: false })
    const seriesOf = (count: 'views' | 'sessions') =>
      points.map(({ label, rows }) => ({ x: label, y: rows.reduce((sum, row) => sum + row[count], 0) }))
    return {
      body: {
        countries: Object.fromEntries(countries),
        urls: Object.fromEntries(urls),
        referrers: Object.fromEntries(referrers),
        events: newest.rows.flatMap(eventsOf),
        series: { views: seriesOf('views'), visitors: seriesOf('sessions') },
        totals: { views, visitors, events, countries: nations },
        timestamp: now,
      },
    }
  },
})

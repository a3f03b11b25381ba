import { columnInstant, isoSecond } from './instants.ts'
import { type Answer, CUSTOM_EVENT, type IngestRow } from './model.ts'
import { only } from './paging.ts'
import { foreignReferrer } from './referrers.ts'
import type { Range } from './selection.ts'
import { inBuckets } from './series.ts'
import { actionsOf, bySession } from './sessions.ts'
import type { Sets } from './sets.ts'
import { compareText } from './text.ts'
import { distinctSessions } from './totals.ts'
import { grouped } from './visits.ts'

const MINUTE = 60_000
const MOST_NAMES = 500
const MOST_EVENTS = 100

/** The range that starts 30 minutes before the current minute. */
export function realtimeRange(now: number): Range {
  return { start: Math.floor(now / MINUTE) * MINUTE - 30 * MINUTE, end: now }
}

/** The realtime report. */
export function realtime(sets: Sets, now: number): Answer {
  const actions = actionsOf(sets)
  const sessions = [...bySession(actions).values()]
  const countries = sessions.map((own) => own.at(-1)!.country)
  const minutes = inBuckets(sets.views, (row) => row, { unit: 'minute', timezone: 'UTC', filled: [] })
  const firsts = sessions.map((own) => own[0]!)
  return only({
    countries: greatest(countries),
    urls: greatest(actions.map((row) => row.url_path)),
    referrers: greatest(actions.map(foreignReferrer)),
    events: actions
      .toReversed()
      .slice(0, MOST_EVENTS)
      .flatMap((row) => (firsts.includes(row) ? [listed(row), { ...listed(row), __type: 'session' }] : [listed(row)])),
    series: {
      views: minutes.map(({ label, values }) => ({ x: label, y: values.length })),
      visitors: minutes.map(({ label, values }) => ({ x: label, y: distinctSessions(values) })),
    },
    totals: {
      ...{ views: sets.views.length, visitors: sessions.length, events: sets.customEvents.length },
      countries: new Set(countries.filter((country) => country !== '')).size,
    },
    timestamp: now,
  })
}

/** The most frequent non-empty texts, with their counts. */
function greatest(texts: string[]): { [text: string]: number } {
  const counts = [...grouped(texts, (text) => text)]
    .filter(([text]) => text !== '')
    .map(([text, same]): [string, number] => [text, same.length])
    .sort(([one, count], [other, otherCount]) => otherCount - count || compareText(one, other))
  return Object.fromEntries(counts.slice(0, MOST_NAMES))
}

function listed(row: IngestRow) {
  return {
    __type: row.event_type === CUSTOM_EVENT ? 'event' : 'pageview',
    sessionId: row.session_id.toLowerCase(),
    eventName: row.event_name,
    createdAt: isoSecond(columnInstant(row.created_at)),
    ...{ browser: row.browser, os: row.os, device: row.device, country: row.country, urlPath: row.url_path },
    ...{ referrerDomain: row.referrer_domain, hostname: row.hostname },
  }
}

import type { Buckets } from '../../request/series.ts'
import { hasWholeHours } from '../../request/time-zone.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, sql } from '../language/sql.ts'
import { bucketOf, bucketOfRows, hourOfWeek } from '../tables/buckets.ts'
import { foreignReferrer } from '../tables/referrers.ts'
import { selectedViews } from '../tables/views.ts'
import { ofParts, visitParts } from '../tables/visit-parts.ts'

const client = sql`browser, os, device, country, region, city, language, screen`

/** The UTC hour of an event. */
const hourOfEvent = sql`created_at - toIntervalMillisecond(positiveModulo(toUnixTimestamp64Milli(created_at), 3600000))`

const columns = {
  hours: sql`${client}, session_id, hour, events as views`,
  ends: sql`${client}, session_id, ${hourOfEvent} as hour, 1 as views`,
}

/**
 * `from …` for the selected views by `hour`, session and client, with the number of `views` in each row; undefined if
 * the events must be read.
 */
export function viewsByHour(selection: Selection): { readonly from: Fragment; readonly views: Fragment } | undefined {
  const parts = visitParts('views', selection, 'sessions')
  if (!parts) return undefined
  // ClickHouse plans the statement faster without a subquery.
  if (!parts.ends) return { from: parts.hours(selection), views: sql`events` }
  return { from: sql`from ${ofParts(parts, columns, selection)}`, views: sql`views` }
}

const referrers = {
  hours: sql`session_id, arrayJoin(mapKeys(referrers)) as referrer`,
  ends: sql`session_id, toString(${foreignReferrer}) as referrer`,
}

/**
 * `from …` for sessions by the foreign `referrer` (or an empty string) of their views; undefined if the events must be
 * read.
 */
export function viewsByReferrer(selection: Selection): Fragment | undefined {
  const parts = visitParts('views', selection, 'sessions')
  return parts && sql`from ${ofParts(parts, referrers, selection)}`
}

/** Rows of selected views: `from …`, their bucket, and an expression that counts the views in a group. */
interface ViewsByBucket {
  readonly from: Fragment
  readonly bucket: Fragment
  readonly views: Fragment
}

export function viewsByBucket(selection: Selection, buckets: Buckets): ViewsByBucket {
  const hours = viewsByHour(selection)
  const bucket = hours && bucketOfRows('hour', buckets, visiblePeriod(selection))
  if (bucket) return { from: hours.from, bucket, views: sql`sum(${hours.views})` }
  return { from: selectedViews(selection), bucket: bucketOf(buckets), views: sql`count()` }
}

/** Views by local hour of the week. */
export function viewsByHourOfWeek(selection: Selection, zone: string): Pick<ViewsByBucket, 'from' | 'bucket'> {
  const hours = viewsByHour(selection)
  return hours && hasWholeHours(zone, visiblePeriod(selection))
    ? { from: hours.from, bucket: hourOfWeek(zone, sql`hour`) }
    : { from: selectedViews(selection), bucket: hourOfWeek(zone, sql`created_at`) }
}

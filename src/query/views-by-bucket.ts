import type { Buckets } from '../request/series.ts'
import { bucketOf, bucketOfRows } from './buckets.ts'
import type { Selection } from './scope.ts'
import { type Fragment, sql, union } from './sql.ts'
import { selectedViews } from './views.ts'
import { visitParts } from './visit-parts.ts'

/** A subquery of the selected views: `bucket`, `session_id`, and `views`, the number that a row stands for. */
export function viewsByBucket(selection: Selection, buckets: Buckets): Fragment {
  const ofDay = bucketOfRows('day', buckets)
  const parts = ofDay && visitParts('views', selection, 'sessions')
  const ofEvents = sql`select ${bucketOf(buckets)} as bucket, session_id, 1 as views`
  if (!parts) return sql`(${ofEvents} ${selectedViews(selection)})`
  const { days, ends } = parts
  return union([
    sql`select ${ofDay} as bucket, session_id, events as views ${days(selection)}`,
    sql`${ofEvents} ${ends(selection)}`,
  ])
}

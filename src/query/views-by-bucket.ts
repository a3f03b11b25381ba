import type { Buckets } from '../request/series.ts'
import { bucketOf, bucketOfRows } from './buckets.ts'
import type { Selection } from './scope.ts'
import { type Fragment, sql, union } from './sql.ts'
import { selectedViews } from './views.ts'
import { visitParts } from './visit-parts.ts'

const clientColumns = sql`browser, os, device, country, region, city, language, screen`

/**
 * `from …`: the selected views by `day`, session and client, `views` of them in each row; undefined if the range is too
 * short for that.
 */
export function viewsByDay(selection: Selection): Fragment | undefined {
  const parts = visitParts('views', selection, 'sessions')
  if (!parts) return undefined
  const { days, ends } = parts
  return sql`from ${union([
    sql`select ${clientColumns}, session_id, day, events as views ${days(selection)}`,
    sql`select ${clientColumns}, session_id, toDate32(created_at) as day, 1 as views ${ends(selection)}`,
  ])}`
}

/** Rows of selected views: `from …`, their bucket, and the number of views in a group of them. */
interface ViewsByBucket {
  readonly from: Fragment
  readonly bucket: Fragment
  readonly views: Fragment
}

export function viewsByBucket(selection: Selection, buckets: Buckets): ViewsByBucket {
  const bucket = bucketOfRows('day', buckets)
  const days = bucket && viewsByDay(selection)
  if (days) return { from: days, bucket, views: sql`sum(views)` }
  return { from: selectedViews(selection), bucket: bucketOf(buckets), views: sql`count()` }
}

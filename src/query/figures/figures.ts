import { type Fragment, sql } from '../language/sql.ts'
import { isCustomEvent, isView } from '../tables/rows.ts'

/** The numbers of reports, each as an expression over a group of rows. A visitor is a session. */

/** Over events, or over rows that count events of a session and a visit. */
export const ofEvents = {
  visitors: sql`uniqExact(session_id)`,
  visits: sql`uniqExact(visit_id)`,
  views: sql`countIf(${isView})`,
  customEvents: sql`countIf(${isCustomEvent})`,
} as const

/** Visitors over rows of chains, which have hashes of their ids. */
export const visitorsByKey: Fragment = sql`uniqExact(session_key)`

/** A condition on a row of a visit. */
const isBounce = sql`views = 1`

const inSeconds = (milliseconds: Fragment): Fragment => sql`intDiv(${milliseconds}, 1000)`

/** Over visits, as `visitsOfViews` has them. `views` pass the filters; `totaltime` is in whole seconds. */
export const ofVisits = {
  views: sql`sum(passed)`,
  visitors: sql`uniqExact(session)`,
  visits: sql`count()`,
  bounces: sql`countIf(${isBounce})`,
  totaltime: inSeconds(sql`sum(length)`),
} as const

/** Over the visits of a value, as `visitsByValue` and `visitsByFields` have them. */
export const ofValues = {
  views: sql`sum(found)`,
  visitors: ofVisits.visitors,
  visits: sql`countIf(nth = 1)`,
  bounces: sql`countIf(nth = 1 and ${isBounce})`,
  totaltime: inSeconds(sql`sumIf(length, nth = 1)`),
} as const

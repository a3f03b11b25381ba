import { type Fragment, sql } from '../language/sql.ts'
import { isCustomEvent, isView, isViewOfActions } from '../tables/rows.ts'

/** The figures in reports, each as an expression over a group of rows. A visitor is a session. */

/** Figures over events, or over rows that count events of a session and a visit. */
export const ofEvents = {
  visitors: sql`uniqExact(session_id)`,
  visits: sql`uniqExact(visit_id)`,
  views: sql`countIf(${isView})`,
  customEvents: sql`countIf(${isCustomEvent})`,
} as const

/** A condition on a row of a visit: it has one view, and no custom event. */
const isBounce = sql`weight = 1`

export const inSeconds = (milliseconds: Fragment): Fragment => sql`intDiv(${milliseconds}, 1000)`

/** Figures over visits from `visitsOfViews`. `views` pass the filters; `length` is in milliseconds. */
export const ofVisits = {
  views: sql`sum(passed)`,
  visitors: sql`uniqExact(session)`,
  visits: sql`count()`,
  bounces: sql`countIf(${isBounce})`,
  length: sql`sum(length)`,
} as const

/** In whole seconds. */
export const totaltime = inSeconds(ofVisits.length)

/** Figures over the visits of a value, from `visitsByValue` and `visitsByFields`. */
export const ofValues = {
  views: sql`sum(found)`,
  visitors: ofVisits.visitors,
  visits: sql`countIf(nth = 1)`,
  bounces: sql`countIf(nth = 1 and ${isBounce})`,
  length: sql`sumIf(length, nth = 1)`,
} as const

/** Milliseconds between two moments. */
export const lengthOf = (first: Fragment, last: Fragment): Fragment =>
  sql`toUnixTimestamp64Milli(${last}) - toUnixTimestamp64Milli(${first})`

/** The columns `weight` and `length` of a visit, over its shown actions: a view weighs 1, a custom event 2. */
export const figuresOfActions = sql`
  sum(if(${isViewOfActions}, 1, 2)) as weight,
  ${lengthOf(sql`minIf(created_at, ${isViewOfActions})`, sql`maxIf(created_at, ${isViewOfActions})`)} as length`

/** The columns `weight` and `length` over the visit's rows of hours. */
export const figuresOfHours = sql`
  sum(events + 2 * customs) as weight,
  ${lengthOf(sql`min(first_at)`, sql`max(last_at)`)} as length`

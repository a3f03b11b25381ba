import { type Fragment, sql } from '../language/sql.ts'
import { isCustomEvent, isView, isViewOfActions } from '../tables/rows.ts'

/** The figures used in reports, each as an expression over a group of rows. A visitor is a session. */

/** Figures over events, or over rows that each count the events of a session and visit. */
export const ofEvents = {
  visitors: sql`uniqExact(session_id)`,
  visits: sql`uniqExact(visit_id)`,
  views: sql`countIf(${isView})`,
  customEvents: sql`countIf(${isCustomEvent})`,
} as const

/** The condition that a visit has one view and no custom event. */
const isBounce = sql`weight = 1`

export const inSeconds = (milliseconds: Fragment): Fragment => sql`intDiv(${milliseconds}, 1000)`

/** Figures over visits from `visitsOfViews`. `views` are those that pass the filters; `length` is in milliseconds. */
export const ofVisits = {
  views: sql`sum(passed)`,
  visitors: sql`uniqExact(session)`,
  visits: sql`count()`,
  bounces: sql`countIf(${isBounce})`,
  length: sql`sum(length)`,
} as const

/** In whole seconds. */
export const totaltime = inSeconds(ofVisits.length)

/** Figures over the visits with a value, from `visitsByValue` and `visitsByFields`. */
export const ofValues = {
  views: sql`sum(found)`,
  visitors: ofVisits.visitors,
  visits: sql`countIf(nth = 1)`,
  bounces: sql`countIf(nth = 1 and ${isBounce})`,
  length: sql`sumIf(length, nth = 1)`,
} as const

/** The number of milliseconds between two moments. */
export const lengthOf = (first: Fragment, last: Fragment): Fragment =>
  sql`toUnixTimestamp64Milli(${last}) - toUnixTimestamp64Milli(${first})`

/** The columns `weight` and `length` of a visit, computed from its shown actions. A view weighs 1, a custom event 2. */
export const figuresOfActions = sql`
  sum(if(${isViewOfActions}, 1, 2)) as weight,
  ${lengthOf(sql`minIf(created_at, ${isViewOfActions})`, sql`maxIf(created_at, ${isViewOfActions})`)} as length`

/** The columns `weight` and `length`, computed from the visit's rows of hours. */
export const figuresOfHours = sql`
  sum(events + 2 * customs) as weight,
  ${lengthOf(sql`min(first_at)`, sql`max(last_at)`)} as length`

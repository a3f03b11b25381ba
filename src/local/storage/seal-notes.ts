import type { ClickHouseClient } from '@clickhouse/client-web'
import { chainedFields, dailyFields } from '../../query/tables/chained-fields.ts'
import { seals } from '../../query/tables/tables.ts'
import type { Day } from './chain-days.ts'
import { type Bounds, isOfNamed } from './chain-earlier.ts'
import { frugallySelected } from './selected.ts'

/** The key for a website's day. */
export const placeOf = (websiteId: string, { day }: Pick<Day, 'day'>): string => `${websiteId} ${day}`

const isWithin = (moment: string) => `${isOfNamed} AND ${moment} >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
  AND ${moment} < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`

/** Each day has its own seal number, so that the rows of each day can be replaced separately. */
export const placeOfDay = 'toUInt64(toInt32(toDate32(hour)) - intDiv({start:Int64}, 86400000))'

export const isOfSeal = `${isWithin('hour')} AND seal = {number:UInt64} + ${placeOfDay}`

/** Numbers that change if anything changes that a seal of a day reads or writes. */
interface Sources {
  /** The number of actions in `hourly_visits`. */
  readonly actions: number
  /** The number of actions in `events`. */
  readonly stored: number
  /** The number of the latest note. A withdrawal deletes rows of seals. */
  readonly noted: number
}

const none: Sources = { actions: 0, stored: 0, noted: 0 }

/** The function that returns the sources of a website's day. */
export async function sourcesOf(
  client: ClickHouseClient,
  bounds: Bounds,
): Promise<(websiteId: string, day: Pick<Day, 'day'>) => Sources> {
  const rows = await frugallySelected<Sources & { websiteId: string; day: number }>(
    client,
    `SELECT toString(website_id) AS websiteId, day, sum(of_hours) AS actions, sum(of_events) AS stored, max(seal) AS noted
     FROM (
       SELECT website_id, toInt32(toDate32(hour)) AS day, sum(events) AS of_hours, 0 AS of_events, toUInt64(0) AS seal
       FROM hourly_visits WHERE ${isWithin('hour')} AND kind IN (1, 2) GROUP BY website_id, day
       UNION ALL
       SELECT website_id, toInt32(toDate32(created_at)) AS day, 0, count(), 0
       FROM events WHERE ${isWithin('created_at')} AND event_type < 5 GROUP BY website_id, day
       UNION ALL
       SELECT website_id, toInt32(seals.day) AS day, 0, 0, seal
       FROM ${seals.name} AS seals WHERE ${isWithin("toDateTime64(seals.day, 3, 'UTC')")}
     )
     GROUP BY website_id, day`,
    bounds,
  )
  const found = new Map(rows.map(({ websiteId, day, ...sources }) => [placeOf(websiteId, { day }), sources]))
  return (websiteId, day) => found.get(placeOf(websiteId, day)) ?? none
}

export const areEqual = (one: Sources, other: Sources): boolean =>
  one.actions === other.actions && one.stored === other.stored && one.noted === other.noted

interface Note {
  readonly views: readonly number[]
  readonly customs: readonly number[]
  readonly changed: number
  /** The number of page views in each field. `chained_values` and `chained_days` must have the same numbers. */
  readonly values: readonly number[]
  /** The number of custom events in `chained_days`. */
  readonly acted: number
}

export const empty: Note = { views: [], customs: [], changed: 0, values: [], acted: 0 }

/**
 * The number of fields that count actions (`actions` and `bounces`). The other fields exist only for days with page
 * views.
 */
const fieldsOfActions = 2
const fieldsOfViews = Object.keys(chainedFields).length + dailyFields.length + 1

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Whether a day's rows agree with each other, and with this number of actions. */
export const isRight = ({ views, customs, values, acted }: Note, actions: number): boolean =>
  actions === sumOf(views) + sumOf(customs) &&
  values.length === (sumOf(views) > 0 ? fieldsOfViews : 0) + fieldsOfActions &&
  values.every((of) => of === sumOf(views)) &&
  acted === fieldsOfActions * sumOf(customs)

/** The totals of a seal's rows, by website and day. */
export async function notesOf(client: ClickHouseClient, bounds: Bounds): Promise<ReadonlyMap<string, Note>> {
  const byHour = (column: string) => `sumForEach(arrayMap(of -> if(of = toHour(hour), ${column}, 0), range(24)))`
  const key = 'toString(website_id) AS websiteId, toInt32(toDate32(hour)) AS day'
  const hours = await frugallySelected<Omit<Note, 'values' | 'acted'> & { websiteId: string; day: number }>(
    client,
    `SELECT ${key}, groupBitOr(changed) AS changed, ${byHour('events')} AS views, ${byHour('customs')} AS customs
     FROM chained_hours WHERE ${isOfSeal} GROUP BY website_id, day`,
    bounds,
  )
  const values = await frugallySelected<Pick<Note, 'values' | 'acted'> & { websiteId: string; day: number }>(
    client,
    `SELECT websiteId, day, groupArray(viewed) AS values, sum(did) AS acted FROM (
       SELECT ${key}, sum(views) AS viewed, 0 AS did
       FROM chained_values WHERE ${isOfSeal} GROUP BY website_id, day, field
       UNION ALL SELECT ${key}, sum(events) AS viewed, sum(customs) AS did
       FROM chained_days WHERE ${isOfSeal} GROUP BY website_id, day, field)
     GROUP BY websiteId, day`,
    bounds,
  )
  const notes = new Map<string, Note>()
  for (const found of [...hours, ...values]) {
    const { websiteId, ...note } = found
    const place = placeOf(websiteId, found)
    notes.set(place, { ...empty, ...notes.get(place), ...note })
  }
  return notes
}

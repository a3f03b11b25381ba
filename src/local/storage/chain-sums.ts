import { dailyFields } from '../../query/tables/chained-fields.ts'

/** The columns of `chained_days`, whose rows are sums over hourly rows. */

export const chainedDayColumns = [
  ...['field', 'hour', 'value', 'session_before', 'visit_before', 'visit_views', 'lone_before'],
  ...['events', 'customs', 'hours', 'spent', 'pause'],
]

const dayOf = (hour: string) => `toUInt32(intDiv(${hour}, 24) * 24)`

const ofField = (name: string) => `('${name}', toString(${name}))`

/** Sums over hourly rows. `from` is the SQL after FROM. */
export const dayRows = (from: string) => `
  SELECT website_id, of_field.1 AS field, toDateTime64(toStartOfDay(hour_of), 3, 'UTC') AS hour, of_field.2 AS value,
    ${dayOf("multiIf(field = 'actions', greatest(seen, acted), field = 'bounces', 0, seen)")} AS session_before,
    multiIf(field = '', ${dayOf('visit_seen')}, isOfActions, ${dayOf('greatest(visit_seen, visit_did)')}, 0)
      AS visit_before,
    if(field = 'bounces', is_lone, 0) AS visit_views, if(field = 'bounces', ${dayOf('alone')}, 0) AS lone_before,
    sum(viewed) AS events, sumIf(did, isOfActions) AS customs, count() AS hours,
    sumIf(took, field = '') AS spent, sumIf(paused, field = '') AS pause
  FROM (
    SELECT website_id, hour AS hour_of, session_before AS seen, session_acted AS acted, visit_before AS visit_seen,
      visit_acted AS visit_did, lone AS is_lone, lone_before AS alone, events AS viewed, customs AS did,
      spent AS took, pause AS paused,
      arrayJoin(arrayConcat(
        [('actions', toString(country)), ('bounces', '')],
        if(kind = 1, [('', ''), ${dailyFields.map(ofField).join(', ')}], []))) AS of_field,
      of_field.1 IN ('actions', 'bounces') AS isOfActions
    FROM ${from})
  GROUP BY website_id, field, hour, value, session_before, visit_before, visit_views, lone_before`

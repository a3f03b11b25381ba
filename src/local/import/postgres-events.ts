import { eventColumns, eventOf } from './event-rows.ts'
import type { Postgres } from './postgres.ts'
import type { SourceEvent, SourceRow } from './source.ts'

/** The possible sources of columns that `website_event` may lack. The first one that exists is used. */
const places: Readonly<Partial<Record<(typeof eventColumns)[number], readonly string[]>>> = {
  hostname: ['website_event.hostname', 'session.hostname'],
  region: ['session.region', 'session.subdivision1'],
  ...Object.fromEntries(
    ['browser', 'os', 'device', 'screen', 'language', 'country', 'city', 'distinct_id'].map((name) => [
      name,
      [`session.${name}`],
    ]),
  ),
}

/**
 * The columns of an event in a SELECT, where `website_event` is `e` and its session is `s`. Columns that this version
 * lacks are NULL.
 */
export function eventList({ columns }: Postgres): string {
  const has = (place: string): boolean => {
    const [table = '', column = ''] = place.split('.')
    return columns.get(table)?.has(column) ?? false
  }
  return eventColumns
    .map((name) => {
      const found = (places[name] ?? [`website_event.${name}`]).filter(has)
      const read = found.map((place) => place.replace('website_event.', 'e.').replace('session.', 's.'))
      const value = read.length > 1 ? `COALESCE(${read.join(', ')})` : (read[0] ?? 'NULL')
      return `${value} AS ${name}`
    })
    .join(', ')
}

/** The maximum number of events for which one statement reads properties, and of properties that it returns. */
const mostAsked = 2000
const mostFound = 100_000

/** The events with their properties. */
export async function withProperties(postgres: Postgres, rows: readonly SourceRow[]): Promise<readonly SourceEvent[]> {
  const byEvent = new Map<string, SourceRow[]>()
  for (let start = 0; start < rows.length; start += mostAsked) {
    const ids = rows.slice(start, start + mostAsked).map(({ event_id }) => event_id!)
    for (const property of await propertiesOf(postgres, ids)) {
      const id = property.event_id!
      const known = byEvent.get(id)
      if (known) known.push(property)
      else byEvent.set(id, [property])
    }
  }
  return rows.map((row) => eventOf(row, byEvent.get(row.event_id!) ?? []))
}

/** The properties of these events, oldest first, with a maximum for each event. */
async function propertiesOf(postgres: Postgres, ids: readonly string[]): Promise<readonly SourceRow[]> {
  const found = await postgres.rows(
    `SELECT website_event_id AS event_id, data_key, data_type, string_value, number_value, date_value
     FROM event_data WHERE website_event_id = ANY($1::uuid[]) ORDER BY created_at, event_data_id LIMIT ${mostFound}`,
    [ids],
  )
  if (found.length < mostFound || ids.length === 1) return found
  const half = Math.ceil(ids.length / 2)
  return [...(await propertiesOf(postgres, ids.slice(0, half))), ...(await propertiesOf(postgres, ids.slice(half)))]
}

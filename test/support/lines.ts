import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'

/**
 * Events, one per line: visit, time, and a path or the name of a custom event. The session is the visit's letter.
 * Times are on 15 October 2025, or have their own date. Further words are columns (`country=DE`) and text properties
 * (`plan:pro`). Events in the same millisecond keep the order of their lines.
 */
export function eventsIn(text: string): IngestRow[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line, index) => eventIn(line, index))
}

function eventIn(line: string, index: number): IngestRow {
  const [visit = '', time = '', label = '', ...more] = line.split(/ +/)
  const moment = Date.parse(`${time.includes('T') ? time : `2025-10-15T${time}`}Z`)
  const pairsBy = (separator: string) =>
    more.filter((word) => word.includes(separator)).map((word) => word.split(separator) as [string, string])
  const own = label.startsWith('/') ? { event_type: 1, url_path: label } : { event_type: 2, event_name: label }
  return event(
    {
      ...{ session_id: id(1000 + visit.charCodeAt(0)), visit_id: id(2000 + Number.parseInt(visit, 36)) },
      ...{ event_id: id(index), created_at: new Date(moment).toISOString().replace('T', ' ').slice(0, -1) },
      ...own,
      ...Object.fromEntries(pairsBy('=').map(([name, value]) => [name, name === 'event_type' ? Number(value) : value])),
    },
    pairsBy(':').map(([key, value]) => string(key, value)),
  )
}

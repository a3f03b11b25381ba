import { columnInstant } from './instants.ts'
import { type Nested, type Property, storedProperties } from './model.ts'
import { oneHasPassing } from './property-filters.ts'
import type { Reading } from './reading.ts'
import { compareText, sameId } from './text.ts'
import { grouped } from './visits.ts'

/** An identify call, as a writer inserts it into `ingest_session_data`. */
export type SessionRecord = Nested & { website_id: string; session_id: string; distinct_id: string; created_at: string }

/** The current value of a session's property, and the record that contains it. */
export type CurrentValue = { sessionId: string; property: Property; record: SessionRecord }

/** The latest value for each session and key. At equal times, the greatest type wins, then the greatest text. */
export function currentValues(records: SessionRecord[], websiteId: string): CurrentValue[] {
  const all = records
    .filter((record) => sameId(record.website_id, websiteId))
    .flatMap((record) =>
      storedProperties(record).map((property) => ({ sessionId: record.session_id, property, record })),
    )
  const ofKeys = grouped(all, ({ sessionId, property }) => JSON.stringify([sessionId, property.key]))
  return [...ofKeys.values()].map((some) => some.toSorted(compareAge).at(-1)!)
}

function compareAge(left: CurrentValue, right: CurrentValue): number {
  return (
    columnInstant(left.record.created_at) - columnInstant(right.record.created_at) ||
    left.property.dataType - right.property.dataType ||
    compareText(left.property.stringValue, right.property.stringValue)
  )
}

/** Whether the session has current values that match all of these filters. */
export function passesSessionFilters(reading: Reading, websiteId: string, sessionId: string): boolean {
  const { sessionFilters, records, settings } = reading
  if (sessionFilters.length === 0) return true
  const own = currentValues(
    records.filter((record) => record.session_id === sessionId),
    websiteId,
  ).map(({ property }) => property)
  const timezone = settings.get('timezone') ?? 'UTC'
  return sessionFilters.every((filter) => oneHasPassing(filter, own, timezone))
}

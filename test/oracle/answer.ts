import { countFields, countProperties, countTypes, countValues, eventDataTotals, eventStatistics } from './counts.ts'
import { type Answer, type IngestRow, type OracleRequest, PERFORMANCE } from './model.ts'
import { list, newestFirst, page } from './paging.ts'
import { readQuery } from './reading.ts'
import { eventDataGroup, eventDataRows, eventRecord, hasProperties, passesSearch, pivotedRow } from './records.ts'
import { comparedRange, requestedRange, selectEvents } from './selection.ts'
import { sameId } from './text.ts'

export type { Answer, Endpoint, IngestRow, OracleRequest } from './model.ts'

/** The answer to a valid request, straight from the contract. Throws where the request is not valid. */
export function answer(rows: IngestRow[], request: OracleRequest): Answer {
  if (request.endpoint === 'event-data/:eventId') return oneEvent(rows, request)
  const reading = readQuery(request)
  const range = requestedRange(reading)
  const events = selectEvents(rows, request.websiteId, range, reading)
  switch (request.endpoint) {
    case 'events': {
      const search = reading.settings.get('search') ?? ''
      const found = events.filter((row) => row.event_type !== PERFORMANCE && passesSearch(row, search))
      return page(reading, newestFirst(found), eventRecord)
    }
    case 'events/stats': {
      const compared = selectEvents(rows, request.websiteId, comparedRange(reading, range), reading)
      return only({ data: { ...eventStatistics(events), comparison: eventStatistics(compared) } })
    }
    case 'event-data':
      return page(reading, newestFirst(events.filter(hasProperties)), eventDataGroup)
    case 'event-data/events':
      return list(reading, countTypes(events))
    case 'event-data/fields':
      return list(reading, countFields(events, reading))
    case 'event-data/properties':
      return list(reading, countProperties(events))
    case 'event-data/values':
      return list(reading, countValues(events, reading))
    case 'event-data/stats':
      return only([eventDataTotals(events)])
    case 'event-data-pivot': {
      const eventName = reading.settings.get('eventName')
      const named = events.filter((row) => row.event_name === eventName && hasProperties(row))
      return page(reading, newestFirst(named), pivotedRow)
    }
  }
}

/** `[]` for an event that is unknown or has no property. There is no range and no filter. */
function oneEvent(rows: IngestRow[], { websiteId, eventId = '' }: OracleRequest): Answer {
  const found = rows.filter((row) => sameId(row.website_id, websiteId) && sameId(row.event_id, eventId))
  return only(found.flatMap(eventDataRows))
}

function only(body: unknown): Answer {
  return { body, headers: {} }
}

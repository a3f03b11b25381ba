import {
  countFields,
  countProperties,
  countTypes,
  countValues,
  eventDataTotals,
  eventStatistics,
  named,
} from './counts.ts'
import { columnInstant } from './instants.ts'
import { type Answer, type IngestRow, type OracleRequest, PERFORMANCE } from './model.ts'
import { list, newestFirst, only, page } from './paging.ts'
import { type Reading, readQuery } from './reading.ts'
import {
  eventDataGroup,
  eventDataRows,
  eventRecord,
  hasProperties,
  identifiedRecord,
  passesSearch,
  pivotedRow,
} from './records.ts'
import { comparedRange, EVER, type Range, requestedRange, selectEvents } from './selection.ts'
import { containsIgnoringCase, sameId } from './text.ts'
import { visibleEvents, visibleRecords } from './visible.ts'

export type { Answer, Endpoint, IngestRow, OracleRequest } from './model.ts'

/** The answer to a valid request, computed directly from the contract. Throws if the request is invalid. */
export function answer(rows: IngestRow[], request: OracleRequest): Answer {
  const reading = readQuery({ ...request, records: visibleRecords(request) })
  const rowsIn = (window: Range) => visibleEvents(rows, request, window)
  if (request.endpoint === 'event-data/:eventId') return oneEvent(rowsIn(EVER), request, reading)
  if (request.endpoint === 'daterange') return firstAndLast(rowsIn(EVER), request)
  const range = requestedRange(reading)
  const search = reading.settings.get('search') ?? ''
  const selected = (range: Range) => selectEvents(rowsIn(range), request.websiteId, range, reading)
  const events = selected(range)
  const searched = events.filter((row) => passesSearch(row, search))
  switch (request.endpoint) {
    case 'events':
      return page(
        reading,
        newestFirst(named(searched, reading).filter((row) => row.event_type !== PERFORMANCE)),
        (row) =>
          reading.settings.get('include') === 'distinctId'
            ? identifiedRecord(row, request.isShare === true)
            : eventRecord(row),
      )
    case 'events/stats': {
      const compared = selected(comparedRange(reading, range)).filter((row) => passesSearch(row, search))
      return only({ data: { ...eventStatistics(searched), comparison: eventStatistics(compared) } })
    }
    case 'event-data':
      return page(reading, newestFirst(searched.filter(hasProperties)), eventDataGroup)
    case 'event-data/events':
      return list(reading, containing(search, countTypes(events, reading), ['eventName', 'propertyName']))
    case 'event-data/fields':
      return list(reading, containing(search, countFields(events, reading), ['propertyName', 'value']))
    case 'event-data/properties':
      return list(reading, containing(search, countProperties(events, reading), ['eventName', 'propertyName']))
    case 'event-data/values':
      return list(reading, containing(search, countValues(events, reading), ['value']))
    case 'event-data/stats':
      return only([eventDataTotals(searched, reading)])
    case 'event-data-pivot': {
      const eventName = reading.settings.get('eventName')
      const named = searched.filter((row) => row.event_name === eventName && hasProperties(row))
      return page(reading, newestFirst(named), pivotedRow)
    }
  }
}

/** The rows that contain the text in one of these columns. */
function containing<Column extends string, Row extends Record<Column, string>>(
  search: string,
  rows: Row[],
  columns: Column[],
): Row[] {
  return rows.filter((row) => columns.some((column) => containsIgnoringCase(row[column], search)))
}

/**
 * The properties of one event; `[]` for an event that is unknown or has no properties. A range has no effect. A search
 * keeps properties whose key or text contains the term, or whose event's name (or path) does.
 */
function oneEvent(rows: IngestRow[], { websiteId, eventId = '' }: OracleRequest, { settings }: Reading): Answer {
  const search = settings.get('search') ?? ''
  const found = rows.filter((row) => sameId(row.website_id, websiteId) && sameId(row.event_id, eventId))
  const named = found.flatMap(eventDataRows).map((row) => ({ row, name: row.eventName || row.urlPath }))
  const kept = named.filter(({ row, name }) =>
    [name, row.dataKey, row.stringValue].some((text) => containsIgnoringCase(text, search)),
  )
  return only(kept.map(({ row }) => row))
}

/** The times of a website's first and last event of any kind. */
function firstAndLast(rows: IngestRow[], { websiteId }: OracleRequest): Answer {
  const moments = rows.filter((row) => sameId(row.website_id, websiteId)).map((row) => columnInstant(row.created_at))
  const dateOf = (moment: number) => (moments.length === 0 ? null : new Date(moment).toISOString())
  return only({ startDate: dateOf(Math.min(...moments)), endDate: dateOf(Math.max(...moments)) })
}

import { clock, columnInstant, localDay, movedDay } from './instants.ts'
import type { Answer, IngestRow, OracleRequest, Report } from './model.ts'
import { only } from './paging.ts'
import { readQuery } from './reading.ts'
import { type Range, requestedRange, shownEvents } from './selection.ts'
import { visibleEvents } from './visible.ts'

export type Chart = { values: number[]; total: number }

/** Counts distinct sessions with shown views, by local half day and over the whole range. */
export function chart(rows: IngestRow[], websiteId: string, range: Range, timezone: string): Chart {
  const views = shownEvents(rows, websiteId, range).filter(({ event_type }) => [1, 3, 4].includes(event_type))
  const sessionsOf = (some: IngestRow[]) => new Set(some.map(({ session_id }) => session_id)).size
  const values = halves(range, timezone).map((half) =>
    sessionsOf(views.filter(({ created_at }) => halfOf(columnInstant(created_at), timezone) === half)),
  )
  return { values, total: sessionsOf(views) }
}

/** The answer to a valid request for a single website's chart. */
export function chartAnswer(rows: IngestRow[], request: OracleRequest<Report>): Answer {
  const reading = readQuery(request)
  const range = requestedRange(reading)
  return only(
    chart(visibleEvents(rows, request, range), request.websiteId, range, reading.settings.get('timezone') ?? 'UTC'),
  )
}

function halfOf(instant: number, timezone: string): string {
  return `${localDay(instant, timezone)} ${new Date(clock(instant, timezone)).getUTCHours() < 12 ? 0 : 1}`
}

function halves({ start, end }: Range, timezone: string): string[] {
  const [first, last] = [halfOf(start, timezone), halfOf(end, timezone)]
  const all: string[] = []
  for (let day = localDay(start, timezone); day <= localDay(end, timezone); day = movedDay(day, 1)) {
    all.push(`${day} 0`, `${day} 1`)
  }
  return all.filter((half) => half >= first && half <= last)
}

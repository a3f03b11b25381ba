import { expandedMetrics, metrics, values } from './breakdowns.ts'
import type { Answer, IngestRow, OracleRequest, Statistic } from './model.ts'
import { only } from './paging.ts'
import { arraySeries, dateSeries, numericSeries, numericStats, propertySeries } from './property-series.ts'
import { readQuery } from './reading.ts'
import { comparedRange, type Range, requestedRange, shownEvents } from './selection.ts'
import { eventSeries, pageviews } from './series.ts'
import { actionsOneByOne, selectSets } from './sets.ts'
import { distinctSessions, totals } from './totals.ts'
import { visibleEvents, visibleRecords } from './visible.ts'

const FIVE_MINUTES = 300_000

/**
 * The answer to a valid request for a statistic, computed directly from the contract. Throws if the request is invalid.
 */
export function statistic(rows: IngestRow[], request: OracleRequest<Statistic>): Answer {
  const { endpoint, websiteId } = request
  const reading = readQuery({ ...request, records: visibleRecords(request) })
  const rowsIn = (window: Range) => visibleEvents(rows, request, window)
  if (endpoint === 'active') {
    const lately = { start: reading.now - FIVE_MINUTES, end: reading.now }
    return only({ visitors: distinctSessions(shownEvents(rowsIn(lately), websiteId, lately)) })
  }
  const range = requestedRange(reading)
  const setsOf = (window: Range) => selectSets(rowsIn(window), websiteId, window, reading)
  const totalsOf = (window: Range) => {
    const { views, visits } = setsOf(window)
    return totals(views, visits)
  }
  const oneByOne = () => actionsOneByOne(rowsIn(range), websiteId, range, reading)
  switch (endpoint) {
    case 'stats':
      return only({
        ...totalsOf(range),
        ...(reading.settings.get('compare') !== 'none' && { comparison: totalsOf(comparedRange(reading, range)) }),
      })
    case 'pageviews':
      return only(pageviews(setsOf, reading, range))
    case 'metrics':
      return metrics(setsOf(range), reading)
    case 'metrics/expanded':
      return expandedMetrics(setsOf(range), reading)
    case 'values':
      return values(oneByOne(), reading)
    case 'events/series':
      return only(eventSeries(setsOf(range), reading, range))
    case 'event-data-pivot/property-series':
      return only(propertySeries(oneByOne(), reading, range))
    case 'event-data-pivot/array-series':
      return only(arraySeries(oneByOne(), reading, range))
    case 'event-data-pivot/date-series':
      return only(dateSeries(oneByOne(), reading))
    case 'event-data-pivot/numeric-series':
      return only(numericSeries(oneByOne(), reading, range))
    case 'event-data-pivot/numeric-stats':
      return only(numericStats(oneByOne(), reading))
  }
}

import { attribution } from './attribution.ts'
import { breakdown, UTM_TYPES, utm } from './breakdown-report.ts'
import { funnel, goal } from './funnels.ts'
import { journeys, retention } from './journeys.ts'
import type { Analysis, Answer, IngestRow, OracleRequest } from './model.ts'
import { performanceChart, performanceMetrics, performanceStats } from './performance.ts'
import { readQuery } from './reading.ts'
import { realtime, realtimeRange } from './realtime.ts'
import { type Earned, inCurrency, revenueChart, revenueCurrencies, revenueMetrics, revenueStats } from './revenue.ts'
import { salesOf } from './sales.ts'
import { comparedRange, EVER, type Range, requestedRange } from './selection.ts'
import * as data from './session-data.ts'
import { activity, oneSession, sessionProperties, sessionStats, sessions, weekly } from './sessions.ts'
import { actionsOneByOne, type Sets, selectSets } from './sets.ts'
import { visibleEvents, visibleRecords } from './visible.ts'

type Asking = OracleRequest<Analysis>

/**
 * The answer about sessions, session data, revenue, reports and realtime, computed directly from the contract. Throws
 * if the request is invalid.
 */
export function analysis(all: IngestRow[], asked: Asking): Answer {
  const request = { ...asked, records: visibleRecords(asked) }
  const { endpoint, websiteId, isShare = false } = request
  const rowsIn = (window: Range) => visibleEvents(all, asked, window)
  if (endpoint === 'sessions/:sessionId') return oneSession(rowsIn(EVER), { ...request, endpoint })
  if (endpoint === 'sessions/:sessionId/properties') return sessionProperties(rowsIn(EVER), { ...request, endpoint })
  const reading = readQuery(request)
  const setsOf = (window: Range) => selectSets(rowsIn(window), websiteId, window, reading)
  if (endpoint === 'realtime') return realtime(setsOf(realtimeRange(reading.now)), reading.now)
  const range = requestedRange(reading)
  if (endpoint === 'sessions/:sessionId/activity')
    return activity({ inRange: rowsIn(range), ever: rowsIn(EVER) }, { ...request, endpoint }, reading, range)
  const sets = setsOf(range)
  if (endpoint.startsWith('session-data')) return ofSessionData(sets, request, range)
  const sold = (window: Range) => salesOf(actionsOneByOne(rowsIn(window), websiteId, window, reading))
  const earned = (window: Range): Earned => ({ sets: setsOf(window), sales: inCurrency(sold(window), reading) })
  switch (endpoint) {
    case 'sessions':
      return sessions(sets, reading, isShare)
    case 'sessions/stats':
      return sessionStats(sets)
    case 'sessions/weekly':
      return weekly(sets, reading)
    case 'revenue/stats':
      return revenueStats(earned(range), earned(comparedRange(reading, range)))
    case 'revenue/chart':
      return revenueChart(earned(range), reading, range)
    case 'revenue/metrics':
      return revenueMetrics(earned(range), reading)
    case 'revenue/currencies':
      return revenueCurrencies({ sets, sales: sold(range) }, reading)
    case 'revenue/sessions': {
      const buyers = new Set(earned(range).sales.map(({ row }) => row.session_id))
      return sessions(sets, reading, isShare, (id) => buyers.has(id))
    }
    case 'goals/stats':
      return goal(sets, reading)
    case 'funnels/stats':
      return funnel(sets, reading)
    case 'journeys':
      return journeys(sets, reading)
    case 'retention':
      return retention(sets, reading)
    case 'attribution':
      return attribution(sets, reading)
    case 'breakdown':
      return breakdown(sets, reading)
    case 'utm/metrics':
      return utm(sets, reading)
    case 'performance/stats':
      return performanceStats(sets)
    case 'performance/chart':
      return performanceChart(sets, reading, range)
    case 'performance/metrics':
      return performanceMetrics(sets, reading)
    default:
      throw new Error(`Oracle: no such report: ${endpoint}`)
  }
}

function ofSessionData(sets: Sets, request: Asking, range: Range): Answer {
  const { endpoint, websiteId, isShare = false } = request
  const reading = readQuery(request)
  const known = data.sessionData(sets, reading, websiteId)
  switch (endpoint) {
    case 'session-data/properties':
      return data.sessionDataProperties(known, reading)
    case 'session-data/values':
      return data.sessionDataValues(known, reading)
    case 'session-data/stats':
      return data.sessionDataStats(known, reading)
    case 'session-data-pivot':
      return data.sessionDataPivot(known, reading, isShare)
    case 'session-data/property-series':
      return data.sessionPropertySeries(known, reading, range)
    case 'session-data/array-series':
      return data.sessionArraySeries(known, reading, range)
    case 'session-data/date-series':
      return data.sessionDateSeries(known, reading)
    case 'session-data/numeric-series':
      return data.sessionNumericSeries(known, reading, range)
    default:
      return data.sessionNumericStats(known, reading)
  }
}

/** The POST reports, each with the GET that gives the same answer. Reports that combine several GETs have none. */
export const POSTED = {
  goal: 'goals/stats',
  funnel: 'funnels/stats',
  journey: 'journeys',
  retention: 'retention',
  attribution: 'attribution',
  breakdown: 'breakdown',
  utm: undefined,
  performance: undefined,
  revenue: undefined,
} as const

export type Posted = keyof typeof POSTED

/** The answer body of a POST, computed from the query of the equivalent GET. */
export function posted(rows: IngestRow[], type: Posted, asked: Omit<Asking, 'endpoint'>): unknown {
  const get = (endpoint: Analysis, ...more: [string, string][]) =>
    analysis(rows, { ...asked, endpoint, query: [...asked.query, ...more] }).body
  const same = POSTED[type]
  if (same !== undefined) return get(same)
  if (type === 'utm') return Object.fromEntries(UTM_TYPES.map((one) => [one, get('utm/metrics', ['type', one])]))
  if (type === 'performance') {
    const of = (one: string) => get('performance/metrics', ['type', one])
    return {
      ...Object(get('performance/chart')),
      summary: get('performance/stats'),
      pages: of('path'),
      pageTitles: of('title'),
      devices: of('device'),
      browsers: of('browser'),
    }
  }
  const of = (one: string) => get('revenue/metrics', ['type', one])
  return {
    ...Object(get('revenue/chart')),
    total: get('revenue/stats'),
    country: of('country'),
    region: of('region'),
    referrer: of('referrer'),
    channel: of('channel'),
  }
}

import { type FieldCondition, isField, readTextTest } from './conditions.ts'
import type { OracleRequest, Report } from './model.ts'
import { type PropertyFilter, readEventPropertyFilter, readPivotPropertyFilter } from './property-filters.ts'
import { type Saved, type SavedParameters, savedConditions } from './saved.ts'
import type { SessionRecord } from './session-records.ts'
import { sameId } from './text.ts'

/** The meaning of a query: its settings by name, and three kinds of filters. */
export type Reading = {
  settings: Map<string, string>
  conditions: FieldCondition[]
  propertyFilters: PropertyFilter[]
  /** Conditions on the session's current values. */
  sessionFilters: PropertyFilter[]
  records: SessionRecord[]
  eventType: number | undefined
  cohort: SavedParameters | undefined
  now: number
}

const SETTINGS = [
  ...['startAt', 'endAt', 'startDate', 'endDate', 'timezone', 'unit', 'compare', 'match', 'excludeBounce'],
  ...['orderBy', 'sortDescending'],
  ...['search', 'page', 'pageSize', 'maxResults', 'limit', 'offset', 'propertyName', 'dataType'],
]

/** Further parameters of an endpoint. If the event name is taken literally, it is a setting rather than a filter. */
const OWN_SETTINGS: { [endpoint in Report]?: string[] } = {
  ...{ events: ['include', 'eventName'], 'event-data/properties': ['eventName'] },
  ...{ 'event-data/values': ['event', 'eventName'], 'event-data/events': ['eventName'] },
  ...{ 'event-data/stats': ['eventName'], 'event-data/fields': ['eventName'], 'event-data-pivot': ['eventName'] },
  ...{ pageviews: ['fill', 'include'], metrics: ['type'], 'metrics/expanded': ['type'], values: ['type'] },
  ...{ 'events/series': ['fill'], 'event-data-pivot/property-series': ['eventName', 'fill'] },
  ...{ 'event-data-pivot/array-series': ['eventName', 'fill'], 'event-data-pivot/date-series': ['eventName'] },
  'event-data-pivot/numeric-series': ['eventName', 'fill', 'metric'],
  ...{ 'event-data-pivot/numeric-stats': ['eventName'], 'sessions/:sessionId/activity': ['distinctId'] },
  ...{ 'session-data/property-series': ['fill'], 'session-data/array-series': ['fill'] },
  ...{ 'session-data/numeric-series': ['fill', 'metric'], 'revenue/stats': ['currency'] },
  ...{ 'revenue/chart': ['currency', 'fill'], 'revenue/metrics': ['currency', 'type'] },
  ...{ 'revenue/sessions': ['currency'], 'goals/stats': ['type', 'value'], 'funnels/stats': ['window', 'steps'] },
  ...{ journeys: ['steps', 'startStep', 'endStep'], attribution: ['model', 'type', 'step', 'currency'] },
  ...{ breakdown: ['fields'], 'utm/metrics': ['type'], 'performance/stats': ['metric'] },
  ...{ 'performance/chart': ['metric', 'fill'], 'performance/metrics': ['metric', 'type'] },
}

export function readQuery(request: OracleRequest<Report>): Reading {
  const { endpoint, query, saved = [], records = [], now = Date.now() } = request
  const reading: Reading = {
    ...{ settings: new Map(), conditions: [], propertyFilters: [], sessionFilters: [], records },
    ...{ eventType: undefined, cohort: undefined, now },
  }
  const settings = [...SETTINGS, ...(OWN_SETTINGS[endpoint] ?? [])]
  const names = query.map(([name]) => name)
  for (const [name, value] of query) {
    const inBrackets = /^filters\[(.*)\]$/s.exec(name)
    if (settings.includes(name)) reading.settings.set(name, value)
    else if (name === 'filters') readJson(reading, value)
    else if (inBrackets !== null) readFilter(reading, inBrackets[1]!, value)
    else if (/^epf\d+$/.test(name)) reading.propertyFilters.push(readEventPropertyFilter(value))
    else if (/^spf\d+$/.test(name)) reading.sessionFilters.push(readEventPropertyFilter(value))
    else if (name.startsWith('pf_')) {
      const filters = endpoint.startsWith('session-data') ? reading.sessionFilters : reading.propertyFilters
      filters.push(readPivotPropertyFilter(pivotName(name, names), value))
    } else readFilter(reading, name, value)
  }
  const segment = named(saved, 'segment', reading)
  if (segment) mergeSegment(reading, segment)
  reading.cohort = named(saved, 'cohort', reading)
  return reading
}

function named(saved: Saved[], type: Saved['type'], { settings }: Reading): SavedParameters | undefined {
  const id = settings.get(type)
  if (id === undefined) return undefined
  const found = saved.find((one) => one.type === type && sameId(one.id, id))
  if (found === undefined) throw new Error(`Oracle: no such ${type}: ${id}`)
  return found.parameters
}

/**
 * Adds the segment's filters, which replace filters with the same key. The segment's `match`, if any, replaces the
 * request's.
 */
function mergeSegment(reading: Reading, segment: SavedParameters): void {
  const added = savedConditions(segment)
  const kept = reading.conditions.filter(({ key }) => added.every((condition) => condition.key !== key))
  reading.conditions = [...kept, ...added]
  if (segment.match !== undefined) reading.settings.set('match', segment.match)
}

/** Reads `filters={"browser":"chrome","os":["c.win","c.mac"]}`. */
function readJson(reading: Reading, json: string): void {
  const filters: unknown = JSON.parse(json)
  for (const [name, value] of Object.entries<unknown>(Object(filters))) {
    for (const single of Array.isArray(value) ? value : [value]) readFilter(reading, name, String(single))
  }
}

function readFilter(reading: Reading, name: string, value: string): void {
  const field = isField(name) ? name : name.replace(/\d+$/, '')
  if (name === 'eventType') reading.eventType = Number(value)
  else if (name === 'segment' || name === 'cohort') reading.settings.set(name, value)
  else if (isField(field)) reading.conditions.push({ key: name, field, ...readTextTest(value) })
  else throw new Error(`Oracle: unknown parameter ${name}`)
}

/** `pf_plan1` repeats `plan` if `pf_plan` is present; otherwise the digit belongs to the name. */
function pivotName(parameter: string, names: string[]): string {
  const unnumbered = parameter.replace(/\d+$/, '')
  return (names.includes(unnumbered) ? unnumbered : parameter).slice('pf_'.length)
}

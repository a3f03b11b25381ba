import { type FieldCondition, isField, readTextTest } from './conditions.ts'
import type { Endpoint, OracleRequest } from './model.ts'
import { type PropertyFilter, readEventPropertyFilter, readPivotPropertyFilter } from './property-filters.ts'

/** What a query says: single settings by name, and three kinds of filters. */
export type Reading = {
  settings: Map<string, string>
  conditions: FieldCondition[]
  propertyFilters: PropertyFilter[]
  eventType: number | undefined
}

const SETTINGS = [
  ...['startAt', 'endAt', 'startDate', 'endDate', 'timezone', 'unit', 'compare', 'match', 'excludeBounce'],
  ...['search', 'page', 'pageSize', 'maxResults', 'limit', 'offset', 'propertyName', 'dataType'],
]

/** Where the event's name is literal, it is a setting and not a filter. */
const LITERAL_NAMES: { [endpoint in Endpoint]?: string[] } = {
  'event-data/values': ['event', 'eventName'],
  'event-data/fields': ['eventName'],
  'event-data-pivot': ['eventName'],
}

export function readQuery({ endpoint, query }: OracleRequest): Reading {
  const reading: Reading = { settings: new Map(), conditions: [], propertyFilters: [], eventType: undefined }
  const settings = [...SETTINGS, ...(LITERAL_NAMES[endpoint] ?? [])]
  const names = query.map(([name]) => name)
  for (const [name, value] of query) {
    const inBrackets = /^filters\[(.*)\]$/s.exec(name)
    if (settings.includes(name)) reading.settings.set(name, value)
    else if (name === 'filters') readJson(reading, value)
    else if (inBrackets !== null) readFilter(reading, inBrackets[1]!, value)
    else if (/^epf\d+$/.test(name)) reading.propertyFilters.push(readEventPropertyFilter(value))
    else if (name.startsWith('pf_'))
      reading.propertyFilters.push(readPivotPropertyFilter(pivotName(name, names), value))
    else readFilter(reading, name, value)
  }
  return reading
}

/** `filters={"browser":"chrome","os":["c.win","c.mac"]}` */
function readJson(reading: Reading, json: string): void {
  const filters: unknown = JSON.parse(json)
  for (const [name, value] of Object.entries<unknown>(Object(filters))) {
    for (const single of Array.isArray(value) ? value : [value]) readFilter(reading, name, String(single))
  }
}

function readFilter(reading: Reading, name: string, value: string): void {
  const field = isField(name) ? name : name.replace(/\d+$/, '')
  if (name === 'eventType') reading.eventType = Number(value)
  else if (isField(field)) reading.conditions.push({ field, ...readTextTest(value) })
  else throw new Error(`Oracle: unknown parameter ${name}`)
}

/** `pf_plan1` is `plan` again where `pf_plan` is there too; else the digit belongs to the name. */
function pivotName(parameter: string, names: string[]): string {
  const unnumbered = parameter.replace(/\d+$/, '')
  return (names.includes(unnumbered) ? unnumbered : parameter).slice('pf_'.length)
}

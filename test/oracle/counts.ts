import { ARRAY, CUSTOM_EVENT, type IngestRow, type Property, storedProperties } from './model.ts'
import { elementTexts, valueText } from './properties.ts'
import type { Reading } from './reading.ts'
import { hasProperties } from './records.ts'
import { compareText } from './text.ts'

type PropertyRecord = { eventName: string; property: Property }

function propertyRecords(events: IngestRow[]): PropertyRecord[] {
  return events.flatMap((row) => storedProperties(row).map((property) => ({ eventName: row.event_name, property })))
}

/** The events with exactly the requested name, or all events if no name is requested. */
export function named(events: IngestRow[], { settings }: Reading): IngestRow[] {
  const eventName = settings.get('eventName')
  return events.filter((row) => eventName === undefined || row.event_name === eventName)
}

/** One row per distinct group, with its number of occurrences. */
function tally<Group extends object>(groups: Group[]): (Group & { total: number })[] {
  const rows = new Map<string, Group & { total: number }>()
  for (const group of groups) {
    const key = JSON.stringify(group)
    const row = rows.get(key) ?? { ...group, total: 0 }
    rows.set(key, { ...row, total: row.total + 1 })
  }
  return [...rows.values()]
}

export function eventStatistics(events: IngestRow[]) {
  const custom = events.filter((row) => row.event_type === CUSTOM_EVENT)
  return {
    events: custom.length,
    visitors: new Set(custom.map((row) => row.session_id)).size,
    visits: new Set(custom.map((row) => row.visit_id)).size,
    uniqueEvents: new Set(custom.map((row) => row.event_name)).size,
  }
}

/** Counts sorted by event name, property name and data type. */
export function countTypes(events: IngestRow[], reading: Reading) {
  const groups = propertyRecords(named(events, reading)).map(({ eventName, property }) => ({
    ...{ eventName, propertyName: property.key, dataType: property.dataType },
  }))
  return tally(groups).sort(
    (left, right) =>
      compareText(left.eventName, right.eventName) ||
      compareText(left.propertyName, right.propertyName) ||
      left.dataType - right.dataType,
  )
}

/** Counts sorted by descending total, then property name, value and data type. */
export function countFields(events: IngestRow[], reading: Reading) {
  const groups = propertyRecords(named(events, reading)).map(({ property }) => ({
    ...{ propertyName: property.key, dataType: property.dataType, value: valueText(property) },
  }))
  return tally(groups).sort(
    (left, right) =>
      right.total - left.total ||
      compareText(left.propertyName, right.propertyName) ||
      compareText(left.value, right.value) ||
      left.dataType - right.dataType,
  )
}

/**
 * Counts sorted by event name, descending total and property name. `dataType` is the most frequent type of the
 * records, or the smallest of equally frequent types.
 */
export function countProperties(events: IngestRow[], reading: Reading) {
  const only = reading.settings.get('propertyName')
  const records = propertyRecords(named(events, reading)).filter(
    ({ property }) => only === undefined || property.key === only,
  )
  const groups = records.map(({ eventName, property }) => ({ eventName, propertyName: property.key }))
  const typeOfMost = ({ eventName, propertyName }: (typeof groups)[number]) => {
    const own = records.filter((one) => one.eventName === eventName && one.property.key === propertyName)
    const count = (type: number) => own.filter(({ property }) => property.dataType === type).length
    return [1, 2, 3, 4, 5].reduce((most, type) => (count(type) > count(most) ? type : most))
  }
  return tally(groups)
    .map((row) => ({ ...row, dataType: typeOfMost(row) }))
    .sort(
      (left, right) =>
        compareText(left.eventName, right.eventName) ||
        right.total - left.total ||
        compareText(left.propertyName, right.propertyName),
    )
}

/** Counts sorted by descending total, then value, for the event name, if any. For type 5, elements are counted. */
export function countValues(events: IngestRow[], { settings }: Reading) {
  const eventName = settings.get('event') ?? settings.get('eventName')
  const dataType = settings.get('dataType')
  const properties = propertyRecords(events)
    .filter((record) => eventName === undefined || record.eventName === eventName)
    .map((record) => record.property)
    .filter((property) => property.key === settings.get('propertyName'))
    .filter((property) => dataType === undefined || property.dataType === Number(dataType))
  const values = Number(dataType) === ARRAY ? properties.flatMap(elementTexts) : properties.map(valueText)
  return tally(values.map((value) => ({ value }))).sort(
    (left, right) => right.total - left.total || compareText(left.value, right.value),
  )
}

/**
 * One object: the numbers of events with a property, of distinct property names over all events and types, and of
 * property records.
 */
export function eventDataTotals(events: IngestRow[], reading: Reading) {
  const counted = named(events, reading)
  const records = propertyRecords(counted)
  return {
    events: counted.filter(hasProperties).length,
    properties: new Set(records.map(({ property }) => property.key)).size,
    records: records.length,
  }
}

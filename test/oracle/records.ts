import { columnInstant, isoSecond } from './instants.ts'
import { CUSTOM_EVENT, type IngestRow, PAGE_VIEW, type Property } from './model.ts'
import { propertiesOf, valueText } from './properties.ts'
import { containsIgnoringCase } from './text.ts'

export function hasProperties(row: IngestRow): boolean {
  return row['properties.key'].length > 0
}

/** Whether a custom event's name or a page view's path contains the text. An empty text matches everything. */
export function passesSearch(row: IngestRow, search: string): boolean {
  if (search === '') return true
  if (row.event_type === CUSTOM_EVENT) return containsIgnoringCase(row.event_name, search)
  return row.event_type === PAGE_VIEW && containsIgnoringCase(row.url_path, search)
}

/** An event, as the list of events returns it. */
export function eventRecord(row: IngestRow) {
  return {
    ...{ id: row.event_id.toLowerCase(), websiteId: row.website_id.toLowerCase() },
    ...{ sessionId: row.session_id.toLowerCase(), visitId: row.visit_id.toLowerCase(), createdAt: createdAt(row) },
    ...{ hostname: row.hostname, urlPath: row.url_path, urlQuery: row.url_query, referrerPath: row.referrer_path },
    ...{ referrerQuery: row.referrer_query, referrerDomain: row.referrer_domain, country: row.country },
    ...{ city: row.city, device: row.device, os: row.os, browser: row.browser, pageTitle: row.page_title },
    ...{ eventType: row.event_type, eventName: row.event_name },
    hasData: hasProperties(row) ? 1 : 0,
  }
}

/** Includes the event's own distinct id, which is hidden from shares. */
export function identifiedRecord(row: IngestRow, isShare: boolean) {
  return { ...eventRecord(row), distinctId: isShare ? null : row.distinct_id || null }
}

/** An event with all its properties. */
export function eventDataGroup(row: IngestRow) {
  return {
    ...{ websiteId: row.website_id.toLowerCase(), eventId: row.event_id.toLowerCase(), eventName: row.event_name },
    eventProperties: propertiesOf(row).map((property) => propertyEntry(row, property)),
  }
}

/** One row per property of the event. */
export function eventDataRows(row: IngestRow) {
  return propertiesOf(row).map((property) => ({
    ...{ websiteId: row.website_id.toLowerCase(), sessionId: row.session_id.toLowerCase() },
    ...{ eventId: row.event_id.toLowerCase(), urlPath: row.url_path, eventName: row.event_name },
    ...propertyEntry(row, property),
  }))
}

/** The string value is the stored text. */
function propertyEntry(row: IngestRow, { key, dataType, stringValue, numberValue, dateValue }: Property) {
  return {
    dataKey: key,
    stringValue,
    numberValue: numberValue === null ? null : Number(numberValue),
    dateValue: dateValue === null ? null : isoSecond(columnInstant(dateValue)),
    dataType,
    createdAt: createdAt(row),
  }
}

/** An event as a row of the pivot. */
export function pivotedRow(row: IngestRow) {
  const properties = propertiesOf(row)
  return {
    ...{ eventId: row.event_id.toLowerCase(), sessionId: row.session_id.toLowerCase(), eventName: row.event_name },
    ...{ urlPath: row.url_path, createdAt: createdAt(row) },
    propertyKeys: properties.map((property) => property.key),
    propertyValues: properties.map(valueText),
  }
}

function createdAt(row: IngestRow): string {
  return isoSecond(columnInstant(row.created_at))
}

import { ARRAY, BOOLEAN, DATE, type IngestRow, NUMBER, PAGE_VIEW, type Property, STRING } from './model.ts'
import type { SessionRecord } from './session-records.ts'

export const WEBSITE = '11111111-1111-4111-8111-111111111111'
export const OTHER_WEBSITE = '22222222-2222-4222-8222-222222222222'

export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** An empty custom event at noon on the test day. */
export function event(changes: Partial<IngestRow> = {}, properties: Property[] = []): IngestRow {
  const columns: IngestRow = {
    ...{ website_id: WEBSITE, session_id: id(100), visit_id: id(200), event_id: id(1) },
    ...{ created_at: '2025-10-15 12:00:00.000', event_type: 2, event_name: '', hostname: '', browser: '', os: '' },
    ...{ device: '', screen: '', language: '', country: '', region: '', city: '', url_path: '', url_query: '' },
    ...{ utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '', referrer_path: '' },
    ...{ referrer_query: '', referrer_domain: '', page_title: '', tag: '', distinct_id: '' },
    'properties.key': properties.map((property) => property.key),
    'properties.data_type': properties.map((property) => property.dataType),
    'properties.string_value': properties.map((property) => property.stringValue),
    'properties.number_value': properties.map((property) => property.numberValue),
    'properties.date_value': properties.map((property) => property.dateValue),
  }
  return { ...columns, ...changes }
}

export function string(key: string, text: string): Property {
  return { key, dataType: STRING, stringValue: text, numberValue: null, dateValue: null }
}

export function number(key: string, text: string): Property {
  return { key, dataType: NUMBER, stringValue: text, numberValue: text, dateValue: null }
}

export function boolean(key: string, truth: boolean): Property {
  return { key, dataType: BOOLEAN, stringValue: String(truth), numberValue: null, dateValue: null }
}

/** `iso` is a UTC instant with milliseconds. */
export function date(key: string, iso: string): Property {
  const dateValue = iso.replace('T', ' ').replace('Z', '')
  return { key, dataType: DATE, stringValue: iso, numberValue: null, dateValue }
}

export function array(key: string, elements: unknown[]): Property {
  return { key, dataType: ARRAY, stringValue: JSON.stringify(elements), numberValue: null, dateValue: null }
}

/** An empty page view at this time on the test day. */
export function view(time: string, changes: Partial<IngestRow> = {}): IngestRow {
  return event({ event_type: PAGE_VIEW, created_at: `2025-10-15 ${time}.000`, ...changes })
}

/** An identify call at this time on the test day. */
export function record(time: string, properties: Property[], changes: Partial<SessionRecord> = {}): SessionRecord {
  const row = event({ created_at: `2025-10-15 ${time}.000` }, properties)
  return {
    ...{ website_id: row.website_id, session_id: row.session_id, distinct_id: row.distinct_id },
    created_at: row.created_at,
    'properties.key': row['properties.key'],
    'properties.data_type': row['properties.data_type'],
    'properties.string_value': row['properties.string_value'],
    'properties.number_value': row['properties.number_value'],
    'properties.date_value': row['properties.date_value'],
    ...changes,
  }
}

/** The parameters of a grid request. */
export interface Question {
  readonly websiteId: string
  readonly startAt: number
  readonly endAt: number
  /** One browser and one country; all if undefined. */
  readonly only: { readonly browser: string; readonly country: string } | undefined
  readonly limit: number
  readonly offset: number
  readonly eventName: string
  readonly propertyName: string
  readonly eventId: string
}

/** Statements for the naive layout, sent one after the other. A count with a page takes two. */
export type NaiveStatements = readonly string[]

/** The parameter values for all statements; none uses every one. */
export function parametersOf({ only, ...question }: Question): Record<string, unknown> {
  const { startAt, endAt } = question
  return { ...question, ...only, startBefore: startAt - (endAt - startAt) - 1, endBefore: startAt - 1 }
}

const between = (start: string, end: string): string => `
  website_id = {websiteId:UUID}
  and created_at >= fromUnixTimestamp64Milli({${start}:Int64}, 'UTC')
  and created_at <= fromUnixTimestamp64Milli({${end}:Int64}, 'UTC')`

const filtered = ({ only }: Question, range = between('startAt', 'endAt')): string =>
  only ? `${range} and browser = {browser:String} and country = {country:String}` : range

const page = 'limit {limit:UInt32} offset {offset:UInt32}'

/** The range's properties joined with their events, because only events have the filtered columns. */
const joined = (question: Question, condition = ''): string => `
  from event_data
  join (select event_id from events where ${filtered(question)}) as selected on selected.event_id = event_data.event_id
  where ${between('startAt', 'endAt').replaceAll('created_at', 'event_data.created_at')}${condition}`

/** The answer's text of a value in this layout: numbers lose trailing zeros of their fraction. */
const value = `if(data_type = 2, replaceRegexpOne(assumeNotNull(string_value), '\\\\.?0+$', ''), assumeNotNull(string_value))`

const totals =
  'count() as events, uniqExact(session_id) as visitors, uniqExact(visit_id) as visits, uniqExact(event_name) as names'

/** The statements of each endpoint. If there are two, the first one counts the rows of the whole list. */
export const naive: Readonly<Record<string, (question: Question) => NaiveStatements>> = {
  events: (question) => [
    `select count() as total from events where ${filtered(question)} and event_type != 5`,
    `select event_id, website_id, session_id, created_at, hostname, url_path, url_query, referrer_path, referrer_query,
       referrer_domain, country, city, device, os, browser, page_title, event_type, event_name,
       event_id in (select event_id from event_data where ${between('startAt', 'endAt')}) as hasData
     from events where ${filtered(question)} and event_type != 5
     order by created_at desc, event_id desc ${page}`,
  ],
  'events/stats': (question) => [
    `select ${totals} from events where ${filtered(question)} and event_type = 2`,
    `select ${totals} from events where ${filtered(question, between('startBefore', 'endBefore'))} and event_type = 2`,
  ],
  'event-data': (question) => [
    `select uniqExact(event_data.event_id) as total ${joined(question)}`,
    `select event_data.event_id as id, any(event_name) as name, max(event_data.created_at) as at, groupArray(data_key),
       groupArray(data_type), groupArray(string_value), groupArray(number_value), groupArray(date_value)
     ${joined(question)}
     group by id order by at desc, id desc ${page}`,
  ],
  'event-data/:eventId': () => [
    `select website_id, session_id, event_id, url_path, event_name, data_key, string_value, number_value, date_value,
       data_type, created_at
     from event_data where website_id = {websiteId:UUID} and event_id = {eventId:UUID} order by data_key`,
  ],
  'event-data/events': (question) => [
    `select event_name, data_key, data_type, count() as total ${joined(question)}
     group by event_name, data_key, data_type order by event_name, data_key, data_type ${page}`,
  ],
  'event-data/fields': (question) => [
    `select data_key, data_type, ${value} as value, count() as total ${joined(question)}
     group by data_key, data_type, value order by total desc, data_key, data_type, value ${page}`,
  ],
  'event-data/properties': (question) => [
    `select event_name, data_key, count() as total ${joined(question)}
     group by event_name, data_key order by event_name, total desc, data_key ${page}`,
  ],
  'event-data/values': (question) => [
    `select ${value} as value, count() as total
     ${joined(question, ' and event_name = {eventName:String} and data_key = {propertyName:String}')}
     group by value order by total desc, value ${page}`,
  ],
  'event-data/stats': (question) => [
    `select uniqExact(event_data.event_id) as events, uniqExact(data_key) as properties, count() as records ${joined(question)}`,
  ],
  'event-data-pivot': (question) => [
    `select uniqExact(event_data.event_id) as total ${joined(question, ' and event_name = {eventName:String}')}`,
    `select event_data.event_id as id, any(event_data.session_id), any(event_name), any(url_path),
       max(event_data.created_at) as at, groupArray(data_key), groupArray(string_value)
     ${joined(question, ' and event_name = {eventName:String}')}
     group by id order by at desc, id desc ${page}`,
  ],
}

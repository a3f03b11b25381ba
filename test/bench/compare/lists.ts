import { all, type Fragment, instant, sql, text, uint32, uuid } from '../../../src/query/language/sql.ts'
import type { Asked, Question } from './question.ts'
import type { Row } from './same.ts'
import { during, events } from './statistics.ts'

const pageSize = 20

/** The page numbers of a list that are measured. */
const pages = [1, 500]

const slice = (page: number): Fragment => sql`limit ${uint32(pageSize)} offset ${uint32((page - 1) * pageSize)}`

/** The properties in the range, joined with their events, because only events have the columns that filters need. */
const joined = (asked: Asked, ...conditions: readonly Fragment[]): Fragment => sql`
  from event_data
  join (select event_id ${events.from(asked)}) as selected on selected.event_id = event_data.event_id
  where ${all(
    sql`website_id = ${uuid(asked.websiteId)}`,
    sql`event_data.created_at >= ${instant(asked.startAt)}`,
    sql`event_data.created_at <= ${instant(asked.endAt)}`,
    ...conditions,
  )}`

/** A value as the answer shows it: numbers without trailing zeros in the fraction. */
const value = sql`
  if(data_type = 2, replaceRegexpOne(assumeNotNull(string_value), '\\\\.?0+$', ''), assumeNotNull(string_value))`

const isAction = sql`event_type < 5`
const isSearch = sql`event_name = ${text('search')}`
const isQuery = sql`data_key = ${text('query')}`

/** The properties of each event, newest first. */
const eventsWithData = (asked: Asked, page: number, ...conditions: readonly Fragment[]): readonly Fragment[] => [
  sql`select uniqExact(event_data.event_id) as count ${joined(asked, ...conditions)}`,
  sql`
    select event_data.event_id as eventId, any(event_data.session_id), any(event_name), any(url_path),
      max(event_data.created_at) as at, groupArray(data_key), groupArray(data_type), groupArray(string_value),
      groupArray(number_value), groupArray(date_value)
    ${joined(asked, ...conditions)}
    group by eventId order by at desc, eventId desc ${slice(page)}`,
]

interface Page {
  readonly data: readonly Row[]
  readonly count: number
}

/** A paged list: its count, and the ids of its rows. */
const paged = (
  endpoint: string,
  id: 'id' | 'eventId',
  naive: (asked: Asked, page: number) => readonly Fragment[],
  query: Readonly<Record<string, string>> = {},
): Question[] =>
  pages.map((page) => ({
    ...{ endpoint, variant: `page ${page}`, filters: ['none', 'client'] },
    query: { ...query, page: String(page), pageSize: String(pageSize) },
    naive: (asked) => naive(asked, page),
    rows: ({ data, count }: Page) => [{ count }, ...data.map((row) => ({ [id]: row[id]! }))],
  }))

/** A list of rows with totals. */
const totals = (
  endpoint: string,
  naive: (asked: Asked) => Fragment,
  query: Readonly<Record<string, string>> = {},
): Question[] =>
  pages.map((page) => ({
    ...{ endpoint, variant: `page ${page}`, filters: ['none', 'client'] },
    query: { ...query, limit: String(pageSize), offset: String((page - 1) * pageSize) },
    naive: (asked) => [sql`${naive(asked)} ${slice(page)}`],
    rows: (body: readonly Row[]) => body.map(({ total }) => ({ total: total! })),
  }))

/** Questions about lists of events and of their properties. */
export const ofLists: readonly Question[] = [
  ...paged('events', 'id', (asked, page) => [
    sql`select count() as count ${events.from(asked, isAction)}`,
    sql`
      select event_id as id, website_id, session_id, created_at, hostname, url_path, url_query, referrer_path,
        referrer_query, referrer_domain, country, city, device, os, browser, page_title, event_type, event_name,
        event_id in (select event_id from event_data where ${during(asked)}) as hasData
      ${events.from(asked, isAction)} order by created_at desc, event_id desc ${slice(page)}`,
  ]),
  ...paged('event-data', 'eventId', (asked, page) => eventsWithData(asked, page)),
  ...paged('event-data-pivot', 'eventId', (asked, page) => eventsWithData(asked, page, isSearch), {
    eventName: 'search',
  }),
  ...totals(
    'event-data/events',
    (asked) => sql`
      select event_name, data_key, data_type, count() as total ${joined(asked)}
      group by event_name, data_key, data_type order by event_name, data_key, data_type`,
  ),
  ...totals(
    'event-data/fields',
    (asked) => sql`
      select data_key, data_type, ${value} as value, count() as total ${joined(asked)}
      group by data_key, data_type, value order by total desc, data_key, data_type, value`,
  ),
  ...totals(
    'event-data/properties',
    (asked) => sql`
      select event_name, data_key, count() as total ${joined(asked)}
      group by event_name, data_key order by event_name, total desc, data_key`,
  ),
  ...totals(
    'event-data/values',
    (asked) => sql`
      select ${value} as value, count() as total ${joined(asked, isSearch, isQuery)}
      group by value order by total desc, value`,
    { event: 'search', propertyName: 'query' },
  ),
  {
    endpoint: 'event-data/stats',
    filters: ['none', 'client'],
    naive: (asked) => [
      sql`
        select uniqExact(event_data.event_id) as events, uniqExact(data_key) as properties, count() as records
        ${joined(asked)}`,
    ],
    rows: (body: readonly Row[]) => body,
  },
  {
    endpoint: 'event-data/:eventId',
    takesNoRange: true,
    naive: ({ websiteId, eventId }) => [
      sql`
        select website_id, session_id, event_id, url_path, event_name, data_key as dataKey, string_value, number_value,
          date_value, data_type, created_at
        from event_data where website_id = ${uuid(websiteId)} and event_id = ${uuid(eventId)} order by data_key`,
    ],
    rows: (body: readonly Row[]) => body.map(({ dataKey }) => ({ dataKey: dataKey! })),
  },
]

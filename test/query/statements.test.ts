import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { type Compiled, compile, type Fragment } from '../../src/query/language/sql.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { encodeCursor } from '../../src/request/page.ts'
import { wholeWebsite } from '../support/scope.ts'
import { sentBy } from '../support/statements.ts'

const websiteId = '11111111-1111-4111-8111-111111111111'
const eventId = '22222222-2222-4222-8222-222222222222'
const range = { startAt: '1760486400000', endAt: '1760572799999' }

/** The statements that a report plans for a query string, as they are sent. */
function planned(name: string, query: Record<string, string>): Record<string, Compiled> {
  const report = endpoints.find((endpoint) => endpoint.name === name)!
  if (report.kind !== 'report') throw new Error(`${name} is no report.`)
  const input = { ...(report.query.schema.parse(query) as object), websiteId, eventId }
  const plan: Record<string, Statement<unknown>> = report.plan(input as never, wholeWebsite(websiteId))
  const sent = (body: Fragment): Compiled => {
    const { query, query_params } = compile(body)
    return { query, query_params }
  }
  return Object.fromEntries(Object.entries(sentBy(plan)).map(([part, body]) => [part, sent(body)]))
}

describe('the statements of', () => {
  it('events count and read one page', () => {
    expect(planned('getWebsiteEvents', range)).toMatchInlineSnapshot(`
      {
        "rows": {
          "query": "select event_id as f_event_id, toUnixTimestamp64Milli(created_at) as f_created_ms, session_id as f_sessionId, visit_id as f_visitId, packed as f_packed, event_type as f_eventType from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_type != 5 order by created_at desc, event_id desc, sipHash64(tuple(*)) limit {p3:UInt64} offset {p4:UInt64}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
            "p3": 21,
            "p4": 0,
          },
        },
        "short.rows": {
          "query": "select event_id as f_event_id, toUnixTimestamp64Milli(created_at) as f_created_ms, session_id as f_sessionId, visit_id as f_visitId, packed as f_packed, event_type as f_eventType from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_type != 5 order by created_at desc, event_id desc limit {p3:UInt64} offset {p4:UInt64}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
            "p3": 21,
            "p4": 0,
          },
        },
      }
    `)
  })

  it('events after a cursor, searched and filtered', () => {
    const cursor = encodeCursor({ createdAt: 1_760_529_600_000, eventId, before: 20, ties: 0 })
    const query = { ...range, cursor, maxResults: '100', search: 'sign', browser: 'neq.chrome,firefox', os: 'c.mac' }
    expect(planned('getWebsiteEvents', query)).toMatchInlineSnapshot(`
      {
        "count": {
          "query": "select sum(events) as count from (select count() as events from (select 1 from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and browser not in {p3:Array(String)} and match(os, concat('(?i)', regexpQuoteMeta({p4:String}))) and event_type != 5 and (event_type = 2 and match(event_name, concat('(?i)', regexpQuoteMeta({p5:String}))) or event_type = 1 and match(url_path, concat('(?i)', regexpQuoteMeta({p6:String})))) limit {p7:UInt64}))",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
            "p3": [
              "chrome",
              "firefox",
              "chrome,firefox",
            ],
            "p4": "mac",
            "p5": "sign",
            "p6": "sign",
            "p7": 101,
          },
        },
        "rows": {
          "query": "select event_id as f_event_id, toUnixTimestamp64Milli(created_at) as f_created_ms, session_id as f_sessionId, visit_id as f_visitId, packed as f_packed, event_type as f_eventType
      from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and browser not in {p3:Array(String)} and match(os, concat('(?i)', regexpQuoteMeta({p4:String}))) and event_type != 5 and (event_type = 2 and match(event_name, concat('(?i)', regexpQuoteMeta({p5:String}))) or event_type = 1 and match(url_path, concat('(?i)', regexpQuoteMeta({p6:String})))) and created_at <= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
      and (created_at < fromUnixTimestamp64Milli({p8:Int64}, 'UTC') or event_id < {p9:UUID}) and
      (created_at, event_id) global in (
      select created_at, event_id from events where website_id = {p10:UUID} and created_at >= fromUnixTimestamp64Milli({p11:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p12:Int64}, 'UTC') and browser not in {p13:Array(String)} and match(os, concat('(?i)', regexpQuoteMeta({p14:String}))) and event_type != 5 and (event_type = 2 and match(event_name, concat('(?i)', regexpQuoteMeta({p15:String}))) or event_type = 1 and match(url_path, concat('(?i)', regexpQuoteMeta({p16:String})))) and created_at <= fromUnixTimestamp64Milli({p17:Int64}, 'UTC')
      and (created_at < fromUnixTimestamp64Milli({p18:Int64}, 'UTC') or event_id < {p19:UUID})
      order by created_at desc, event_id desc limit {p20:UInt64} offset {p21:UInt64}
      )
      order by created_at desc, event_id desc, sipHash64(tuple(*)) limit {p22:UInt64} offset {p23:UInt64}",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p10": "11111111-1111-4111-8111-111111111111",
            "p11": 1760486400000,
            "p12": 1760572799999,
            "p13": [
              "chrome",
              "firefox",
              "chrome,firefox",
            ],
            "p14": "mac",
            "p15": "sign",
            "p16": "sign",
            "p17": 1760529600000,
            "p18": 1760529600000,
            "p19": "22222222-2222-4222-8222-222222222222",
            "p2": 1760572799999,
            "p20": 21,
            "p21": 0,
            "p22": 21,
            "p23": 0,
            "p3": [
              "chrome",
              "firefox",
              "chrome,firefox",
            ],
            "p4": "mac",
            "p5": "sign",
            "p6": "sign",
            "p7": 1760529600000,
            "p8": 1760529600000,
            "p9": "22222222-2222-4222-8222-222222222222",
          },
        },
        "short.rows": {
          "query": "select event_id as f_event_id, toUnixTimestamp64Milli(created_at) as f_created_ms, session_id as f_sessionId, visit_id as f_visitId, packed as f_packed, event_type as f_eventType
      from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and browser not in {p3:Array(String)} and match(os, concat('(?i)', regexpQuoteMeta({p4:String}))) and event_type != 5 and (event_type = 2 and match(event_name, concat('(?i)', regexpQuoteMeta({p5:String}))) or event_type = 1 and match(url_path, concat('(?i)', regexpQuoteMeta({p6:String})))) and created_at <= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')
      and (created_at < fromUnixTimestamp64Milli({p8:Int64}, 'UTC') or event_id < {p9:UUID})
      order by created_at desc, event_id desc limit {p10:UInt64} offset {p11:UInt64}",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p10": 21,
            "p11": 0,
            "p2": 1760572799999,
            "p3": [
              "chrome",
              "firefox",
              "chrome,firefox",
            ],
            "p4": "mac",
            "p5": "sign",
            "p6": "sign",
            "p7": 1760529600000,
            "p8": 1760529600000,
            "p9": "22222222-2222-4222-8222-222222222222",
          },
        },
      }
    `)
  })

  it('events under every kind of filter', () => {
    const query = {
      ...range,
      match: 'any',
      path: 're.^/a',
      referrer: 't.co',
      eventType: '1,2',
      excludeBounce: '1',
      epf0: '2.gt.price.10',
    }
    expect(planned('getWebsiteEvents', query).rows).toMatchInlineSnapshot(`
      {
        "query": "select event_id as f_event_id, toUnixTimestamp64Milli(created_at) as f_created_ms, session_id as f_sessionId, visit_id as f_visitId, packed as f_packed, event_type as f_eventType from events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and (match(url_path, concat('(?i)', {p3:String})) or (referrer_domain = {p4:String} and (hostname = '' or referrer_domain != hostname and referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname)))) and match('', concat('(?i)', {p5:String})) in (0, 1) and event_type in {p6:Array(UInt8)} and visit_id global not in (
      select visit_id
      from events where website_id = {p7:UUID} and created_at >= fromUnixTimestamp64Milli({p8:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p9:Int64}, 'UTC') and event_type != 5
      group by visit_id having min(event_id) = max(event_id) and any(event_type in (1, 3, 4))
      ) and event_id global in (select event_id from custom_events where website_id = {p10:UUID} and created_at >= fromUnixTimestamp64Milli({p11:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p12:Int64}, 'UTC') and arrayExists(
      (key, type, string, number, date) -> key = {p13:String} and type = {p14:UInt8} and ifNull(number > {p15:Decimal(38, 10)}, false),
      properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
      )) and event_type != 5 order by created_at desc, event_id desc, sipHash64(tuple(*)) limit {p16:UInt64} offset {p17:UInt64}
      settings exact_rows_before_limit = 1, optimize_read_in_order = 0",
        "query_params": {
          "p0": "11111111-1111-4111-8111-111111111111",
          "p1": 1760486400000,
          "p10": "11111111-1111-4111-8111-111111111111",
          "p11": 1760486400000,
          "p12": 1760572799999,
          "p13": "price",
          "p14": 2,
          "p15": "10",
          "p16": 21,
          "p17": 0,
          "p2": 1760572799999,
          "p3": "^/a",
          "p4": "t.co",
          "p5": "^/a",
          "p6": [
            1,
            2,
          ],
          "p7": "11111111-1111-4111-8111-111111111111",
          "p8": 1760486400000,
          "p9": 1760572799999,
        },
      }
    `)
  })

  it('event statistics read two periods', () => {
    expect(planned('getWebsiteEventStats', { ...range, compare: 'yoy' })).toMatchInlineSnapshot(`
      {
        "comparison": {
          "query": "select
      sum(events) as events, uniqExact(session_id) as visitors, uniqExact(visit_id) as visits, uniqExact(reinterpretAsUInt128(sipHash128(event_name))) as uniqueEvents from (
      select created_at, session_id, visit_id, event_name, 1 as events
      from custom_events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_type = 2
      )",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1728950400000,
            "p2": 1729036799999,
          },
        },
        "current": {
          "query": "select
      sum(events) as events, uniqExact(session_id) as visitors, uniqExact(visit_id) as visits, uniqExact(reinterpretAsUInt128(sipHash128(event_name))) as uniqueEvents from (
      select created_at, session_id, visit_id, event_name, 1 as events
      from custom_events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_type = 2
      )",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
          },
        },
      }
    `)
  })

  it('the properties of one event read no range', () => {
    expect(planned('getEventDataById', {})).toMatchInlineSnapshot(`
      {
        "event": {
          "query": "select event_id, toUnixTimestamp64Milli(created_at) as created_ms, packed
      from event_data_by_id where website_id = {p0:UUID} and event_id = {p1:UUID}
      limit {p2:UInt64} settings max_threads = 1",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": "22222222-2222-4222-8222-222222222222",
            "p2": 1,
          },
        },
      }
    `)
  })

  it('values of one property read its rows alone', () => {
    const query = { ...range, event: 'buy', propertyName: 'plan', limit: '10' }
    expect(planned('getEventDataValues', query)).toMatchInlineSnapshot(`
      {
        "list": {
          "query": "select element as f_value, sum(properties) as f_total
      from (select value as element, properties from (select event_name, data_key, data_type, value, toInt64(1) as properties from event_data where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_name = {p3:String} and data_key = {p4:String}))
      group by f_value
      having f_total > 0
      order by f_total desc, f_value limit {p5:UInt64} offset {p6:UInt64} settings exact_rows_before_limit = 1",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
            "p3": "buy",
            "p4": "plan",
            "p5": 10,
            "p6": 0,
          },
        },
      }
    `)
  })

  it('values of arrays with a filter on another property are read from custom_events', () => {
    const query = { ...range, propertyName: 'items', dataType: '5', epf0: '1.nre.plan.^p' }
    expect(planned('getEventDataValues', query)).toMatchInlineSnapshot(`
      {
        "list": {
          "query": "select element as f_value, sum(properties) as f_total
      from (select arrayJoin(arrayMap(raw -> if(JSONType(raw) = 'String', JSONExtractString(raw), raw), JSONExtractArrayRaw(value))) as element, properties from (select event_name, data_key, data_type, value, 1 as properties from custom_events array join properties.key as data_key, properties.data_type as data_type, properties.value as value where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and arrayExists(
      (key, type, string, number, date) -> key = {p3:String} and type = {p4:UInt8} and not match(string, concat('(?i)', {p5:String})),
      properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
      ) and match('', concat('(?i)', {p6:String})) in (0, 1) and data_key = {p7:String} and data_type = {p8:UInt8}))
      group by f_value
      having f_total > 0
      order by f_total desc, f_value limit {p9:UInt64} offset {p10:UInt64} settings exact_rows_before_limit = 1",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p10": 0,
            "p2": 1760572799999,
            "p3": "plan",
            "p4": 1,
            "p5": "^p",
            "p6": "^p",
            "p7": "items",
            "p8": 5,
            "p9": 500,
          },
        },
      }
    `)
  })

  it('counts of properties group by shape', () => {
    expect(planned('getEventDataEvents', { ...range, event: 'buy' })).toMatchInlineSnapshot(`
      {
        "list": {
          "query": "select parsed.1 as f_eventName, property as f_propertyName, type as f_dataType, sum(events) as f_total
      from (select JSONExtract(shape, 'Tuple(String, Array(String), Array(UInt8))') as parsed, toInt64(count()) as events from custom_events where website_id = {p0:UUID} and created_at >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and event_name = {p3:String} and shape != '' group by shape) array join parsed.2 as property, parsed.3 as type
      group by f_eventName, f_propertyName, f_dataType
      order by f_eventName, f_propertyName, f_dataType limit {p4:UInt64} offset {p5:UInt64} settings exact_rows_before_limit = 1",
          "query_params": {
            "p0": "11111111-1111-4111-8111-111111111111",
            "p1": 1760486400000,
            "p2": 1760572799999,
            "p3": "buy",
            "p4": 500,
            "p5": 0,
          },
        },
        "short.list": {
          "query": "select if(length(shape) > {p0:UInt64}, '', shape) as text, toInt64(count()) as events from custom_events where website_id = {p1:UUID} and created_at >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({p3:Int64}, 'UTC') and event_name = {p4:String} and shape != '' group by shape limit {p5:UInt64}",
          "query_params": {
            "p0": 1024,
            "p1": "11111111-1111-4111-8111-111111111111",
            "p2": 1760486400000,
            "p3": 1760572799999,
            "p4": "buy",
            "p5": 501,
          },
        },
      }
    `)
  })
})

it('has equal text for equal plans of other values', () => {
  const query = (value: string) => ({ ...range, browser: value, epf0: `1.c.plan.${value}`, search: value })
  const texts = ['a', "'; DROP TABLE events; --", '{p0:String}', '\\', '\0', 'x'.repeat(3000)].map((value) =>
    Object.values(planned('getWebsiteEvents', query(value))).map(({ query }) => query),
  )
  for (const text of texts) expect(text).toStrictEqual(texts[0])
})

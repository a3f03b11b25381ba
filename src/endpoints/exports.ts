import { cursorAfter, isoSecondOf } from '../query/export.ts'
import { type Fragment, type Statement, sql, uuid } from '../query/sql.ts'
import type { Page } from '../request/page.ts'
import type { Exporting } from './endpoint.ts'

/** The lists in other formats than JSON: the rows of their plans, with the fields of their items as columns. */

type Paged = Exporting<{ readonly page: Page; readonly websiteId: string }, { rows: unknown }>
type Listed = Pick<Exporting<unknown, { list: unknown }>, 'text' | 'plan'>

/** An export has no end of a page that could fall between two rows of one key: it reads in the order of the key. */
const byKey = ({ rows }: Paged['plan']): Fragment => rows.streamed ?? rows.body

const createdAt = isoSecondOf(sql`created_ms`)

export const eventRows = ({ text, input, plan }: Paged): Fragment => sql`
  select
    ${text(sql`event_id`)} as id,
    ${text(sql`${uuid(input.websiteId)}`)} as websiteId,
    ${text(sql`session_id`)} as sessionId,
    ${createdAt} as createdAt,
    ${text(sql`packed[1]`)} as hostname,
    ${text(sql`packed[2]`)} as urlPath,
    ${text(sql`packed[3]`)} as urlQuery,
    ${text(sql`packed[4]`)} as referrerPath,
    ${text(sql`packed[5]`)} as referrerQuery,
    ${text(sql`packed[6]`)} as referrerDomain,
    ${text(sql`packed[7]`)} as country,
    ${text(sql`packed[8]`)} as city,
    ${text(sql`packed[9]`)} as device,
    ${text(sql`packed[10]`)} as os,
    ${text(sql`packed[11]`)} as browser,
    ${text(sql`packed[12]`)} as pageTitle,
    event_type as eventType,
    ${text(sql`packed[13]`)} as eventName,
    toUInt8(packed[14]) as hasData,
    ${cursorAfter(input.page)} as cursor
  from (${byKey(plan)})`

const property = sql`Tuple(
  dataKey String, stringValue String, numberValue Nullable(Decimal(22, 4)), dateValue Nullable(String), dataType UInt8,
  createdAt String)`

export const eventDataRows = ({ text, nested, input, plan }: Paged): Fragment => sql`
  select
    ${text(sql`${uuid(input.websiteId)}`)} as websiteId,
    ${text(sql`event_id`)} as eventId,
    ${text(sql`event_name`)} as eventName,
    ${nested(sql`arrayMap(
      (key, type, string, number, date) -> cast(
        (key, string, number, if(isNull(date), null, ${isoSecondOf(sql`assumeNotNull(date)`)}), type, ${createdAt}) as ${property}),
      keys, types, strings, numbers, dates)`)} as eventProperties,
    ${cursorAfter(input.page)} as cursor
  from (${byKey(plan)})`

export const pivotRows = ({ text, nested, input, plan }: Paged): Fragment => sql`
  select
    ${text(sql`event_id`)} as eventId,
    ${text(sql`session_id`)} as sessionId,
    ${text(sql`event_name`)} as eventName,
    ${text(sql`url_path`)} as urlPath,
    ${createdAt} as createdAt,
    ${nested(sql`keys`)} as propertyKeys,
    ${nested(sql`values`)} as propertyValues,
    ${cursorAfter(input.page)} as cursor
  from (${byKey(plan)})`

const from = ({ list }: { list: Statement<unknown> }): Fragment => sql`from (${list.body})`

export const eventPropertyRows = ({ text, plan }: Listed): Fragment => sql`
  select
    ${text(sql`eventName`)} as eventName, ${text(sql`propertyName`)} as propertyName, dataType, total
  ${from(plan)}`

export const eventPropertyTotalRows = ({ text, plan }: Listed): Fragment => sql`
  select ${text(sql`eventName`)} as eventName, ${text(sql`propertyName`)} as propertyName, total
  ${from(plan)}`

export const propertyValueRows = ({ text, plan }: Listed): Fragment => sql`
  select ${text(sql`propertyName`)} as propertyName, dataType, ${text(sql`value`)} as value, total
  ${from(plan)}`

export const valueRows = ({ text, plan }: Listed): Fragment => sql`
  select ${text(sql`counted`)} as value, total
  ${from(plan)}`

import * as z from 'zod'
import { exactNumber } from '../../query/language/decimal.ts'
import { ascending, limitTo, order } from '../../query/language/order.ts'
import { having, sql } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { anyContains } from '../../query/language/text.ts'
import { isoSecond } from '../../query/language/time.ts'
import { saidOfSession } from '../../query/lists/one-session.ts'
import {
  currentParts,
  currentString,
  currentValue,
  textOfCurrent,
  typeOfCurrent,
} from '../../query/tables/properties.ts'
import { search } from '../../request/page.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { Property } from '../event-data/property.ts'
import { pageView, plan } from '../examples.ts'

const Current = () =>
  z.object({
    data_key: z.string(),
    type: z.number(),
    value: z.string(),
    parts: z.tuple([z.string().nullable(), z.number().nullable(), z.number()]),
  })

const mostProperties = 10_000

/** The current value as text: a number in its shortest form, any other value as it was sent. */
const shownText = sql`if(${typeOfCurrent(currentValue)} = 2, ${textOfCurrent(currentValue)}, ${currentString})`

/** ClickHouse 26.7 fails if it joins searches of several texts into one, and one of the texts is an aggregate. */
const withAggregates = sql`settings optimize_or_like_chain = 0`

export const getWebsiteSessionProperties = report({
  name: 'getWebsiteSessionProperties',
  path: '/api/websites/:websiteId/sessions/:sessionId/properties',
  sections: ['sessions'],
  showsSessionProperties: true,
  summary: 'The current properties of a session, from its identify calls. The list is empty if the session is unknown.',
  example: { query: {}, events: [pageView], calls: [plan], ids: { sessionId: pageView.session_id } },
  query: query(search('Part of a property’s name or value, ignoring case.')),
  answer: () => z.array(z.object({ websiteId: z.string(), sessionId: z.string() }).extend(Property().shape)),
  plan: ({ sessionId, search }, scope) => ({
    properties: select(Current)`
      select said.1 as data_key, ${typeOfCurrent(currentValue)} as type, ${currentParts} as parts, ${shownText} as value
      ${saidOfSession(scope, sessionId)}
      group by data_key
      ${having(anyContains(search, sql`data_key`, sql`value`))}
      ${limitTo(order([ascending(sql`data_key`)]), mostProperties)}
      ${withAggregates}`,
  }),
  shape: ({ properties }, { websiteId, sessionId }) => ({
    body: properties.rows.map(({ data_key, type, value, parts: [number, date, said] }) => ({
      websiteId,
      sessionId,
      dataKey: data_key,
      dataType: type,
      stringValue: value,
      numberValue: number === null ? null : exactNumber(number),
      dateValue: date === null ? null : isoSecond(date),
      createdAt: isoSecond(said),
    })),
  }),
})

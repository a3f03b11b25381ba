import * as z from 'zod'
import {
  integerColumn,
  list,
  momentColumn,
  type NamedColumn,
  packedColumns,
  textColumn,
  websiteIdColumn,
} from '../../query/list.ts'
import { isView } from '../../query/rows.ts'
import { lastAtItem, pagesOfSessions, seenIdItem } from '../../query/sessions.ts'
import { alias, aliasName, sql } from '../../query/sql.ts'
import { filters } from '../../request/filters.ts'
import { pages } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query, requestMoment } from '../../request/query-string.ts'
import { reader } from '../../request/reader.ts'
import { search } from '../../request/search.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { attributes, lastSaid } from './attributes.ts'

/** What the last action of a session says. */
const last = packedColumns(lastSaid, attributes)

/** The last distinct id that is not empty; null where there is none, and through a share. */
const distinctIdColumn: NamedColumn<string | null> = (name) => ({
  reads: [
    {
      name,
      expression: sql`argMaxIf(distinct_id, (created_at, event_id), distinct_id != '')`,
      row: () => z.string(),
    },
  ],
  schema: () => z.string().nullable(),
  value: (row, { reader }) => (reader?.isOpening === false && (row[aliasName(name)] as string)) || null,
  exported: (writer, { reader }) =>
    reader?.isOpening === false ? sql`nullIf(${writer.text(alias(name))}, '')` : sql`cast(null as Nullable(String))`,
})

export const getWebsiteSessions = report({
  name: 'getWebsiteSessions',
  path: '/api/websites/:websiteId/sessions',
  sections: ['sessions'],
  summary: 'Sessions with a view or a custom event, the last seen first, paged.',
  example: { query: inRange, events: [pageView] },
  query: query(
    range,
    pages,
    search('Part of a distinct id, a city, a browser, a system or a device of the session, in any case.'),
    filters(),
    reader,
    requestMoment,
  ),
  ...list({
    from: pagesOfSessions(),
    columns: {
      id: textColumn(seenIdItem),
      websiteId: websiteIdColumn,
      hostname: last.text('hostname'),
      browser: last.text('browser'),
      os: last.text('os'),
      device: last.text('device'),
      screen: last.text('screen'),
      language: last.text('language'),
      country: last.text('country'),
      region: last.text('region'),
      city: last.text('city'),
      distinctId: distinctIdColumn,
      firstAt: momentColumn(sql`toUnixTimestamp64Milli(min(created_at))`),
      lastAt: momentColumn(lastAtItem),
      visits: integerColumn(sql`uniqExact(visit_id)`),
      views: integerColumn(sql`countIf(${isView})`),
      events: integerColumn(sql`countIf(event_type = 2)`),
      createdAt: momentColumn(lastAtItem),
    },
  }),
})

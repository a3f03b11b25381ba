import * as z from 'zod'
import type { Scope } from '../../query/language/scope.ts'
import { all, type Fragment, sql } from '../../query/language/sql.ts'
import { hasEventName } from '../../query/language/text.ts'
import {
  integerColumn,
  list,
  momentColumn,
  type NamedColumn,
  packedColumns,
  textColumn,
  textOrNullColumn,
  websiteIdColumn,
} from '../../query/lists/list.ts'
import { createdAtItem, eventIdItem, eventPages } from '../../query/lists/paging.ts'
import { isAction } from '../../query/tables/rows.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { eventNameGroup } from '../event-data/selected.ts'
import { inRange, pageView, purchase } from '../examples.ts'

/** The columns that `events` also stores as one array. */
export const packedEvent = packedColumns(sql`packed`, [
  'hostname',
  'url_path',
  'url_query',
  'referrer_path',
  'referrer_query',
  'referrer_domain',
  'country',
  'city',
  'device',
  'os',
  'browser',
  'page_title',
  'event_name',
  'has_data',
])

interface NamedInput {
  readonly eventName?: string | undefined
}

const newestFirst = eventPages<NamedInput>({
  kind: 'events',
  condition: ({ eventName }) => all(isAction, hasEventName(eventName)),
  read: ({ eventName }) => (eventName === undefined ? [] : ['event']),
})

const recordColumns = {
  id: textColumn(eventIdItem),
  websiteId: websiteIdColumn,
  sessionId: textColumn(sql`session_id`),
  visitId: textColumn(sql`visit_id`),
  createdAt: momentColumn(createdAtItem),
  hostname: packedEvent.text('hostname'),
  urlPath: packedEvent.text('url_path'),
  urlQuery: packedEvent.text('url_query'),
  referrerPath: packedEvent.text('referrer_path'),
  referrerQuery: packedEvent.text('referrer_query'),
  referrerDomain: packedEvent.text('referrer_domain'),
  country: packedEvent.text('country'),
  city: packedEvent.text('city'),
  device: packedEvent.text('device'),
  os: packedEvent.text('os'),
  browser: packedEvent.text('browser'),
  pageTitle: packedEvent.text('page_title'),
  eventType: integerColumn(sql`event_type`),
  eventName: packedEvent.text('event_name'),
  hasData: packedEvent.flag('has_data'),
}

/** The event's distinct id, if requested. `packed` does not contain it. */
const askedDistinctId =
  (distinctId: Fragment): NamedColumn<string | null | undefined> =>
  (name) => ({
    ...textOrNullColumn(distinctId)(name),
    schema: () => z.string().nullable().optional(),
  })

const identified = list({
  from: newestFirst,
  columns: { ...recordColumns, distinctId: askedDistinctId(sql`distinct_id`) },
})
/** The list's items lack `distinctId`, which is optional. */
const records = list({ from: newestFirst, columns: recordColumns }) as unknown as typeof identified
const hidden = list({ from: newestFirst, columns: { ...recordColumns, distinctId: askedDistinctId(sql`''`) } })

type RecordsInput = Parameters<typeof records.plan>[0] & { readonly include: 'distinctId' | undefined }

/** Additional fields of the record, sent only on request. */
const included = group(
  { include: oneOf('A field to add to each event. Through a share or a public website it is null.', ['distinctId']) },
  ({ include }) => ({ include }),
)

export const getWebsiteEvents = report({
  name: 'getWebsiteEvents',
  path: '/api/websites/:websiteId/events',
  sections: ['events'],
  summary: 'Events of every kind except performance measurements (5: see performance/metrics), newest first, paged.',
  example: { query: inRange, events: [pageView, purchase] },
  query: query(range, pages, eventNameGroup, search(eventsSearched), filters(), included),
  answer: identified.answer,
  plan: (input: RecordsInput, scope: Scope) =>
    (!input.include ? records : scope.hidesDistinctIds ? hidden : identified).plan(input, scope),
  shape: (results: Parameters<typeof records.shape>[0], input: RecordsInput) =>
    (input.include ? identified : records).shape(results, input),
  export: (asked: Parameters<typeof records.export>[0] & { readonly input: RecordsInput }) =>
    (asked.input.include ? identified : records).export(asked),
})

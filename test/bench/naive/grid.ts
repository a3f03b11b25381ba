import type { AnyReport } from '../../../src/endpoints/endpoint.ts'
import * as eventDataReports from '../../../src/endpoints/event-data.ts'
import * as countReports from '../../../src/endpoints/event-data-counts.ts'
import { eventDataPivot } from '../../../src/endpoints/event-data-pivot.ts'
import * as eventReports from '../../../src/endpoints/events.ts'
import { type Compiled, compile } from '../../../src/query/sql.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { ranges } from '../requests.ts'
import { naive, parametersOf, type Question } from './statements.ts'

/** One comparison: the same question, in the statements of both layouts. */
export interface GridCell {
  readonly endpoint: string
  readonly range: string
  readonly isFiltered: boolean
  /** 1, 500, or undefined where there are no pages. */
  readonly page: number | undefined
  /** Those of one round. No two rounds ask for the same range, so that nothing can answer from a cache. */
  readonly statements: (round: number) => { readonly weir: readonly Compiled[]; readonly naive: readonly Compiled[] }
}

interface Asked {
  readonly report: AnyReport
  /** How a part of the list is asked for: pages by number, other lists by limit and offset; totals have no parts. */
  readonly parts: 'pages' | 'slices' | 'none'
  readonly query?: (question: Question) => Record<string, string>
}

const reports: Readonly<Record<string, Asked>> = {
  events: { report: eventReports.events, parts: 'pages' },
  'events/stats': { report: eventReports.eventStats, parts: 'none' },
  'event-data': { report: eventDataReports.eventData, parts: 'pages' },
  'event-data/events': { report: countReports.eventDataEvents, parts: 'slices' },
  'event-data/fields': { report: countReports.eventDataFields, parts: 'slices' },
  'event-data/properties': { report: countReports.eventDataProperties, parts: 'slices' },
  'event-data/values': {
    report: countReports.eventDataValues,
    parts: 'slices',
    query: ({ eventName, propertyName }) => ({ event: eventName, propertyName }),
  },
  'event-data/stats': { report: countReports.eventDataStats, parts: 'none' },
  'event-data-pivot': {
    report: eventDataPivot,
    parts: 'pages',
    query: ({ eventName }) => ({ eventName }),
  },
}

export const pageSize = 20

/** Every endpoint × range × filter × page of one website, and a lookup of each of these ids. */
export const gridOf = (websiteId: string, to: number, eventIds: readonly string[]): GridCell[] => [
  ...Object.entries(reports).flatMap(([endpoint, asked]) =>
    ranges.flatMap(({ range, length }) =>
      [false, true].flatMap((isFiltered) =>
        (asked.parts === 'none' ? [undefined] : [1, 500]).map((page) => ({
          endpoint,
          range,
          isFiltered,
          page,
          statements: (round: number) =>
            both(endpoint, asked, {
              websiteId,
              startAt: to - length,
              endAt: to - round,
              only: isFiltered ? { browser: 'chrome', country: 'US' } : undefined,
              limit: pageSize,
              offset: ((page ?? 1) - 1) * pageSize,
              eventName: 'search',
              propertyName: 'query',
              eventId: eventIds[0]!,
            }),
        })),
      ),
    ),
  ),
  {
    endpoint: 'event-data/:eventId',
    range: 'any',
    isFiltered: false,
    page: undefined,
    statements: (round) => byId(websiteId, eventIds[round % eventIds.length]!),
  },
]

function both(endpoint: string, { report, parts, query }: Asked, question: Question) {
  const { startAt, endAt, only, limit, offset, websiteId } = question
  const part = {
    pages: { page: String(offset / limit + 1), pageSize: String(limit) },
    slices: { limit: String(limit), offset: String(offset) },
    none: {},
  }[parts]
  const given = { startAt: String(startAt), endAt: String(endAt), ...only, ...part, ...query?.(question) }
  return {
    weir: planned(report, { ...(report.query.schema.parse(given) as object), websiteId }, websiteId),
    naive: naive[endpoint]!(question).map((text) => ({ query: text, query_params: parametersOf(question) })),
  }
}

const byId = (websiteId: string, eventId: string) => ({
  weir: planned(eventDataReports.eventDataById, { websiteId, eventId }, websiteId),
  naive: naive['event-data/:eventId']!({} as Question).map((query) => ({
    query,
    query_params: { websiteId, eventId },
  })),
})

const planned = (report: AnyReport, input: object, websiteId: string): Compiled[] =>
  Object.values(report.plan(input as never, wholeWebsite(websiteId))).map(({ body }) => compile(body))

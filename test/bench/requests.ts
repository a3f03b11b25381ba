import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { type Compiled, compile } from '../../src/query/language/sql.ts'
import type { Endpoint } from '../oracle/model.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { sentFirst } from '../support/statements.ts'

/** One cell of the benchmark: an endpoint over a range of one website. */
export interface Case {
  readonly endpoint: string
  readonly range: string
  /** Whether the answer is a page with a count. */
  readonly isPaged: boolean
  /** The request of one round. No two rounds are equal, so that no cache can answer. */
  readonly request: (round: number) => Request
}

/** A request to the Worker, and the statements of its plan. */
export interface Request {
  /** Path and query string. */
  readonly path: string
  readonly statements: Readonly<Record<string, Compiled>>
}

interface Asked {
  readonly endpoint: Endpoint
  readonly isPaged?: boolean
  readonly query?: Readonly<Record<string, string>>
}

export const day = 86_400_000

export const ranges = [
  { range: '24 hours', length: day },
  { range: '30 days', length: 30 * day },
  { range: '12 months', length: 365 * day },
]

const ranged: readonly Asked[] = [
  { endpoint: 'events', isPaged: true },
  { endpoint: 'events/stats' },
  { endpoint: 'event-data', isPaged: true },
  { endpoint: 'event-data/events' },
  { endpoint: 'event-data/fields' },
  { endpoint: 'event-data/properties' },
  { endpoint: 'event-data/stats' },
  {
    endpoint: 'event-data/values',
    query: { event: 'add_to_cart', propertyName: 'product' },
  },
  { endpoint: 'event-data-pivot', isPaged: true, query: { eventName: 'search' } },
]

export const rangedEndpoints = ranged.map(({ endpoint }) => endpoint)

/** Every endpoint over every range of one website, and a look-up of each of these event ids. */
export const casesOf = (websiteId: string, to: number, eventIds: readonly string[]): Case[] => [
  ...ranged.flatMap((asked) => ranges.map(({ range, length }) => overRange(asked, range, websiteId, to - length, to))),
  byId(websiteId, eventIds),
]

function overRange(asked: Asked, range: string, websiteId: string, startAt: number, to: number): Case {
  const request = (round: number) => {
    const query = { startAt: String(startAt), endAt: String(to - round), ...asked.query }
    return requestOf(reportOf(asked), { websiteId }, query)
  }
  return { endpoint: asked.endpoint, range, isPaged: asked.isPaged ?? false, request }
}

function byId(websiteId: string, eventIds: readonly string[]): Case {
  const request = (round: number) =>
    requestOf(reportOf({ endpoint: 'event-data/:eventId' }), { websiteId, eventId: eventIds[round % eventIds.length]! })
  return { endpoint: 'event-data/:eventId', range: 'any', isPaged: false, request }
}

function requestOf(
  report: AnyReport,
  ids: Readonly<Record<'websiteId', string> & Partial<Record<'eventId', string>>>,
  query: Readonly<Record<string, string>> = {},
): Request {
  const input = { ...(report.query.schema.parse(query) as object), ...ids }
  const plan = Object.entries(report.plan(input as never, wholeWebsite(ids.websiteId)))
  const path = report.path.replace(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name]!)
  const search = new URLSearchParams(query).toString()
  return {
    path: search === '' ? path : `${path}?${search}`,
    statements: Object.fromEntries(plan.map(([name, statement]) => [name, compile(sentFirst(statement))])),
  }
}

import type { Answer, AnyReport } from '../../../src/endpoints/endpoint.ts'
import type { Compiled, Result, Statement } from '../../../src/query/language/sql.ts'
import type { Endpoint } from '../../oracle/model.ts'
import { reportOf } from '../../support/reports.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { ranges } from '../requests.ts'
import { type NaiveStatements, naive, parametersOf, type Question } from './statements.ts'

/** Runs one statement of a plan. */
export type Runner = (statement: Statement<unknown>) => Promise<Result<unknown>>

/** One comparison: the same question as statements for both layouts. */
export interface GridCell {
  readonly endpoint: string
  readonly range: string
  readonly isFiltered: boolean
  /** 1, 500, or undefined without pages. */
  readonly page: number | undefined
  /** The statements of one round. Every round has another range, so that no cache can answer. */
  readonly websiteId: string
  readonly statements: (round: number) => {
    readonly weir: readonly Statement<unknown>[]
    readonly naive: readonly Compiled[]
  }
  /** The answer that the endpoint makes of its own plan. */
  readonly answer: (round: number, run: Runner) => Promise<Answer<unknown>>
}

interface Asked {
  /** The parameters for a part of the list: page numbers, or limit and offset; totals have no parts. */
  readonly parts: 'pages' | 'slices' | 'none'
  readonly query?: (question: Question) => Record<string, string>
}

const reports: Readonly<Record<string, Asked>> = {
  events: { parts: 'pages' },
  'events/stats': { parts: 'none' },
  'event-data': { parts: 'pages' },
  'event-data/events': { parts: 'slices' },
  'event-data/fields': { parts: 'slices' },
  'event-data/properties': { parts: 'slices' },
  'event-data/values': {
    parts: 'slices',
    query: ({ eventName, propertyName }) => ({ event: eventName, propertyName }),
  },
  'event-data/stats': { parts: 'none' },
  'event-data-pivot': {
    parts: 'pages',
    query: ({ eventName }) => ({ eventName }),
  },
}

export const pageSize = 20

/** The input of an endpoint, independent of the layout. */
interface Planned {
  readonly report: AnyReport
  readonly input: object
  readonly websiteId: string
  readonly naive: readonly Compiled[]
}

/** Every endpoint × range × filter × page of one website, and a look-up of each of these ids. */
export const gridOf = (websiteId: string, to: number, eventIds: readonly string[]): GridCell[] => [
  ...Object.entries(reports).flatMap(([endpoint, asked]) =>
    ranges.flatMap(({ range, length }) =>
      [false, true].flatMap((isFiltered) =>
        (asked.parts === 'none' ? [undefined] : [1, 500]).map((page) =>
          cell({ websiteId, endpoint, range, isFiltered, page }, (round) =>
            planned(endpoint, asked, {
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
          ),
        ),
      ),
    ),
  ),
  cell({ websiteId, endpoint: 'event-data/:eventId', range: 'any', isFiltered: false, page: undefined }, (round) =>
    byId(websiteId, eventIds[round % eventIds.length]!),
  ),
]

const cell = (named: Omit<GridCell, 'statements' | 'answer'>, of: (round: number) => Planned): GridCell => ({
  ...named,
  statements(round) {
    const asked = of(round)
    return { weir: Object.values(planOf(asked)), naive: asked.naive }
  },
  async answer(round, run) {
    const asked = of(round)
    const results: Record<string, Result<unknown>> = {}
    for (const [name, statement] of Object.entries(planOf(asked))) results[name] = await run(statement)
    return asked.report.shape(results as never, asked.input as never)
  },
})

const planOf = ({ report, input, websiteId }: Planned): Readonly<Record<string, Statement<unknown>>> =>
  report.plan(input as never, wholeWebsite(websiteId))

function planned(endpoint: string, { parts, query }: Asked, question: Question): Planned {
  const report = reportOf({ endpoint: endpoint as Endpoint })
  const { startAt, endAt, only, limit, offset, websiteId } = question
  const part = {
    pages: { page: String(offset / limit + 1), pageSize: String(limit) },
    slices: { limit: String(limit), offset: String(offset) },
    none: {},
  }[parts]
  const given = { startAt: String(startAt), endAt: String(endAt), ...only, ...part, ...query?.(question) }
  const input = { ...(report.query.schema.parse(given) as object), websiteId }
  return { report, input, websiteId, naive: bound(naive[endpoint]!(question), parametersOf(question)) }
}

const byId = (websiteId: string, eventId: string): Planned => ({
  report: reportOf({ endpoint: 'event-data/:eventId' }),
  input: { websiteId, eventId },
  websiteId,
  naive: bound(naive['event-data/:eventId']!({} as Question), { websiteId, eventId }),
})

const bound = (statements: NaiveStatements, query_params: Record<string, unknown>): Compiled[] =>
  statements.map((query) => ({ query, query_params }))

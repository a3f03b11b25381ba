import type { AnyReport } from '../../../src/endpoints/endpoint.ts'
import type { Knowledge } from '../../../src/query/language/known.ts'
import { type Compiled, compile } from '../../../src/query/language/sql.ts'
import type { Result, Statement } from '../../../src/query/language/statement.ts'
import { inputOf } from '../../support/questions.ts'
import { reports } from '../../support/reports.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { day, hour, largest, smallest, to } from '../data.ts'
import type { Beside } from '../layout.ts'
import type { Cost, Scan } from '../measure.ts'
import { ofLists } from './lists.ts'
import { type Asked, type Filter, filtered, type Question } from './question.ts'
import { ofReports } from './reports.ts'
import type { Row } from './same.ts'
import { ofSessions } from './sessions.ts'
import { ofStatistics } from './statistics.ts'

export const websites = { largest, smallest } as const

/** The website with the most events, or the one with the fewest. */
export type Size = keyof typeof websites

/** The same question as statements for both layouts. Each round uses a different range, so no cache answers. */
export interface Cell {
  readonly endpoint: string
  /** What distinguishes this cell from others of the same endpoint. */
  readonly variant: string
  readonly filter: Filter
  readonly range: string
  readonly website: Size
  readonly websiteId: string
  readonly weir: (round: number, known?: Knowledge) => readonly Statement<unknown>[]
  readonly naive: (round: number) => readonly Compiled[]
  /** The answer's rows, as the endpoint builds them from its own plan. */
  readonly rows: (
    run: (statement: Statement<unknown>) => Promise<Result<unknown>>,
    known: Knowledge,
  ) => Promise<readonly Row[]>
  /** The figures that are estimates in the naive layout. */
  readonly estimated: ReadonlySet<string>
}

/** One measured cell. The naive layout runs its statements one after the other. */
export interface Measured extends Pick<Cell, 'endpoint' | 'variant' | 'filter' | 'range' | 'website'> {
  readonly runs: number
  readonly cost: Beside<Cost>
  readonly scan: Beside<Scan>
}

const groups = {
  lists: { questions: ofLists, sizes: ['largest', 'smallest'] },
  statistics: { questions: ofStatistics, sizes: ['largest', 'smallest'] },
  sessions: { questions: ofSessions, sizes: ['largest'] },
  reports: { questions: ofReports, sizes: ['largest'] },
} as const satisfies Record<string, { readonly questions: readonly Question[]; readonly sizes: readonly Size[] }>

/** The groups that are compared with the naive layout. */
export type Group = keyof typeof groups

export const groupNames = Object.keys(groups) as Group[]

export const comparedEndpoints: readonly string[] = Object.values(groups).flatMap(({ questions }) =>
  questions.map(({ endpoint }) => endpoint),
)

/** The last day of the data is unsealed, just as the current day always is. */
export const lastDay = Math.floor(to / day) * day
export const lastHour = Math.floor(to / hour) * hour

/** A time range. Each round shifts its end back by one step. */
export interface Range {
  readonly range: string
  readonly length: number
  readonly unit: Asked['unit']
  readonly end: number
  readonly step: number
}

export const ranges: readonly Range[] = [
  { range: '24 hours', length: day, unit: 'hour', end: lastHour, step: hour },
  { range: '30 days', length: 30 * day, unit: 'day', end: lastHour, step: hour },
  { range: '12 months', length: 365 * day, unit: 'month', end: lastHour, step: hour },
]

/** A range that ends with one of the last sealed days, only for questions that chains can answer. */
export const sealed: Range = { ...ranges[2]!, range: '12 months, sealed', end: lastDay, step: day }

/** The ids that look-ups use in turn. */
export type Ids = Readonly<Record<Size, Readonly<Record<'events' | 'sessions', readonly string[]>>>>

/** Every combination of a question of the group, range, filter and website. */
export const cellsOf = (group: Group, ids: Ids): Cell[] =>
  groups[group].sizes.flatMap((website) =>
    groups[group].questions.flatMap((question: Question) =>
      (question.takesNoRange || question.isNow ? [{ ...ranges[0]!, range: 'any' }] : [...ranges, sealed])
        .flatMap((range) =>
          (question.filters ?? (['none'] as const)).map((filter) => cell(question, range, filter, website, ids)),
        )
        .filter((one) => one.range !== sealed.range || isChained(one)),
    ),
  )

/** Whether a statement needs rows of `seals`. */
const isChained = ({ weir }: Cell): boolean => weir(0).some(({ wants }) => wants !== undefined)

function cell(question: Question, range: Range, filter: Filter, website: Size, ids: Ids): Cell {
  const { endpoint, variant = '', estimated = [] } = question
  const websiteId = websites[website]
  const askedIn = (round: number): Asked => {
    const end = range.end - round * range.step
    const { events, sessions } = ids[website]
    return {
      ...{ websiteId, filter, unit: range.unit, startAt: end - range.length, endAt: end - 1 },
      ...{ eventId: events[round % events.length]!, sessionId: sessions[round % sessions.length]! },
    }
  }
  return {
    ...{ endpoint, variant, filter, website, websiteId, range: range.range, estimated: new Set(estimated) },
    weir(round, known) {
      const { plan } = planned(question, askedIn(round), known)
      return Object.values(plan)
    },
    naive: (round) => question.naive(askedIn(round)).map(compile),
    async rows(run, known) {
      const { report, plan, input } = planned(question, askedIn(0), known)
      const results: Record<string, Result<unknown>> = {}
      for (const [name, statement] of Object.entries(plan)) results[name] = await run(statement)
      const { body } = await report.shape(results as never, input as never)
      return question.rows(body as never)
    },
  }
}

function planned({ endpoint, query, takesUnit, takesNoRange, isNow }: Question, asked: Asked, known?: Knowledge) {
  const { startAt, endAt, unit, filter, ...ids } = asked
  const [path, search] = endpoint.split('?')
  const report = reportAt(path!.startsWith('/') ? `/api${path}` : `/api/websites/:websiteId/${path}`)
  const { browser, country, path: page } = filtered
  const given = [
    ...new URLSearchParams(search),
    ...Object.entries({
      ...(!takesNoRange && !isNow && { startAt: String(startAt), endAt: String(endAt) }),
      ...(takesUnit && { unit }),
      ...query,
      ...{ none: {}, client: { browser, country }, path: { path: page } }[filter],
    }),
  ]
  const input = { ...inputOf({ report, ...ids, query: given }), now: endAt }
  const scope = { ...wholeWebsite(asked.websiteId), closedBefore: lastDay, ...(known && { known }) }
  const plan: Readonly<Record<string, Statement<unknown>>> = report.plan(input as never, scope)
  return { report, input, plan }
}

const reportAt = (path: string): AnyReport => reports.find((one) => one.path === path)!

import { describe, expect, it, vi } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { Scope } from '../../src/query/language/scope.ts'
import { compile } from '../../src/query/language/sql.ts'
import { sessionData } from '../../src/query/tables/tables.ts'
import type { Filters } from '../../src/request/filters.ts'
import { readLocked } from '../../src/request/locked-filters.ts'
import { shapesOf } from '../support/hostile.ts'
import { inTurn } from '../support/long.ts'
import { memoised } from '../support/memoised.ts'
import { inputOf, type Question } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { plansOf, wholeWebsite } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { readsOf, sentByAll } from '../support/statements.ts'

// Reports about the current time return that time.
vi.setSystemTime(Date.now())

const named = reports.map((report) => [report.name, report] as const)

/** Requests that together use all parameters, except for filters by session properties, which are refused earlier. */
const questionsTo = memoised((report: AnyReport): Question[] =>
  shapesOf(report, 'x').filter((question) => {
    const { filters } = inputOf(question) as { filters?: Filters }
    return !filters || filters.sessionProperties.length === 0
  }),
)

/** `npm test` sends a third of the requests to reports that do not show session properties. */
const someOf = (report: AnyReport): readonly Question[] =>
  report.showsSessionProperties ? questionsTo(report) : inTurn(questionsTo(report), seed, 3)

/** The conditions in each read of identify calls. */
function readsOfCalls(question: Question, scope: (websiteId: string) => Scope): (readonly string[])[] {
  const input = inputOf(question)
  const asked = scope(input.websiteId)
  const plans = plansOf((known) => question.report.plan(input as never, { ...asked, ...(known && { known }) }))
  return Object.values(sentByAll(plans)).flatMap((body) =>
    readsOf(compile(body).query)
      .filter(({ table }) => table === sessionData.name)
      .map(({ conditions }) => conditions),
  )
}

const closed = (websiteId: string): Scope => ({
  ...wholeWebsite(websiteId),
  hidesDistinctIds: true,
  hidesSessionProperties: true,
})

const locked = readLocked({ spf0: '1.eq.plan.pro' }).data!.filters

describe('session properties', () => {
  it.each(named)('are read only by reports that declare this: %s', (_, report) => {
    const reads = someOf(report).flatMap((question) => readsOfCalls(question, wholeWebsite))
    expect(reads.length > 0).toBe(report.showsSessionProperties ?? false)
  })

  it.each(named)('are not read where they are hidden: %s', (_, report) => {
    for (const question of someOf(report)) {
      for (const conditions of readsOfCalls(question, closed)) expect(conditions).toContain('false')
    }
  })

  it.each(named.filter(([, { showsSessionProperties }]) => !showsSessionProperties))(
    'still apply in locked filters where they are hidden: %s',
    (_, report) => {
      const [question] = questionsTo(report)
      const reads = readsOfCalls(question!, (websiteId) => ({ ...closed(websiteId), only: [locked] }))
      expect(reads.filter((conditions) => !conditions.includes('false')).length).toBeGreaterThan(0)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { compile } from '../../src/query/language/sql.ts'
import { planOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { sentFirst } from '../support/statements.ts'

const day = 86_400_000
const endAt = Date.UTC(2025, 2, 4) - 1

/** The texts of the statements that are sent first for a range of this many days. */
function sentOver(days: number, endpoint: string, more: Readonly<Record<string, string>> = {}): string[] {
  const range = { startAt: String(endAt + 1 - days * day), endAt: String(endAt) }
  const websiteId = '11111111-1111-4111-8111-111111111111'
  const plan = planOf({ report: reportOf({ endpoint }), websiteId, query: Object.entries({ ...range, ...more }) })
  return Object.values(plan).map((statement) => compile(sentFirst(statement)).query)
}

describe('a short question', () => {
  it.each([
    ['sessions', {}, 1],
    ['goals/stats', { type: 'path', value: '/' }, 1],
    ['revenue/stats', { currency: 'EUR' }, 2],
  ] as const)('about one day needs few statements: %s', (endpoint, more, statements) => {
    expect(sentOver(1, endpoint, more)).toHaveLength(statements)
    expect(sentOver(40, endpoint, more).length).toBeGreaterThan(statements)
  })

  it('reads only the table of hours, without a subquery, if that table suffices', () => {
    for (const endpoint of ['sessions/stats', 'metrics/expanded']) {
      const [query = ''] = sentOver(1, endpoint, endpoint === 'sessions/stats' ? {} : { type: 'browser' })
      expect(query).toContain('from hourly_visits')
      expect(query.match(/\bselect\b/g)).toHaveLength(endpoint === 'sessions/stats' ? 1 : 2)
    }
  })

  it('uses prewhere, except for conditions with a subquery and for long ranges, which use where', () => {
    const filtered = { type: 'path', excludeBounce: 'true' }
    expect(sentOver(31, 'metrics', { type: 'path' })[0]).toMatch(/from events prewhere (?!.* where )website_id/)
    expect(sentOver(31, 'metrics', filtered)[0]).toMatch(
      / prewhere website_id = [^()]*\(.* where visit_id global not in/,
    )
    expect(sentOver(40, 'metrics', { type: 'path' })[0]).toMatch(/from events where website_id/)
  })

  it('unpacks seven texts, without a statement length that grows quadratically', () => {
    const [names = ''] = sentOver(1, 'attribution', { model: 'first-click', type: 'path', step: '/' })
    expect(names.length).toBeLessThan(3000)
  })
})

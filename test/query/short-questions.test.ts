import { describe, expect, it } from 'vitest'
import { compile } from '../../src/query/language/sql.ts'
import { planOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { sentFirst } from '../support/statements.ts'

const day = 86_400_000
const endAt = Date.UTC(2025, 2, 4) - 1

/** The texts of the statements about this many days, as they are sent first. */
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
  ] as const)('about one day is few statements: %s', (endpoint, more, statements) => {
    expect(sentOver(1, endpoint, more)).toHaveLength(statements)
    expect(sentOver(40, endpoint, more).length).toBeGreaterThan(statements)
  })

  it('reads hours without a subquery if they answer alone', () => {
    for (const endpoint of ['sessions/stats', 'metrics/expanded']) {
      const [query = ''] = sentOver(1, endpoint, endpoint === 'sessions/stats' ? {} : { type: 'browser' })
      expect(query).toContain('from hourly_visits')
      expect(query.match(/\bselect\b/g)).toHaveLength(endpoint === 'sessions/stats' ? 1 : 2)
    }
  })

  it('states its conditions as prewhere, but those with a subquery, and long ranges state where', () => {
    const filtered = { type: 'path', excludeBounce: 'true' }
    expect(sentOver(31, 'metrics', { type: 'path' })[0]).toMatch(/from events prewhere (?!.* where )website_id/)
    expect(sentOver(31, 'metrics', filtered)[0]).toMatch(
      / prewhere website_id = [^()]*\(.* where visit_id global not in/,
    )
    expect(sentOver(40, 'metrics', { type: 'path' })[0]).toMatch(/from events where website_id/)
  })

  it('unpacks seven texts in a text that does not grow with the square of their number', () => {
    const [names = ''] = sentOver(1, 'attribution', { model: 'first-click', type: 'path', step: '/' })
    expect(names.length).toBeLessThan(3000)
  })
})

import { describe, expect, it } from 'vitest'
import { compile, sql } from '../../src/query/language/sql.ts'
import { rows } from '../../src/query/tables/rows.ts'
import { events } from '../../src/query/tables/tables.ts'
import { type Cohort, noFilters } from '../../src/request/filters.ts'
import { always } from '../../src/request/period.ts'
import { wholeWebsite } from '../support/scope.ts'

const scope = wholeWebsite('11111111-1111-4111-8111-111111111111')
const selection = { scope, period: always, filters: noFilters }

describe('a table’s rows', () => {
  it('are limited to the website and the range, even if a condition contains `or`', () => {
    const { query } = compile(rows(events, selection, [sql`event_type = 1 or event_type = 2`, sql`browser = ''`]))
    expect(query).toMatch(
      /^from events where website_id = \S+ and .* and \(event_type = 1 or event_type = 2\) and browser = ''$/,
    )
  })

  it('cannot be restricted by a locked cohort', () => {
    const action = { field: 'event', value: 'buy' } as const
    const cohort: Cohort = { parameter: 'cohort', period: always, action, match: 'all', fields: [] }
    const filters = { ...noFilters, cohorts: [cohort] }
    expect(compile(rows(events, { ...selection, filters })).query).toContain('session_id global in')
    const locked = { ...selection, scope: { ...scope, only: [filters] } }
    expect(() => rows(events, locked)).toThrow(new TypeError('A cohort cannot be locked.'))
  })
})

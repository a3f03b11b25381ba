import { describe, expect, it } from 'vitest'
import { readLocked, readStoredLocked } from '../../src/request/locked-filters.ts'

describe('a lock that begins like an operator of another API', () => {
  const locks = { referrer: 'is.gd', browser: ['contains.x', 'chrome'] }

  it('is refused when it is saved', () => {
    const refused = readLocked(locks).error?.issues.map(({ path }) => path.join('.'))
    expect(refused).toEqual(['filters.referrer', 'filters.browser'])
  })

  it('stays the literal that it was where it is stored: the share shows what it showed', () => {
    expect(readStoredLocked(locks).data?.filters.fields).toMatchObject([
      { field: 'referrer', operator: 'eq', values: ['is.gd'] },
      { field: 'browser', operator: 'eq', values: ['contains.x'] },
      { field: 'browser', operator: 'eq', values: ['chrome'] },
    ])
  })

  it('changes no other lock', () => {
    const others = { os: 'c.win', spf0: '1.eq.plan.pro', eventType: 'neq.2', match: 'any', title: 'Rain, wind' }
    expect(readStoredLocked(others).data).toEqual(readLocked(others).data)
  })
})

import { describe, expect, it } from 'vitest'
import { readLocked, readStoredLocked } from '../../src/request/locked-filters.ts'

describe('a lock that starts like another API’s operator', () => {
  const locks = { referrer: 'is.gd', browser: ['contains.x', 'chrome'] }

  it('is refused when a share is saved', () => {
    const refused = readLocked(locks).error?.issues.map(({ path }) => path.join('.'))
    expect(refused).toEqual(['filters.referrer', 'filters.browser'])
  })

  it('is still taken literally if it is already stored, so that the share shows the same data', () => {
    expect(readStoredLocked(locks).data?.filters.fields).toMatchObject([
      { field: 'referrer', operator: 'eq', values: ['is.gd'] },
      { field: 'browser', operator: 'eq', values: ['contains.x'] },
      { field: 'browser', operator: 'eq', values: ['chrome'] },
    ])
  })

  it('has no effect on other locks', () => {
    const others = { os: 'c.win', spf0: '1.eq.plan.pro', eventType: 'neq.2', match: 'any', title: 'Rain, wind' }
    expect(readStoredLocked(others).data).toEqual(readLocked(others).data)
  })
})

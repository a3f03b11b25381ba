import { describe, expect, it } from 'vitest'
import { commonGroups } from '../../src/request/common.ts'
import { filters } from '../../src/request/filters.ts'
import { search } from '../../src/request/page.ts'
import { freeText, group, query } from '../../src/request/query-string.ts'

const issues = (schema: ReturnType<typeof query>['schema'], raw: Record<string, string>): string[] =>
  (schema.safeParse(raw).error?.issues ?? []).map(({ path }) => path.join('.'))

describe('a parameter that every endpoint accepts', () => {
  const plain = query(search('.')).beside(...commonGroups)

  it('is validated but has no effect', () => {
    const all = {
      ...{ unit: 'week', timezone: 'Asia/Tokyo', compare: 'yoy', page: '2', pageSize: '50', query: 'q=1' },
      ...{
        ...{ orderBy: 'name', sortDescending: 'true', startAt: '0', endAt: '100000000000' },
        endDate: '1973-03-03T09:46:40Z',
      },
      startDate: '1970-01-01T00:00:00Z',
    }
    expect(plain.schema.parse({ ...all, search: 'x' })).toStrictEqual({ search: 'x' })
    expect([...plain.ignored].sort()).toStrictEqual([...Object.keys(all), 'period'].sort())
    expect(plain.schema.parse({ period: 'last_week' })).toStrictEqual({ search: undefined })
    expect(issues(plain.schema, { ...all, unit: 'x', page: '0', endDate: '1970-01-02', surprise: '' })).toStrictEqual([
      ...['unit', 'page', 'surprise', 'endDate'],
    ])
  })

  it('may be sent alone if it is about a range, and is validated', () => {
    expect(issues(plain.schema, { startAt: '1' })).toStrictEqual([])
    expect(issues(plain.schema, { endDate: '2025-10-15' })).toStrictEqual([])
    expect(issues(plain.schema, { startAt: '200000000000', endAt: '100000000000' })).toStrictEqual(['endAt'])
  })

  it('does not replace the endpoint’s own parameter', () => {
    const own = query(
      group({ unit: freeText('.') }, ({ unit }) => ({ unit })),
      filters(),
    ).beside(...commonGroups)
    expect(own.schema.parse({ unit: 'x', query: 'q=1' })).toMatchObject({
      unit: 'x',
      filters: { fields: [{ field: 'query', values: ['q=1'] }] },
    })
    expect([own.ignored.has('unit'), own.ignored.has('query')]).toStrictEqual([false, false])
  })

  it('has no effect if it is an empty search', () => {
    expect(plain.schema.parse({ search: '' })).toStrictEqual(plain.schema.parse({}))
  })
})

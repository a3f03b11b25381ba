import { describe, expect, it } from 'vitest'
import { answer } from './answer.ts'
import { event, id, OTHER_WEBSITE, WEBSITE } from './fixtures.ts'
import type { IngestRow } from './model.ts'
import type { Saved, SavedParameters } from './saved.ts'

const DAY: [string, string][] = [
  ['startAt', '1760486400000'],
  ['endAt', '1760572799999'],
]

/** The titles of the events that pass a segment or cohort and these filters. */
function titles(rows: IngestRow[], type: Saved['type'], parameters: SavedParameters, more: [string, string][] = []) {
  const now = Date.parse('2025-10-20T12:00:00Z')
  const query: [string, string][] = [...DAY, [type, id(9)], ...more]
  const saved = [{ id: id(9), type, parameters }]
  const { body } = answer(rows, { endpoint: 'events', websiteId: WEBSITE, query, saved, now })
  return (body as { data: { pageTitle: string }[] }).data.map(({ pageTitle }) => pageTitle).sort()
}

/** Events with their index as title. */
const events = (...changes: Partial<IngestRow>[]) =>
  changes.map((change, index) => event({ event_id: id(index), page_title: String(index), ...change }))

describe('a segment', () => {
  const rows = events(
    { browser: 'chrome', os: 'mac' },
    { browser: 'firefox', os: 'mac' },
    { browser: 'firefox', os: 'win' },
    { browser: 'a,b', os: 'win' },
  )
  const chrome = { name: 'browser', operator: 'eq', value: 'chrome' } as const

  it('adds its filters', () => {
    expect(titles(rows, 'segment', { filters: [chrome] })).toEqual(['0'])
    expect(titles(rows, 'segment', { filters: [chrome] }, [['os', 'win']])).toEqual([])
  })

  it('replaces filters of the same key, and no others', () => {
    expect(titles(rows, 'segment', { filters: [chrome] }, [['browser', 'firefox']])).toEqual(['0'])
    expect(titles(rows, 'segment', { filters: [chrome] }, [['browser1', 'firefox']])).toEqual([])
    const again = { ...chrome, operator: 'c', value: 'o' } as const
    expect(titles(rows, 'segment', { filters: [again, again] }, [['browser1', 'firefox']])).toEqual(['0', '1', '2'])
    expect(titles(rows, 'segment', { filters: [{ ...chrome, name: 'browser1' }] }, [['browser', 'firefox']])).toEqual(
      [],
    )
  })

  it('replaces match where it states one', () => {
    const any: [string, string][] = [
      ['match', 'any'],
      ['os', 'win'],
    ]
    expect(titles(rows, 'segment', { filters: [chrome] }, any)).toEqual(['0', '2', '3'])
    expect(titles(rows, 'segment', { filters: [chrome], match: 'all' }, any)).toEqual([])
  })

  it('takes a text for a comma list, and the texts of a list as they are', () => {
    expect(titles(rows, 'segment', { filters: [{ ...chrome, value: 'chrome,a\\,b' }] })).toEqual(['0', '3'])
    expect(titles(rows, 'segment', { filters: [{ ...chrome, value: ['chrome', 'a,b'] }] })).toEqual(['0', '3'])
    expect(titles(rows, 'segment', { filters: [{ ...chrome, operator: 'neq', value: ['a,b'] }] })).toHaveLength(3)
  })
})

describe('a cohort', () => {
  const [one, two] = [id(101), id(102)]
  const rows = events(
    { session_id: one, event_name: 'buy', browser: 'chrome' },
    { session_id: one, url_path: '/thanks', browser: 'firefox' },
    { session_id: two, event_name: 'Buy', browser: 'chrome' },
    { session_id: two, event_name: 'buy', created_at: '2025-10-10 12:00:00.000' },
    { session_id: two, website_id: OTHER_WEBSITE, url_path: '/thanks' },
  )
  const buy = { action: { type: 'event', value: 'buy' }, dateRange: 'range:1760486400000:1760572799999' } as const

  it('keeps every event of the sessions that have the action, literally', () => {
    expect(titles(rows, 'cohort', buy)).toEqual(['0', '1'])
    expect(titles(rows, 'cohort', { ...buy, action: { type: 'event', value: 'buy,Buy' } })).toEqual([])
  })

  it('looks for it in its own range, and in its own website', () => {
    expect(titles(rows, 'cohort', { ...buy, dateRange: '10day' })).toEqual(['0', '1', '2'])
    expect(titles(rows, 'cohort', { ...buy, dateRange: '9day' })).toEqual(['0', '1'])
    expect(titles(rows, 'cohort', { ...buy, dateRange: '0week' })).toEqual([])
    expect(titles(rows, 'cohort', { ...buy, dateRange: '1week' })).toEqual(['0', '1'])
    expect(titles(rows, 'cohort', { ...buy, dateRange: '0month' })).toEqual(['0', '1', '2'])
    expect(titles(rows, 'cohort', { ...buy, dateRange: '0year' })).toEqual(['0', '1', '2'])
    expect(titles(rows, 'cohort', { ...buy, dateRange: 'all' })).toEqual(['0', '1', '2'])
    expect(titles(rows, 'cohort', { ...buy, action: { type: 'path', value: '/thanks' } })).toEqual(['0', '1'])
  })

  it('wants its filters of the same event; match joins those alone', () => {
    const is = (name: string, value: string) => ({ name, operator: 'eq', value }) as const
    expect(titles(rows, 'cohort', { ...buy, filters: [is('browser', 'chrome')] })).toEqual(['0', '1'])
    expect(titles(rows, 'cohort', { ...buy, filters: [is('browser', 'firefox')] })).toEqual([])
    const either = [is('browser', 'firefox'), is('path', '')]
    expect(titles(rows, 'cohort', { ...buy, filters: either, match: 'any' })).toEqual(['0', '1'])
    const nothing: SavedParameters = { ...buy, action: { type: 'event', value: 'nothing' } }
    expect(titles(rows, 'cohort', { ...nothing, filters: either, match: 'any' })).toEqual([])
  })

  it('has a view or a custom event for its action, never a web vital', () => {
    const byPath = { ...buy, action: { type: 'path', value: '/a' } } as const
    const kinds = [1, 2, 3, 4, 5].flatMap((event_type) => {
      const session_id = id(100 + event_type)
      return [{ event_type, url_path: '/a', session_id }, { session_id }]
    })
    expect(titles(events(...kinds), 'cohort', byPath)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })

  it('is always one more condition', () => {
    const any: [string, string][] = [
      ['match', 'any'],
      ['browser', 'firefox'],
      ['event', 'Buy'],
    ]
    expect(titles(rows, 'cohort', buy, any)).toEqual(['1'])
  })
})

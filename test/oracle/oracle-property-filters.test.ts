import { describe, expect, it } from 'vitest'
import { array, ask, boolean, DAY, date, event, eventsHaving, found, number, string } from './fixtures.ts'
import type { Property } from './model.ts'

function matching(query: string, ...lists: Property[][]): string[] {
  return found(eventsHaving(...lists), 'pageTitle', query)
}

describe('property filters', () => {
  const plans = [[string('plan', 'pro')], [string('plan', 'Team,x')], [string('other', 'pro')], []]

  it.each([
    ['eq', 'epf0=1.eq.plan.pro', ['0']],
    ['eq takes a comma list', 'epf0=1.eq.plan.pro,Team%5C,x', ['0', '1']],
    ['neq keeps events that have it with another value', 'epf0=1.neq.plan.pro', ['1']],
    ['c ignores case', 'epf0=1.c.plan.TEAM', ['1']],
    ['dnc keeps events that have it with another value', 'epf0=1.dnc.plan.TEAM', ['0']],
    ['re ignores case', 'epf0=1.re.plan.^t', ['1']],
    ['nre keeps events that have it with another value', 'epf0=1.nre.plan.^t', ['0']],
    ['several are ANDed, whatever match says', 'epf0=1.c.plan.p&epf1=1.eq.plan.pro&match=any', ['0']],
  ])('of strings: %s', (_sentence, query, expected) => {
    expect(matching(query, ...plans)).toEqual(expected)
  })

  it('ask for the data type as well as the name', () => {
    expect(matching('epf0=1.eq.a.10', [string('a', '10')], [number('a', '10')])).toEqual(['0'])
  })

  it('keep an event when one of several properties of that name passes', () => {
    expect(matching('epf0=1.neq.a.x', [string('a', 'x'), string('a', 'y')], [string('a', 'x')])).toEqual(['0'])
  })

  it('decode the name once more, and leave dots in the value', () => {
    const lists = [[string('plan.id', 'a.b')], [string('plan%2Eid', 'a.b')], [string('100%', 'x')]]
    expect(matching('epf0=1.eq.plan%252Eid.a.b', ...lists)).toEqual(['0'])
    expect(matching('epf0=1.eq.plan%25252Eid.a.b', ...lists)).toEqual(['1'])
    expect(matching('epf0=1.eq.100%2525.x', ...lists)).toEqual(['2'])
  })

  it.each([
    ['eq.n.10', ['0']],
    ['eq.n.10.0,-3.25', ['0', '2']],
    ['neq.n.10', ['1', '2', '3']],
    ['gt.n.10', ['1', '3']],
    ['gte.n.10.000', ['0', '1', '3']],
    ['lt.n.0', ['2']],
    ['lte.n.-3.25', ['2']],
    ['eq.n.123456789012345678.1234', ['3']],
    ['eq.n.123456789012345678.1233', []],
  ])('of numbers are exact: %s', (filter, expected) => {
    const lists = ['10.0000', '10.5000', '-3.2500', '123456789012345678.1234'].map((text) => [number('n', text)])
    expect(matching(`epf0=2.${filter}`, ...lists)).toEqual(expected)
  })

  it('of booleans', () => {
    const lists = [[boolean('ok', true)], [boolean('ok', false)], [string('ok', 'true')]]
    expect(matching('epf0=3.eq.ok.true', ...lists)).toEqual(['0'])
    expect(matching('epf0=3.neq.ok.true', ...lists)).toEqual(['1'])
  })

  it.each([
    ['4.eq.at.2025-03-09', ['0', '1']],
    ['4.neq.at.2025-03-09', ['2']],
    ['4.bf.at.2025-03-10', ['0', '1']],
    ['4.af.at.2025-03-09', ['2']],
    ['4.eq.at.2025-03-10T03:59:59.999Z', ['0', '1']],
  ])('of dates compare days in the time zone: %s', (filter, expected) => {
    const lists = ['2025-03-09T05:00:00.000Z', '2025-03-10T03:59:59.999Z', '2025-03-10T04:00:00.000Z'].map((iso) => [
      date('at', iso),
    ])
    expect(matching(`timezone=America/New_York&epf0=${filter}`, ...lists)).toEqual(expected)
  })

  it('of arrays ask for an exact element', () => {
    const lists = [[array('tags', ['red', 'a,b'])], [array('tags', ['redder', 1])], [array('tags', [])]]
    expect(matching('epf0=5.c.tags.red', ...lists)).toEqual(['0'])
    expect(matching('epf0=5.c.tags.a,b', ...lists)).toEqual(['0'])
    expect(matching('epf0=5.c.tags.1', ...lists)).toEqual(['1'])
    expect(matching('epf0=5.dnc.tags.red', ...lists)).toEqual(['1', '2'])
  })
})

describe('property filters of the pivot', () => {
  const rows = [
    event({ event_name: 'x' }, [string('plan.id', 'a.b'), number('price', '10.0000'), string('step1', 'y')]),
  ]
  const count = (query: string) => ask(rows, 'event-data-pivot', `${DAY}&eventName=x&${query}`).body

  it.each([
    ['pf_plan.id=1.eq.a.b', 1],
    ['pf_plan.id=eq.a.b', 1],
    ['pf_plan.id=c.A&pf_plan.id1=c.B', 1],
    ['pf_plan.id=c.A&pf_plan.id1=c.x', 0],
    ['pf_price=2.gt.9.5', 1],
    ['pf_price=eq.10', 0],
    ['pf_step1=eq.y', 1],
    ['epf0=1.eq.step1.y&pf_price=2.eq.10', 1],
  ])('%s', (query, expected) => {
    expect(count(query)).toMatchObject({ count: expected })
  })
})

import { describe, expect, it } from 'vitest'
import { closedTo, type FilterKind, filterNeeds, showsSessionProperties } from '../../src/access/filters.ts'
import { type Opening, openingOfShare, type Section, sections } from '../../src/access/opening.ts'
import { shareTypes } from '../../src/metadata/shares.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { type Filters, filters } from '../../src/request/filters.ts'
import { query } from '../../src/request/query-string.ts'
import { withCohort, withSegment } from '../../src/request/saved-filters.ts'
import { isLong } from '../support/long.ts'

const openingOfWebsite = (parameters: object): Opening => openingOfShare({ shareType: shareTypes.website, parameters })

const kinds: readonly FilterKind[] = [...fieldNames, 'epf', 'spf']

/**
 * The sections that each filter needs, written by hand. For a filter that is not listed here, any section is
 * sufficient.
 */
const needed: Partial<Record<FilterKind, readonly Section[]>> = {
  ...{ distinctId: [], event: ['events', 'compare', 'goals', 'funnels', 'journeys'], epf: ['events'] },
  spf: ['sessions'],
}

const isAllowed = (kind: FilterKind, open: readonly Section[], properties: boolean): boolean =>
  (needed[kind] ?? sections).some((section) => open.includes(section)) && (kind !== 'spf' || properties)

/** The opening with these sections, with and without session properties. */
const opened = (open: readonly Section[]): { properties: boolean; opening: Opening }[] =>
  [true, false].map((properties) => ({
    properties,
    opening: openingOfWebsite({
      ...Object.fromEntries(open.map((section) => [section, true])),
      ...(properties && { allowSessionProperties: true }),
    }),
  }))

const without = (...closed: readonly Section[]): Section[] => sections.filter((one) => !closed.includes(one))

/**
 * In `npm test`, one or two sections are open, or all except one or two; long runs test every combination. Without
 * sections, nothing is open.
 */
const openings: readonly (readonly Section[])[] = isLong
  ? Array.from({ length: 2 ** sections.length - 1 }, (_, bits) => sections.filter((_, at) => ((bits + 1) >> at) & 1))
  : sections.flatMap((one) => sections.flatMap((other) => [[...new Set([one, other])], without(one, other)]))

const parse = (values: object, shorthand?: 'properties' | 'sessionProperties'): Filters =>
  query(filters({ ...(shorthand && { shorthand }) })).schema.parse(values).filters

const values: Partial<Record<FilterKind, string>> = { epf: '1.c.email.a', spf: '1.c.email.a' }
const valueFor = (kind: FilterKind): string => values[kind] ?? 'c.a'

/** The ways to send a filter of this kind, each with the parameter that the error must name. */
function waysOf(kind: FilterKind): { named: string; filters: Filters }[] {
  const [value, isField] = [valueFor(kind), fieldNames.some((field) => field === kind)]
  const first = isField ? kind : `${kind}0`
  const shorthand = kind === 'epf' ? 'properties' : 'sessionProperties'
  const saved = { filters: [{ name: kind, operator: 'c', value: 'a' }] }
  const action = { type: 'path', value: '/' }
  return [
    { named: first, filters: parse({ [first]: value }) },
    { named: `${kind}7`, filters: parse({ browser: 'x', [`${kind}7`]: value, match: 'any' }) },
    { named: `filters[${first}]`, filters: parse({ [`filters[${first}]`]: value, path: '/a' }) },
    {
      named: `filters.${first}`,
      filters: parse({ filters: JSON.stringify({ os: 'x', [first]: value, match: 'any' }) }),
    },
    ...(isField
      ? [
          { named: 'segment', filters: withSegment(parse({ match: 'any' }), saved, 'segment') },
          {
            named: 'filters[cohort]',
            filters: withCohort(parse({}), { ...saved, action, dateRange: 'all' }, 'filters[cohort]', 0)!,
          },
        ]
      : [{ named: 'pf_email', filters: parse({ pf_email: 'c.a' }, shorthand) }]),
    ...(kind === 'event' || kind === 'path'
      ? [
          {
            named: 'cohort',
            filters: withCohort(parse({}), { action: { type: kind, value: 'a' }, dateRange: 'all' }, 'cohort', 0)!,
          },
        ]
      : []),
  ]
}

const showsNames = (section: Section): boolean => needed.event!.includes(section)

describe('the filter table', () => {
  it('contains exactly the existing filters', () => {
    expect(Object.keys(filterNeeds).sort()).toEqual([...kinds].sort())
  })

  it.each(kinds)('allows a filter only if one of its sections is open, however it is sent or saved: %s', (kind) => {
    const ways = waysOf(kind)
    for (const open of openings) {
      for (const { properties, opening } of opened(open)) {
        for (const { named, filters } of ways) {
          const refusal = closedTo(opening, filters)
          const expected = isAllowed(kind, open, properties)
          if ((refusal === undefined) !== expected) expect({ open, properties, named, refusal }).toBe(expected)
          if (refusal !== undefined) expect(refusal).toContain(`this filter: ${named}.`)
        }
      }
    }
  })

  it('refuses a disallowed filter among allowed ones, and a disallowed condition in a funnel step', () => {
    const all = parse(Object.fromEntries(kinds.map((kind) => [`${kind}0`, valueFor(kind)])))
    const step = { kind: 'epf', parameter: 'steps.1.filters' } as const
    for (const open of openings) {
      for (const { opening } of opened(open)) {
        // Distinct ids are never allowed as a filter.
        expect(closedTo(opening, all)).toContain(open.some(showsNames) ? 'distinctId0' : 'event0')
        const isOpen = open.includes('events')
        expect(closedTo(opening, parse({}), [step]) === undefined).toBe(isOpen)
        if (!isOpen) expect(closedTo(opening, parse({}), [step])).toContain('steps.1.filters')
      }
    }
  })

  it('shows session properties to exactly those callers who may filter by them', () => {
    for (const open of openings) {
      for (const { properties, opening } of opened(open)) {
        expect(showsSessionProperties(opening)).toBe(isAllowed('spf', open, properties))
      }
    }
  })

  it('shows session properties only if the option is exactly true', () => {
    for (const allowSessionProperties of [undefined, false, null, 1, 'true', {}]) {
      expect(showsSessionProperties(openingOfWebsite({ sessions: true, allowSessionProperties }))).toBe(false)
    }
  })

  it('explains what a disallowed filter requires', () => {
    const [opening] = opened(['utm']).map(({ opening }) => opening)
    expect(closedTo(opening!, parse({ event: 'a' }))).toBe(
      'This share or public website does not allow this filter: event. event needs one of the sections events, compare, goals, funnels, journeys.',
    )
    expect(closedTo(opening!, parse({ spf0: '1.c.email.a' }))).toBe(
      'This share or public website does not allow this filter: spf0. spf needs the section sessions, and allowSessionProperties: true in its parameters.',
    )
    expect(closedTo(opening!, parse({ distinctId: 'a' }))).toBe(
      'This share or public website does not allow this filter: distinctId.',
    )
  })
})

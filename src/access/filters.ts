import type { Field } from '../request/fields.ts'
import type { FieldFilters, Filters } from '../request/filters.ts'
import { isOpen, type Opening, type Section, sections } from './opening.ts'

/** Decides which filters callers may use through a share or a public website. */

/** A field, or the parameter of a property filter: `epf` for event properties, `spf` for session properties. */
export type FilterKind = Field | 'epf' | 'spf'

/**
 * What a filter requires: that one of these sections is open and, for session properties, that `allowSessionProperties`
 * is set.
 */
interface Needs {
  readonly sections: readonly Section[]
  readonly allowSessionProperties?: true
}

const anySection: Needs = { sections }
const noSection: Needs = { sections: [] }

export const filterNeeds: Readonly<Record<FilterKind, Needs>> = {
  path: anySection,
  referrer: anySection,
  title: anySection,
  query: anySection,
  browser: anySection,
  os: anySection,
  device: anySection,
  country: anySection,
  region: anySection,
  city: anySection,
  language: anySection,
  hostname: anySection,
  tag: anySection,
  event: { sections: ['events', 'compare', 'goals', 'funnels', 'journeys'] },
  distinctId: noSection,
  utmSource: anySection,
  utmMedium: anySection,
  utmCampaign: anySection,
  utmContent: anySection,
  utmTerm: anySection,
  epf: { sections: ['events'] },
  spf: { sections: ['sessions'], allowSessionProperties: true },
}

/** Whether the opening allows filters of this kind. */
const allows = (opening: Opening, kind: FilterKind): boolean =>
  isOpen(opening, filterNeeds[kind].sections) &&
  (!filterNeeds[kind].allowSessionProperties || opening.allowSessionProperties)

/** Whether callers may see session properties. They may do so only if they may also filter by them. */
export const showsSessionProperties = (opening: Opening): boolean => allows(opening, 'spf')

/** A condition in a request. Error messages contain `parameter`, spelled as the caller spelled it. */
export interface Condition {
  readonly kind: FilterKind
  readonly parameter: string
}

/** The members of `Filters` that contain conditions. The conditions of saved filters end up in these members. */
type Conditions = Omit<Filters, 'match' | 'zone' | 'given' | 'segment' | 'cohort'>

const fieldConditionsOf = (fields: FieldFilters['fields']): readonly Condition[] =>
  fields.map(({ field, parameter }) => ({ kind: field, parameter }))

const conditionsOf: { readonly [Name in keyof Conditions]: (given: Filters[Name]) => readonly Condition[] } = {
  fields: fieldConditionsOf,
  properties: (given) => given.map(({ parameter }) => ({ kind: 'epf', parameter })),
  sessionProperties: (given) => given.map(({ parameter }) => ({ kind: 'spf', parameter })),
  cohorts: (given) =>
    given.flatMap(({ fields, action, parameter }) => [{ kind: action.field, parameter }, ...fieldConditionsOf(fields)]),
  // Every section shows views and visits.
  eventTypes: () => [],
  excludeBounce: () => [],
}

const conditionNames = Object.keys(conditionsOf) as (keyof Conditions)[]

/** All conditions in a request's filters, whether sent or saved. */
const allConditionsOf = (filters: Filters): readonly Condition[] =>
  conditionNames.flatMap((name) => (conditionsOf[name] as (given: unknown) => readonly Condition[])(filters[name]))

/** Why the opening refuses these filters or the conditions in `others`; undefined if it allows them all. */
export function closedTo(opening: Opening, filters: Filters, others: readonly Condition[] = []): string | undefined {
  const closed = [...allConditionsOf(filters), ...others].find(({ kind }) => !allows(opening, kind))
  if (!closed) return undefined
  const { sections: some, allowSessionProperties } = filterNeeds[closed.kind]
  const refusal = `This share or public website does not allow this filter: ${closed.parameter}.`
  if (some.length === 0) return refusal
  const needed = `${some.length === 1 ? 'the section' : 'one of the sections'} ${some.join(', ')}`
  const more = allowSessionProperties ? ', and allowSessionProperties: true in its parameters' : ''
  return `${refusal} ${closed.kind} needs ${needed}${more}.`
}

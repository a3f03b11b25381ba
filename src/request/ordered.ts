import type { FieldFilters, Filters } from './filters.ts'

/** Sorts the filters, so that equivalent requests result in the same statements. */
export const ordered = (filters: Filters): Filters => ({
  ...filters,
  ...orderedFields(filters),
  properties: sorted(filters.properties),
  sessionProperties: sorted(filters.sessionProperties),
  eventTypes: sorted(filters.eventTypes),
  cohorts: filters.cohorts.map((cohort) => ({ ...cohort, ...orderedFields(cohort) })),
})

const orderedFields = ({ fields }: FieldFilters): Pick<FieldFilters, 'fields'> => ({ fields: sorted(fields) })

/** Sorts conditions and their values. Neither their order nor the spelling of a parameter changes their meaning. */
const sorted = <Condition extends object>(conditions: readonly Condition[]): readonly Condition[] => {
  const ranked = conditions.map((one) => {
    const condition = 'values' in one ? { ...one, values: [...(one.values as readonly unknown[])].sort() } : one
    return [JSON.stringify({ ...condition, parameter: '', name: '' }), condition] as const
  })
  return ranked.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, one]) => one)
}

import type { Door } from './access/permit.ts'
import { forbidden } from './access/permit.ts'
import { ApiError, type Issue, invalid } from './errors.ts'
import type { Metadata } from './metadata/metadata.ts'
import type { Website } from './metadata/websites.ts'
import type { Scope } from './query/where.ts'
import type { FieldFilters, Filters } from './request/filters.ts'
import { readLocked } from './request/locked-filters.ts'
import { withCohort, withSegment } from './request/saved-filters.ts'

/** What a request may read of a website: all since it was reset, of that what its door is limited to. */
export const scopeOf = (website: Website, door: Door): Scope => ({
  websiteId: website.id,
  since: website.resetAt ?? undefined,
  only: door?.filters ? [ordered(lockedFilters(door.filters))] : [],
})

/** Filters as a share keeps them; they were checked when it was made. */
function lockedFilters(kept: object): Filters {
  const read = readLocked(kept)
  if (read.success) return read.data.filters
  // Never a wider answer: what cannot be read any more opens nothing.
  throw new ApiError('server-error', 'Something went wrong on our side.', { cause: read.error })
}

/** The filters in one order, whatever order they were given in: the same question is the same statement. */
export const ordered = (filters: Filters): Filters => ({
  ...filters,
  ...orderedFields(filters),
  properties: sorted(filters.properties),
  eventTypes: sorted(filters.eventTypes),
  cohorts: filters.cohorts.map((cohort) => ({ ...cohort, ...orderedFields(cohort) })),
})

const orderedFields = ({ fields }: FieldFilters): Pick<FieldFilters, 'fields'> => ({ fields: sorted(fields) })

/** Order and spelling of what is compared mean nothing. */
const sorted = <Condition extends object>(conditions: readonly Condition[]): readonly Condition[] => {
  const ranked = conditions.map((one) => {
    const condition = 'values' in one ? { ...one, values: [...(one.values as readonly unknown[])].sort() } : one
    return [JSON.stringify({ ...condition, parameter: '', name: '' }), condition] as const
  })
  return ranked.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, one]) => one)
}

const savedFilters = { segment: withSegment, cohort: withCohort } as const

/** The filters of a request, each one that the door lets through, and what it names by id in its place. */
export async function settle(filters: Filters, website: Website, door: Door, metadata: Metadata): Promise<Filters> {
  if (door) guard(filters, door)
  const named = (['segment', 'cohort'] as const).flatMap((type) => (filters[type] ? [{ type, ...filters[type] }] : []))
  if (named.length === 0) return ordered(filters)
  const { segments, store } = metadata
  const rows = await segments.lookUp(website.id, door ? 'without distinctId' : 'all', ...named.map(({ id }) => id))
  const issues: Issue[] = []
  let settled = filters
  for (const { type, id, parameter } of named) {
    const row = rows.find((one) => one.id === id && one.type === type)
    const next = row && savedFilters[type](settled, row.parameters, parameter, store.now)
    if (next) settled = { ...next, [type]: undefined }
    else issues.push({ path: parameter, message: row ? incomplete : `This website has no ${type} of this id.` })
  }
  if (issues.length > 0) throw invalid(issues)
  return ordered(settled)
}

const incomplete = 'This cohort is not complete: save an action and a dateRange with it.'

/** Through a share or a public website nobody filters by `distinctId`, and by anything only where it says so. */
function guard({ given, fields }: Filters, door: Exclude<Door, undefined>): void {
  if (!door.allowFilter && given.length > 0) {
    throw forbidden(`Filters are not open here: leave out ${given.join(', ')}.`)
  }
  const refused = fields.find(({ field }) => field === 'distinctId')
  if (refused) throw forbidden(`This filter is not open here: ${refused.parameter}.`)
}

import type { Opening } from '../access/opening.ts'
import { forbidden, type Grant } from '../access/permit.ts'
import type { AnyReport } from '../endpoints/endpoint.ts'
import { ApiError, type Issue, invalid } from '../errors.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Website } from '../metadata/websites.ts'
import type { Scope } from '../query/scope.ts'
import type { FieldFilters, Filters } from '../request/filters.ts'
import { readLocked } from '../request/locked-filters.ts'
import { withCohort, withSegment } from '../request/saved-filters.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './identify.ts'
import type { Input } from './input.ts'

/** What a report is asked: by whom, about what, and which filters hold. */
export interface Question {
  readonly report: AnyReport
  readonly website: Website
  readonly grant: Grant
  readonly scope: Scope
  /** Its filters are the only ones from here on: those of the request, saved ones put in their place. */
  readonly input: Input
  /** Whether the request named a saved filter, which may change. */
  readonly usesSaved: boolean
}

/** The question of a request: 403 or 400 where its filters cannot be asked. */
export async function resolveQuestion(
  report: AnyReport,
  given: Input,
  { website }: Caller,
  grant: Grant,
  { metadata }: Exchange,
): Promise<Question> {
  const filters = await resolveSavedFilters(given.filters, website!, grant, metadata)
  const usesSaved = given.filters.segment !== undefined || given.filters.cohort !== undefined
  return { report, website: website!, grant, scope: scopeOf(website!, grant), input: { ...given, filters }, usesSaved }
}

/** What a request may read of a website: all since its reset, and of that what passes the locked filters. */
const scopeOf = (website: Website, { opening }: Grant): Scope => ({
  websiteId: website.id,
  since: website.resetAt ?? undefined,
  only: opening?.filters ? [ordered(lockedFilters(opening.filters))] : [],
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

const savedFilterResolvers = { segment: withSegment, cohort: withCohort } as const

/** The filters of a request, and what it names by id in its place. */
async function resolveSavedFilters(
  filters: Filters,
  website: Website,
  { opening }: Grant,
  { segments, store }: Metadata,
): Promise<Filters> {
  if (opening) refuseClosed(filters, opening)
  const named = (['segment', 'cohort'] as const).flatMap((type) => (filters[type] ? [{ type, ...filters[type] }] : []))
  if (named.length === 0) return ordered(filters)
  const rows = await segments.lookUp(website.id, opening ? 'without distinctId' : 'all', ...named.map(({ id }) => id))
  const issues: Issue[] = []
  let resolved = filters
  for (const { type, id, parameter } of named) {
    const row = rows.find((one) => one.id === id && one.type === type)
    const next = row && savedFilterResolvers[type](resolved, row.parameters, parameter, store.now)
    if (next) resolved = { ...next, [type]: undefined }
    else issues.push({ path: parameter, message: row ? incomplete : `This website has no ${type} of this id.` })
  }
  if (issues.length > 0) throw invalid(issues)
  return ordered(resolved)
}

const incomplete = 'This cohort is not complete: save an action and a dateRange with it.'

/** Through a share or a public website nobody filters by `distinctId`, and by anything only where it says so. */
function refuseClosed({ given, fields }: Filters, { allowFilter }: Opening): void {
  if (!allowFilter && given.length > 0) {
    throw forbidden(`Filters are not open here: leave out ${given.join(', ')}.`)
  }
  const refused = fields.find(({ field }) => field === 'distinctId')
  if (refused) throw forbidden(`This filter is not open here: ${refused.parameter}.`)
}

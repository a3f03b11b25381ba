import { type Condition, closedTo, showsSessionProperties } from '../access/filters.ts'
import type { Opening } from '../access/opening.ts'
import { forbidden, type Grant } from '../access/permit.ts'
import { mayOnWebsite } from '../access/rights.ts'
import type { AnyReport } from '../endpoints/endpoint.ts'
import { numberOr } from '../env.ts'
import { ApiError, type Issue, invalid } from '../errors.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Website } from '../metadata/website.ts'
import { type Scope, withDeleted } from '../query/language/scope.ts'
import type { Filters } from '../request/filters.ts'
import { readStoredLocked } from '../request/locked-filters.ts'
import type { Need } from '../request/need.ts'
import { ordered } from '../request/ordered.ts'
import { withCohort, withSegment } from '../request/saved-filters.ts'
import { dayLength } from '../request/time-zone.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './identify.ts'
import type { Input } from './input.ts'
import { takeNeed } from './need.ts'
import { boundPatterns } from './pattern-bounds.ts'

/** A report's question: the caller's grant, the input and the filters that apply. */
export interface Question {
  readonly report: AnyReport
  readonly website: Website
  readonly grant: Grant
  readonly scope: Scope
  /** The filters are final: they include the request's own filters and those of the saved filters that it uses. */
  readonly input: Input
  /** Whether the request used a saved filter or report, which somebody may change later. */
  readonly usesSaved: boolean
  /** How fresh the answer must be. */
  readonly need: Need | undefined
}

/** Creates a request's question. Throws a 403 or 400 if its filters are not allowed. */
export async function resolveQuestion(
  report: AnyReport,
  asked: Input,
  { holder, website }: Caller,
  grant: Grant,
  exchange: Exchange,
): Promise<Question> {
  const { metadata, now, patterns } = exchange
  const { input: given, need } = takeNeed(report, asked, now)
  const [filters, saved] = await Promise.all([
    resolveSavedFilters(given.filters, report.conditionsOf?.(given as never), website!, grant, metadata),
    savedInput(report, given, website!, metadata),
  ])
  boundPatterns(filters, grant, patterns)
  const usesSaved =
    report.saved !== undefined || given.filters.segment !== undefined || given.filters.cohort !== undefined
  const input = {
    ...saved,
    ...given,
    filters,
    ...('mayUpdate' in given && { mayUpdate: mayBeUpdated(holder, website!, grant) }),
  }
  const shown = scopeOf(website!, grant, exchange)
  const scope = report.countsDeleted ? withDeleted(shown) : shown
  return { report, website: website!, grant, scope, input, usesSaved, need }
}

/** The part of the input that comes from the saved report identified in the path. */
async function savedInput(
  { saved }: AnyReport,
  given: Input,
  website: Website,
  { reports }: Metadata,
): Promise<object> {
  return saved ? saved.inputOf(await reports.lookUp(String(given[saved.idName])), website.id) : {}
}

const mayBeUpdated = (holder: Caller['holder'], website: Website, { kind }: Grant): boolean =>
  kind === 'own' && mayOnWebsite(holder, website, 'update')

/** The part of a website that a request may read: events since the reset that match the locked filters. */
export const scopeOf = (website: Website, { opening }: Grant, { now, env }: Pick<Exchange, 'now' | 'env'>): Scope => ({
  websiteId: website.id,
  since: website.resetAt ?? undefined,
  only: opening?.filters ? [ordered(lockedFilters(opening.filters))] : [],
  hidesDistinctIds: opening !== undefined,
  hidesSessionProperties: opening !== undefined && !showsSessionProperties(opening),
  deletedSessions: website.deletedSessions,
  closedBefore: Math.floor(now / dayLength) * dayLength,
  chainsFrom: numberOr(undefined, env.CHAINS_FROM),
})

/** A share's locked filters, which were validated when the share was saved. */
function lockedFilters(kept: object): Filters {
  const read = readStoredLocked(kept)
  if (read.success) return read.data.filters
  // If the locked filters cannot be parsed, every request is refused, so that no answer shows too much.
  throw new ApiError('server-error', 'Something went wrong on our side.', { cause: read.error })
}

const savedFilterResolvers = { segment: withSegment, cohort: withCohort } as const

/** Replaces the saved filters that a request refers to by id with their conditions. */
export async function resolveSavedFilters(
  filters: Filters,
  more: readonly Condition[] | undefined,
  website: Website,
  { opening }: Grant,
  { segments, store }: Metadata,
): Promise<Filters> {
  if (opening) refuseClosed(filters, opening, more)
  const named = (['segment', 'cohort'] as const).flatMap((type) => (filters[type] ? [{ type, ...filters[type] }] : []))
  if (named.length === 0) return ordered(filters)
  const rows = await segments.lookUp(website.id, opening ? 'without distinctId' : 'all', ...named.map(({ id }) => id))
  const issues: Issue[] = []
  let resolved = filters
  for (const { type, id, parameter } of named) {
    const row = rows.find((one) => one.id === id && one.type === type)
    const next = row && savedFilterResolvers[type](resolved, row.parameters, parameter, store.now)
    if (next) resolved = { ...next, [type]: undefined }
    else issues.push({ path: parameter, message: row ? incomplete : `This website has no ${type} with this id.` })
  }
  if (issues.length > 0) throw invalid(issues)
  if (opening) refuseClosed(resolved, opening)
  return ordered(resolved)
}

const incomplete = 'This cohort is not complete: save an action and a dateRange with it.'

/** Throws a 403 for filters that the share or public website does not allow. */
function refuseClosed(filters: Filters, opening: Opening, more?: readonly Condition[]): void {
  const { given } = filters
  if (!opening.allowFilter && given.length > 0) {
    throw forbidden(`This share or public website does not allow filters: leave out ${given.join(', ')}.`)
  }
  const refusal = closedTo(opening, filters, more)
  if (refusal) throw forbidden(refusal)
}

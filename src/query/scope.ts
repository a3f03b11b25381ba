import type { Filters } from '../request/filters.ts'
import type { Period } from '../request/period.ts'

/** The one website whose events a statement may read. Every statement is composed from one. */
export interface Scope {
  readonly websiteId: string
  /** The website was reset at this moment, in milliseconds since 1970: nothing before it is read. */
  readonly since: number | undefined
  /** The locked filters of a share or a public website: all of these have to pass beside those of the request. */
  readonly only: readonly Filters[]
}

/** Which rows a statement reads: of which website, of which range, and which of these. */
export interface Selection {
  readonly scope: Scope
  readonly period: Period
  readonly filters: Filters
}

/** The first moment of a period that the scope shows. */
export const visibleStart = ({ since }: Pick<Scope, 'since'>, { startAt }: Pick<Period, 'startAt'>): number =>
  Math.max(startAt, since ?? startAt)

/** The part of the period that the scope shows. */
export const visiblePeriod = ({ scope, period }: Selection): Period => ({
  ...period,
  startAt: visibleStart(scope, period),
})

/** The filters of the request, and those that have to pass beside them. */
export const allFilters = ({ filters, scope }: Selection): readonly Filters[] => [filters, ...scope.only]

/** Whether a filter reads the event's visit, session or properties. */
export const needsEvent = (selection: Selection): boolean =>
  allFilters(selection).some((one) => one.excludeBounce || one.properties.length > 0 || one.cohorts.length > 0)

import type { Filters } from '../../request/filters.ts'
import { always, type Period } from '../../request/period.ts'
import type { Knowledge } from './known.ts'

/** The single website whose events a statement may read. Every statement is built from a scope. */
export interface Scope {
  readonly websiteId: string
  /** When the website was reset, in milliseconds since 1970. Earlier events are hidden. */
  readonly since: number | undefined
  /** The locked filters of a share or a public website. All of them apply in addition to the request's filters. */
  readonly only: readonly Filters[]
  /** Whether distinct ids are hidden, as they are for readers of shares and public websites. */
  readonly hidesDistinctIds: boolean
  /** Whether session properties are hidden. Locked filters may still use them. */
  readonly hidesSessionProperties: boolean
  /** Deleted sessions that are waiting for a purge. No statement reads their rows. */
  readonly deletedSessions?: readonly string[]
  /**
   * The start of the current UTC day. Earlier days may be sealed. If it is missing, all days are treated as not sealed.
   */
  readonly closedBefore?: number
  /** The minimum number of views in a range that chains may answer. By default, the measured thresholds apply. */
  readonly chainsFrom?: number | undefined
  readonly known?: Knowledge
}

/** The events that a request selects: those in the range that pass the filters. */
export interface SelectedEvents {
  readonly period: Period
  readonly filters: Filters
}

/** The rows that a statement reads, which are those of the website's rows that the request selects. */
export interface Selection extends SelectedEvents {
  readonly scope: Scope
}

/** The scope with deleted sessions included, for counts that only change once these sessions are purged. */
export const withDeleted = (scope: Scope): Scope => ({ ...scope, deletedSessions: [] })

/** The first moment of a period that the scope shows and ClickHouse can store. */
export const visibleStart = ({ since }: Pick<Scope, 'since'>, { startAt }: Pick<Period, 'startAt'>): number =>
  Math.max(startAt, since ?? startAt, always.startAt)

/** The visible part of the selected period. */
export const visiblePeriod = ({ scope, period }: Selection): Period => ({
  ...period,
  startAt: visibleStart(scope, period),
})

/** Both ranges as one selection. Undefined if they are not adjacent, or if filters depend on the range. */
export const bothRanges = (current: Selection, before: Selection, dependsOnRange: boolean): Selection | undefined =>
  dependsOnRange || before.period.endAt + 1 !== current.period.startAt
    ? undefined
    : { ...current, period: { startAt: before.period.startAt, endAt: current.period.endAt } }

/** Whether a filter of the request or a locked one excludes bounces. Which visits are bounces depends on the range. */
export const excludesBounces = (selection: Selection): boolean =>
  allFilters(selection).some(({ excludeBounce }) => excludeBounce)

/** The request's filters and the locked ones. */
export const allFilters = ({ filters, scope }: Selection): readonly Filters[] => [filters, ...scope.only]

/** Whether any filter of the request or any locked filter excludes rows. */
export const isFiltered = (selection: Selection): boolean =>
  needsEvent(selection) || allFilters(selection).some(({ fields, eventTypes }) => fields.length + eventTypes.length > 0)

/** Whether any filter reads the event's visit, session or properties. */
export const needsEvent = (selection: Selection): boolean =>
  allFilters(selection).some(
    ({ excludeBounce, properties, sessionProperties, cohorts }) =>
      excludeBounce || properties.length + sessionProperties.length + cohorts.length > 0,
  )

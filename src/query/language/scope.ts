import type { Filters } from '../../request/filters.ts'
import { always, type Period } from '../../request/period.ts'
import type { Knowledge } from './known.ts'

/** The one website whose events a statement may read. Every statement is built from a scope. */
export interface Scope {
  readonly websiteId: string
  /** The website's reset, in milliseconds since 1970: earlier events are hidden. */
  readonly since: number | undefined
  /** The locked filters of a share or a public website. All apply in addition to the request's filters. */
  readonly only: readonly Filters[]
  /** Whether distinct ids are hidden, as they are through a share or a public website. */
  readonly hidesDistinctIds: boolean
  /** Whether session properties are hidden. Locked filters may still use them. */
  readonly hidesSessionProperties: boolean
  /** Deleted sessions that wait for a purge: no statement reads their rows. */
  readonly deletedSessions?: readonly string[]
  /** The start of the current UTC day: earlier days may be sealed. Without it, no day counts as sealed. */
  readonly closedBefore?: number
  /** Chains may answer ranges with at least this many views; by default, the measured thresholds apply. */
  readonly chainsFrom?: number | undefined
  readonly known?: Knowledge
}

/** The events that a request selects: those in the range that pass the filters. */
export interface SelectedEvents {
  readonly period: Period
  readonly filters: Filters
}

/** The rows that a statement reads: the website's rows that the request selects. */
export interface Selection extends SelectedEvents {
  readonly scope: Scope
}

/** The scope including deleted sessions, for counts that change only when the sessions are purged. */
export const withDeleted = (scope: Scope): Scope => ({ ...scope, deletedSessions: [] })

/** The first moment of a period that the scope shows and that ClickHouse can store. */
export const visibleStart = ({ since }: Pick<Scope, 'since'>, { startAt }: Pick<Period, 'startAt'>): number =>
  Math.max(startAt, since ?? startAt, always.startAt)

/** The visible part of the selected period. */
export const visiblePeriod = ({ scope, period }: Selection): Period => ({
  ...period,
  startAt: visibleStart(scope, period),
})

/** Both ranges as one selection. Undefined if they are not neighbours, or if filters depend on the range. */
export const bothRanges = (current: Selection, before: Selection, dependsOnRange: boolean): Selection | undefined =>
  dependsOnRange || before.period.endAt + 1 !== current.period.startAt
    ? undefined
    : { ...current, period: { startAt: before.period.startAt, endAt: current.period.endAt } }

/** Whether a filter, given or locked, leaves bounces out: that depends on the range. */
export const excludesBounces = (selection: Selection): boolean =>
  allFilters(selection).some(({ excludeBounce }) => excludeBounce)

/** The request's filters and the locked ones. */
export const allFilters = ({ filters, scope }: Selection): readonly Filters[] => [filters, ...scope.only]

/** Whether a filter, given or locked, leaves rows out. */
export const isFiltered = (selection: Selection): boolean =>
  needsEvent(selection) || allFilters(selection).some(({ fields, eventTypes }) => fields.length + eventTypes.length > 0)

/** Whether a filter reads the event's visit, session or properties. */
export const needsEvent = (selection: Selection): boolean =>
  allFilters(selection).some(
    ({ excludeBounce, properties, sessionProperties, cohorts }) =>
      excludeBounce || properties.length + sessionProperties.length + cohorts.length > 0,
  )

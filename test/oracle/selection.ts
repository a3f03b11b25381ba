import { type FieldCondition, passesField } from './conditions.ts'
import {
  columnInstant,
  firstMillisecond,
  isBareDate,
  lastMillisecond,
  milliseconds,
  yearEarlierIn,
} from './instants.ts'
import type { IngestRow } from './model.ts'
import { passesProperty } from './property-filters.ts'
import type { Reading } from './reading.ts'
import { isActionOf, savedConditions, savedRange } from './saved.ts'
import { passesSessionFilters } from './session-records.ts'
import { sameId } from './text.ts'
import { bouncesAmong } from './visits.ts'

/** Both ends are inclusive. */
export type Range = { start: number; end: number }

export const EVER: Range = { start: -Infinity, end: Infinity }

export function requestedRange({ settings }: Pick<Reading, 'settings'>): Range {
  const timezone = settings.get('timezone') ?? 'UTC'
  const startDate = settings.get('startDate')
  const endDate = settings.get('endDate')
  if (startDate === undefined || endDate === undefined) {
    return { start: requiredNumber(settings, 'startAt'), end: requiredNumber(settings, 'endAt') }
  }
  return {
    start: isBareDate(startDate) ? firstMillisecond(startDate, timezone) : milliseconds(startDate),
    end: isBareDate(endDate) ? lastMillisecond(endDate, timezone) : milliseconds(endDate),
  }
}

function requiredNumber(settings: Map<string, string>, name: string): number {
  const value = settings.get(name)
  if (value === undefined) throw new Error(`Oracle: ${name} is required`)
  return Number(value)
}

/**
 * The compared range. `prev`, the default, has the same length and ends one millisecond before the start. `yoy` has
 * the same local times a year earlier.
 */
export function comparedRange({ settings }: Reading, { start, end }: Range): Range {
  if (settings.get('compare') === 'yoy') {
    const timezone = settings.get('timezone') ?? 'UTC'
    return { start: yearEarlierIn(start, timezone, 'first'), end: yearEarlierIn(end, timezone, 'last') }
  }
  return { start: start - (end - start) - 1, end: start - 1 }
}

/** The website's events in a range that match all filters of the request. */
export function selectEvents(rows: IngestRow[], websiteId: string, range: Range, reading: Reading): IngestRow[] {
  return beforeConditions(rows, websiteId, range, reading).filter((row) => passesConditions(reading, row))
}

/** A website's events in a range, without applying the request's filters. */
export function shownEvents(rows: IngestRow[], websiteId: string, range: Range): IngestRow[] {
  return rows.filter((row) => sameId(row.website_id, websiteId) && isWithin(range, row))
}

/**
 * The events that match the filters which all reports apply alike: cohort, `eventType`, `excludeBounce`, and filters
 * on session properties.
 */
export function beforeConditions(rows: IngestRow[], websiteId: string, range: Range, reading: Reading): IngestRow[] {
  const shown = shownEvents(rows, websiteId, range)
  const own = rows.filter((row) => sameId(row.website_id, websiteId))
  const sessions = cohortSessions(own, reading)
  const bounces = excludesBounces(reading) ? bouncesAmong(shown) : new Set()
  return shown.filter(
    (row) =>
      (sessions === undefined || sessions.has(row.session_id)) &&
      passesEventType(reading, row) &&
      passesSessionFilters(reading, websiteId, row.session_id) &&
      !bounces.has(row.visit_id),
  )
}

/** Whether the event itself meets the conditions on fields and properties. */
export function passesConditions(reading: Reading, row: IngestRow): boolean {
  return passesFields(reading.conditions, reading.settings.get('match'), row) && passesProperties(reading, row)
}

function isWithin({ start, end }: Range, row: IngestRow): boolean {
  const instant = columnInstant(row.created_at)
  return start <= instant && instant <= end
}

function passesEventType({ eventType }: Reading, row: IngestRow): boolean {
  return eventType === undefined || row.event_type === eventType
}

/** Bounces are determined over the range, even if their views do not match the other filters. */
function excludesBounces({ settings }: Reading): boolean {
  const excludeBounce = settings.get('excludeBounce')
  return excludeBounce !== undefined && excludeBounce !== 'false' && excludeBounce !== '0'
}

/**
 * A cohort's sessions, which have at least one event in the cohort's own range that is the action and matches the
 * cohort's filters.
 */
function cohortSessions(rows: IngestRow[], { cohort, now, settings }: Reading): Set<string> | undefined {
  if (cohort === undefined) return undefined
  const range = savedRange(cohort, now, settings.get('timezone') ?? 'UTC')
  const members = rows.filter(
    (row) =>
      isWithin(range, row) && isActionOf(cohort, row) && passesFields(savedConditions(cohort), cohort.match, row),
  )
  return new Set(members.map((row) => row.session_id))
}

/** `match` applies only to conditions on fields. */
function passesFields(conditions: FieldCondition[], match: string | undefined, row: IngestRow): boolean {
  if (conditions.length === 0) return true
  return match === 'any'
    ? conditions.some((condition) => passesField(condition, row))
    : conditions.every((condition) => passesField(condition, row))
}

export function passesProperties({ settings, propertyFilters }: Reading, row: IngestRow): boolean {
  const timezone = settings.get('timezone') ?? 'UTC'
  return propertyFilters.every((filter) => passesProperty(filter, row, timezone))
}

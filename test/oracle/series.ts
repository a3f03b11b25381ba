import { bucketOf, bucketsOf, requestedUnit, type Unit } from './buckets.ts'
import { columnInstant, isoSecond } from './instants.ts'
import type { IngestRow } from './model.ts'
import type { Reading } from './reading.ts'
import { comparedRange, type Range } from './selection.ts'
import type { Sets } from './sets.ts'
import { compareText } from './text.ts'
import { distinctSessions } from './totals.ts'
import { grouped, type Visit } from './visits.ts'

/** The shape of a requested series: its buckets, and the empty buckets that the answer includes. */
export type Frame = { unit: Unit; timezone: string; filled: number[] }

export function frameOf(reading: Reading, range: Range, unit = requestedUnit(reading, range)): Frame {
  const timezone = reading.settings.get('timezone') ?? 'UTC'
  const isFilled = reading.settings.get('fill') === 'true'
  return { unit, timezone, filled: isFilled ? bucketsOf(range, unit, timezone) : [] }
}

/** An event or a session record. */
type Timed = Pick<IngestRow, 'created_at'>

export function bucketOfRow(row: Timed, { unit, timezone }: Frame): number {
  return bucketOf(columnInstant(row.created_at), unit, timezone)
}

/** The values in each bucket, ordered by time, with the empty buckets that the answer includes. */
export function inBuckets<Value>(values: Value[], rowOf: (value: Value) => Timed, frame: Frame) {
  const groups = grouped(values, (value) => bucketOfRow(rowOf(value), frame))
  const buckets = [...new Set([...groups.keys(), ...frame.filled])].sort((left, right) => left - right)
  return buckets.map((bucket) => ({ label: isoSecond(bucket), values: groups.get(bucket) ?? [] }))
}

type Named<Value> = { name: string; value: Value }

/** A row for each name and bucket, sorted by time and name. */
export function namedSeries<Value>(
  named: Named<Value>[],
  rowOf: (value: Value) => Timed,
  measure: (values: Value[]) => number,
  frame: Frame,
) {
  const rows = [...grouped(named, ({ name }) => name)].flatMap(([name, ofName]) => {
    const values = ofName.map(({ value }) => value)
    return inBuckets(values, rowOf, frame).map(({ label, values }) => ({ x: name, t: label, y: measure(values) }))
  })
  return rows.sort((left, right) => compareText(left.t, right.t) || compareText(left.x, right.x))
}

/**
 * Views and sessions by bucket, and visits on request. With `compare`, the values of the compared range are included,
 * in the same unit.
 */
export function pageviews(setsOf: (range: Range) => Sets, reading: Reading, range: Range) {
  const unit = requestedUnit(reading, range)
  const series = (window: Range) => {
    const [{ views, visits }, frame] = [setsOf(window), frameOf(reading, window, unit)]
    return {
      ...viewsAndSessions(views, frame),
      ...(reading.settings.get('include') === 'visits' && visitsByStart(views, visits, frame)),
    }
  }
  if (!reading.settings.has('compare')) return series(range)
  const compared = comparedRange(reading, range)
  return { ...series(range), ...endsOf(range), compare: { ...series(compared), ...endsOf(compared) } }
}

function viewsAndSessions(views: IngestRow[], frame: Frame) {
  const buckets = inBuckets(views, (view) => view, frame)
  return {
    pageviews: buckets.map(({ label, values }) => ({ x: label, y: values.length })),
    sessions: buckets.map(({ label, values }) => ({ x: label, y: distinctSessions(values) })),
  }
}

/** These views' visits, each in the bucket of its first view. */
function visitsByStart(views: IngestRow[], visits: Map<string, Visit>, frame: Frame) {
  const ofViews = [...new Set(views.map((view) => view.visit_id))].flatMap((id) => visits.get(id) ?? [])
  const buckets = inBuckets(ofViews, ({ landing }) => landing, frame)
  const pointsOf = (figure: (visits: Visit[]) => number) =>
    buckets.map(({ label, values }) => ({ x: label, y: figure(values) }))
  return {
    visits: pointsOf(({ length }) => length),
    bounces: pointsOf((some) => some.filter(({ isBounce }) => isBounce).length),
    totaltime: pointsOf((some) => Math.floor(some.reduce((sum, { length }) => sum + length, 0) / 1000)),
  }
}

function endsOf({ start, end }: Range) {
  return { startDate: new Date(start).toISOString(), endDate: new Date(end).toISOString() }
}

/** Custom events by name and bucket, limited to the most frequent names if the request has a limit. */
export function eventSeries({ customEvents }: Sets, reading: Reading, range: Range) {
  const limit = Number(reading.settings.get('limit') ?? Number.POSITIVE_INFINITY)
  const names = [...grouped(customEvents, (event) => event.event_name)]
    .sort(([one, ofOne], [other, ofOther]) => ofOther.length - ofOne.length || compareText(one, other))
    .map(([name]) => name)
    .slice(0, limit)
  const named = customEvents.map((event) => ({ name: event.event_name, value: event }))
  return namedSeries(
    named.filter(({ name }) => names.includes(name)),
    (event) => event,
    (events) => events.length,
    frameOf(reading, range),
  )
}

import { columnInstant, isoSecond } from './instants.ts'
import { type Answer, ARRAY, BOOLEAN, CUSTOM_EVENT, DATE, type IngestRow, isView, NUMBER, STRING } from './model.ts'
import { list, only, page } from './paging.ts'
import { elementTexts, valueText } from './properties.ts'
import { measured, numberStats } from './property-series.ts'
import type { Reading } from './reading.ts'
import type { Range } from './selection.ts'
import { frameOf, inBuckets, namedSeries } from './series.ts'
import { type CurrentValue, currentValues, type SessionRecord } from './session-records.ts'
import { actionsOf, bySession } from './sessions.ts'
import type { Sets } from './sets.ts'
import { compareIds, compareText, containsIgnoringCase, sameId } from './text.ts'
import { grouped } from './visits.ts'

/** The input for all reports on session data: the sessions with an action, and their current values. */
export type SessionData = { actions: Map<string, IngestRow[]>; values: CurrentValue[]; records: SessionRecord[] }

export function sessionData(sets: Sets, reading: Reading, websiteId: string): SessionData {
  const actions = bySession(actionsOf(sets))
  const values = currentValues(reading.records, websiteId).filter(({ sessionId }) => actions.has(sessionId))
  const records = reading.records.filter((record) => sameId(record.website_id, websiteId))
  return { actions, values, records }
}

function countSessions(values: CurrentValue[]): number {
  return new Set(values.map(({ sessionId }) => sessionId)).size
}

/** The values of the requested property, or of all properties if none is requested. */
function named({ values }: SessionData, { settings }: Reading, ...dataTypes: number[]): CurrentValue[] {
  const name = settings.get('propertyName')
  return values.filter(
    ({ property }) =>
      (name === undefined || property.key === name) &&
      (dataTypes.length === 0 || dataTypes.includes(property.dataType)),
  )
}

function hasText(text: string, { settings }: Reading): boolean {
  return containsIgnoringCase(text, settings.get('search') ?? '')
}

/** All properties of the sessions that have the requested property. */
export function sessionDataProperties(data: SessionData, reading: Reading): Answer {
  const having = new Set(named(data, reading).map(({ sessionId }) => sessionId))
  const values = data.values.filter(({ sessionId }) => having.has(sessionId))
  const groups = grouped(values, ({ property }) => JSON.stringify([property.key, property.dataType]))
  const rows = [...groups.values()].map((some) => ({
    ...{ propertyName: some[0]!.property.key, dataType: some[0]!.property.dataType, total: countSessions(some) },
  }))
  rows.sort(
    (left, right) =>
      right.total - left.total || compareText(left.propertyName, right.propertyName) || left.dataType - right.dataType,
  )
  return list(
    reading,
    rows.filter(({ propertyName }) => hasText(propertyName, reading)),
  )
}

export function sessionDataValues(data: SessionData, reading: Reading): Answer {
  const dataType = reading.settings.get('dataType')
  const values = named(data, reading, ...(dataType === undefined ? [] : [Number(dataType)]))
  const texts = values.flatMap((value) => {
    const { property } = value
    const shown = Number(dataType) === ARRAY ? elementTexts(property) : [valueText(property)]
    return shown.map((text) => ({ text, value }))
  })
  const rows = [...grouped(texts, ({ text }) => text)].map(([text, some]) => ({
    value: text,
    total: countSessions(some.map(({ value }) => value)),
  }))
  rows.sort((left, right) => right.total - left.total || compareText(left.value, right.value))
  return list(
    reading,
    rows.filter(({ value }) => hasText(value, reading)),
  )
}

/** For each value, the total activity of the sessions that have it. */
export function sessionDataStats(data: SessionData, reading: Reading): Answer {
  const texts = named(data, reading, STRING).filter(({ property }) => property.stringValue !== '')
  const rows = [...grouped(texts, ({ property }) => property.stringValue)].map(([label, some]) => {
    const row = { label, activity: 0, sessions: 0, visits: 0, views: 0, events: 0 }
    for (const { sessionId } of some) {
      const actions = data.actions.get(sessionId)!
      row.activity += actions.length
      row.sessions += 1
      row.visits += new Set(actions.map((action) => action.visit_id)).size
      row.views += actions.filter(isView).length
      row.events += actions.filter((action) => action.event_type === CUSTOM_EVENT).length
    }
    return row
  })
  rows.sort((left, right) => right.activity - left.activity || compareText(left.label, right.label))
  return list(
    reading,
    rows.filter(({ label }) => hasText(label, reading)),
  )
}

/**
 * The sessions with the property, and all their properties, most recently identified first. The distinct id is the
 * greatest one in the property records at that time, and is hidden from shares.
 */
export function sessionDataPivot(data: SessionData, reading: Reading, isShare: boolean): Answer {
  const having = new Set(named(data, reading).map(({ sessionId }) => sessionId))
  const rows = [...having].map((sessionId) => {
    const own = data.values.filter((value) => value.sessionId === sessionId)
    const latest = Math.max(...own.map(({ record }) => columnInstant(record.created_at)))
    const ids = data.records
      .filter((record) => record.session_id === sessionId && record['properties.key'].length > 0)
      .filter((record) => columnInstant(record.created_at) === latest)
      .map((record) => record.distinct_id)
    const byKey = own.toSorted((left, right) => compareText(left.property.key, right.property.key))
    return {
      latest,
      row: {
        sessionId: sessionId.toLowerCase(),
        distinctId: isShare ? '' : ids.sort(compareText).at(-1)!,
        createdAt: isoSecond(latest),
        propertyKeys: byKey.map(({ property }) => property.key),
        propertyValues: byKey.map(({ property }) => valueText(property)),
      },
    }
  })
  rows.sort((left, right) => right.latest - left.latest || compareIds(right.row.sessionId, left.row.sessionId))
  return page(reading, rows, ({ row }) => row)
}

const recordOf = ({ record }: CurrentValue) => record

export function sessionPropertySeries(data: SessionData, reading: Reading, range: Range): Answer {
  const values = named(data, reading, STRING, BOOLEAN).map((value) => ({ name: valueText(value.property), value }))
  return only(namedSeries(values, recordOf, countSessions, frameOf(reading, range)))
}

export function sessionArraySeries(data: SessionData, reading: Reading, range: Range): Answer {
  const values = named(data, reading, ARRAY).flatMap((value) =>
    elementTexts(value.property).map((name) => ({ name, value })),
  )
  return only(namedSeries(values, recordOf, countSessions, frameOf(reading, range)))
}

/** Counts by the time in the property itself, to the second. */
export function sessionDateSeries(data: SessionData, reading: Reading): Answer {
  const seconds = grouped(named(data, reading, DATE), ({ property }) => valueText(property))
  const rows = [...seconds].map(([t, some]) => ({ t, y: countSessions(some) }))
  return only(rows.sort((left, right) => compareText(left.t, right.t)))
}

const numbersOf = (some: CurrentValue[]): string[] => some.map(({ property }) => `${property.numberValue}`)

export function sessionNumericSeries(data: SessionData, reading: Reading, range: Range): Answer {
  const metric = reading.settings.get('metric') ?? 'sum'
  return only(
    inBuckets(named(data, reading, NUMBER), recordOf, frameOf(reading, range))
      .filter(({ values }) => metric !== 'avg' || values.length > 0)
      .map(({ label, values }) => ({ t: label, y: measured(metric, numbersOf(values)) })),
  )
}

export function sessionNumericStats(data: SessionData, reading: Reading): Answer {
  return only(numberStats(numbersOf(named(data, reading, NUMBER))))
}

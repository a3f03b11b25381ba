import { type Field, fieldNames } from '../../request/fields.ts'
import { type Fragment, sql } from '../language/sql.ts'

/** The kinds of questions for which a table of counts may be used instead of the events. */
export type CountKind =
  | 'events'
  | 'custom events'
  | 'sessions'
  | 'visits'
  | 'visits of custom events'
  | 'properties'
  | 'chained visits'
  | 'chained values'
  | 'chained days'

/** A length in days or in whole UTC months. */
export type RangeLength = { readonly days: number } | { readonly months: number }

/** In a cluster, the database that contains the rows is named after the front, with this suffix. */
export const shardsSuffix = '_shard'

/** The tables that writers insert into. They store nothing themselves: views use them to fill the other tables. */
export const entryTables: readonly string[] = [
  'ingest',
  'ingest_session_data',
  'ingest_replay_chunks',
  'ingest_heatmap_events',
]

/** A table that statements read. `docs/storage.md` describes each of them; a test compares that page with this list. */
export interface Table {
  readonly name: string
  /** The resolution of a row's time: a moment (`created_at`), or a UTC `hour`, `day` or `month`. */
  readonly grain: 'moment' | 'hour' | 'day' | 'month'
  /** Whether each row counts a whole day. If so, its hour is the first one of the day. */
  readonly isOfDays?: true
  /** The fields that filters may read from its columns. */
  readonly fields: ReadonlySet<Field>
  /** Whether it has the column `event_type`. */
  readonly hasTypes: boolean
  /** Whether it has the ids of the event, visit and session, which filters use to look up other rows. */
  readonly hasIds: boolean
  /** Whether it has the session id, so that rows of deleted sessions can be left out. */
  readonly hasSessions: boolean
  /** Whether each row has its event's properties, as arrays. */
  readonly hasProperties: boolean
  /** The column with the number of events or properties that a row counts. If it is missing, each row counts as one. */
  readonly measure?: 'events' | 'properties'
  /**
   * Whether columns contain minimums and maximums. These cannot be corrected by adding rows, so whole months are
   * rebuilt.
   */
  readonly hasExtremes?: true
  /** The key columns after the website, by which `one` looks up a row. */
  readonly lookUp?: Readonly<Record<string, Fragment>>
  /** If there is a `lookUp`: the session id. */
  readonly session?: Fragment
  /** The sources of the views `TABLE_from_SOURCE` that fill it: entry tables, or other tables in this list. */
  readonly from: readonly string[]
  /** Whether it is filled by `weir seal` and not by a view. It is used only for ranges of sealed days. */
  readonly isSealed?: true
  /**
   * The minimum length of a range for which this table is faster than the events. Reading another table has a fixed
   * cost.
   */
  readonly answersFrom?: Readonly<Partial<Record<CountKind, RangeLength>>>
  /** The minimum length of such a range if whole rows cover it, so that no events are read. */
  readonly answersAloneFrom?: Readonly<Partial<Record<CountKind, RangeLength>>>
}

const allFields = new Set(fieldNames)
const nameFields: readonly Field[] = ['event']
const clientFields: readonly Field[] = ['browser', 'os', 'device', 'country']

const likeEvents = {
  grain: 'moment',
  fields: allFields,
  hasTypes: true,
  hasIds: true,
  hasSessions: true,
  hasProperties: false,
} as const
const ofCounts = { hasTypes: true, hasIds: false, hasSessions: false, hasProperties: false } as const

export const events: Table = { ...likeEvents, name: 'events', from: ['ingest'] }

export const customEvents: Table = { ...likeEvents, name: 'custom_events', hasProperties: true, from: ['ingest'] }

export const eventData: Table = {
  ...ofCounts,
  name: 'event_data',
  grain: 'moment',
  fields: new Set<Field>([...nameFields, ...clientFields, 'hostname', 'path']),
  from: ['custom_events'],
}

export const eventDataById = {
  ...ofCounts,
  name: 'event_data_by_id',
  grain: 'moment',
  fields: new Set<Field>(),
  hasTypes: false,
  lookUp: { eventId: sql`event_id` },
  session: sql`toUUID(packed[1])`,
  from: ['custom_events'],
} as const satisfies Table

/** Identify calls, each with its properties. Filters never read this table; they read events. */
export const sessionData: Table = {
  ...ofCounts,
  name: 'session_data',
  grain: 'moment',
  fields: new Set<Field>(),
  hasTypes: false,
  hasSessions: true,
  from: ['ingest_session_data'],
}

/** Web vitals, which are the events of type 5. */
export const webVitals: Table = { ...likeEvents, name: 'web_vitals', from: ['events'] }

/** Sales, with one row for each event and currency. */
export const sales: Table = { ...likeEvents, name: 'sales', from: ['custom_events'] }

/**
 * Events of every kind and identify calls (type 0), by session, with only the columns that look-ups of a session need.
 */
export const sessionEvents: Table = {
  ...likeEvents,
  name: 'session_events',
  fields: new Set<Field>([
    ...[...nameFields, ...clientFields, 'region', 'city', 'language'],
    ...['hostname', 'path', 'query', 'referrer', 'distinctId'],
  ] as Field[]),
  from: ['events', 'session_data'],
}

export const dailyShapes: Table = {
  ...ofCounts,
  name: 'daily_shapes',
  grain: 'day',
  fields: new Set(nameFields),
  measure: 'events',
  from: ['events', 'custom_events'],
  // The plain table is just as fast for months with up to about 300,000 custom events.
  answersFrom: { events: { days: 7 }, 'custom events': { days: 32 } },
}

export const monthlyShapes: Table = {
  ...ofCounts,
  name: 'monthly_shapes',
  grain: 'month',
  fields: new Set([...nameFields, ...clientFields]),
  measure: 'events',
  from: ['custom_events'],
  answersFrom: { 'custom events': { months: 2 } },
}

export const dailyEvents: Table = {
  ...ofCounts,
  name: 'daily_events',
  grain: 'day',
  fields: new Set(clientFields),
  measure: 'events',
  from: ['events'],
  answersFrom: { events: { days: 7 } },
}

export const hourlyVisits: Table = {
  ...ofCounts,
  name: 'hourly_visits',
  grain: 'hour',
  fields: new Set([...clientFields, 'region', 'city', 'language']),
  hasTypes: false,
  hasSessions: true,
  measure: 'events',
  hasExtremes: true,
  from: ['events'],
  answersFrom: { sessions: { days: 7 }, visits: { days: 28 }, 'visits of custom events': { days: 40 } },
  answersAloneFrom: { sessions: { days: 0.5 }, visits: { days: 0.5 } },
}

export const monthlyValues: Table = {
  ...ofCounts,
  name: 'monthly_values',
  grain: 'month',
  fields: new Set(nameFields),
  hasTypes: false,
  measure: 'properties',
  from: ['event_data'],
  answersFrom: { properties: { months: 2 } },
}

/** Recordings. Their rows belong to visits, so filters on events cannot be applied to them. */
const ofRecordings = { ...ofCounts, fields: new Set<Field>(), hasTypes: false, hasSessions: true } as const

/** Recorder requests, by visit. `created_at` is when they arrived. */
export const replayChunks: Table = {
  ...ofRecordings,
  name: 'replay_chunks',
  grain: 'moment',
  from: ['ingest_replay_chunks'],
}

/** The recorded visits by month of arrival. `events` is the number of recorder events. */
export const replayVisits: Table = {
  ...ofRecordings,
  name: 'replays',
  grain: 'month',
  measure: 'events',
  hasExtremes: true,
  from: ['replay_chunks'],
}

/** Clicks and scroll depths. `created_at` is the event's own time. */
export const heatmapEvents: Table = {
  ...ofRecordings,
  name: 'heatmap_events',
  grain: 'moment',
  from: ['ingest_heatmap_events'],
}

const ofChains = { ...ofCounts, grain: 'hour', hasTypes: false, isSealed: true, from: [] } as const

/**
 * Views by hour and visit. Each row contains when its session and its visit were last seen before; see docs/chains.md.
 */
export const chainedHours: Table = {
  ...ofChains,
  name: 'chained_hours',
  fields: hourlyVisits.fields,
  // Whether this table is cheaper depends on the number of noted views.
  answersFrom: { 'chained visits': { days: 2 } },
}

/** Sessions by a value of their views, and by the previous hour in which they had that value. */
export const chainedValues: Table = {
  ...ofChains,
  name: 'chained_values',
  fields: new Set<Field>(),
  answersFrom: { 'chained values': { days: 2 } },
}

/** Rows of `chained_hours`, added up by day and by a few values. */
export const chainedDays: Table = {
  ...ofChains,
  name: 'chained_days',
  isOfDays: true,
  fields: new Set<Field>(),
  answersFrom: { 'chained days': { days: 2 } },
}

/**
 * The notes of `weir seal`, which say for which days chains can be used. Like heartbeats, the table contains no events.
 */
export const seals: Table = {
  ...ofCounts,
  name: 'seals',
  grain: 'day',
  fields: new Set<Field>(),
  hasTypes: false,
  isSealed: true,
  from: [],
}

/**
 * All tables that contain rows. Each comes after its sources. If several tables can be used, the first of them is,
 * because it has the fewest rows.
 */
export const tables: readonly Table[] = [
  events,
  customEvents,
  sessionData,
  sessionEvents,
  eventData,
  eventDataById,
  sales,
  webVitals,
  dailyShapes,
  monthlyShapes,
  dailyEvents,
  hourlyVisits,
  monthlyValues,
  replayChunks,
  replayVisits,
  heatmapEvents,
  chainedHours,
  chainedValues,
  chainedDays,
]

/** Example requests and events for each report. The tests send each report's example. */

/** An event as writers insert it into `ingest`, without its website. */
type ExampleEvent = Readonly<Record<string, string | number | readonly (string | number | null)[]>>

/** A request to a report, and events that make its answer different from the answer for an empty website. */
export interface Example {
  readonly query: Readonly<Record<string, string>>
  readonly events: readonly ExampleEvent[]
  /** Identify calls as writers insert them into `ingest_session_data`, without their website. */
  readonly calls?: readonly ExampleEvent[]
  /** The parameters of the saved report that the path identifies. */
  readonly saved?: Readonly<Record<string, string>>
  /** The path's ids other than the website's. */
  readonly ids?: Readonly<Record<string, string>>
}

/** 15 October 2025 in UTC. */
export const inRange = { startAt: '1760486400000', endAt: '1760572799999' } as const

const visit = {
  session_id: '0199e2b4-5c00-7000-8000-000000000001',
  visit_id: '0199e2b4-5c00-7000-8000-000000000002',
  hostname: 'example.com',
} as const

export const pageView = {
  ...visit,
  event_id: '0199e2b4-5c00-7000-8000-000000000003',
  created_at: '2025-10-15 16:26:27.000',
  event_type: 1,
  url_path: '/pricing',
}

const { created_at: _, ...undated } = pageView

/** An event without a time, which gets the time of its insert. */
export const happeningNow: ExampleEvent = undated

/** An earlier identify call of the same session. */
export const plan: ExampleEvent = {
  session_id: visit.session_id,
  distinct_id: 'ada',
  created_at: '2025-10-15 16:00:00.000',
  'properties.key': ['amount', 'at', 'plan', 'tags'],
  'properties.data_type': [2, 4, 1, 5],
  'properties.string_value': ['10.0000', '2025-10-14T22:00:00Z', 'pro', '["a","b"]'],
  'properties.number_value': ['10', null, null, null],
  'properties.date_value': [null, '2025-10-14 22:00:00.000', null, null],
}

export const purchase = {
  ...visit,
  event_id: '00000000-0000-4000-8000-000000000001',
  created_at: '2025-10-15 16:26:28.500',
  event_type: 2,
  url_path: '/pricing',
  event_name: 'buy',
  'properties.key': ['amount', 'at', 'gift', 'plan', 'tags'],
  'properties.data_type': [2, 4, 3, 1, 5],
  'properties.string_value': ['10.0000', '2025-10-15T00:00:00Z', 'true', 'pro', '["a","b"]'],
  'properties.number_value': ['10', null, null, null, null],
  'properties.date_value': [null, '2025-10-15 00:00:00.000', null, null, null],
} as const satisfies ExampleEvent

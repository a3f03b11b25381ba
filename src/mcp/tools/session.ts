import * as z from 'zod'
import { idField, intField, textField, typesOfProperty } from '../fields.ts'
import { eventKind, tool } from '../tool.ts'

const OneSession = () =>
  z.object({
    id: textField(),
    distinctId: textField().nullable(),
    browser: textField(),
    os: textField(),
    device: textField(),
    screen: textField(),
    language: textField(),
    country: textField(),
    region: textField(),
    city: textField(),
    firstAt: textField(),
    lastAt: textField(),
    visits: intField(),
    views: intField(),
    events: intField(),
    totaltime: intField(),
  })

type OneSession = z.infer<ReturnType<typeof OneSession>>

/** Drops the fields that the tool does not show. */
const knownSession = (row: OneSession): OneSession => ({
  id: row.id,
  distinctId: row.distinctId,
  browser: row.browser,
  os: row.os,
  device: row.device,
  screen: row.screen,
  language: row.language,
  country: row.country,
  region: row.region,
  city: row.city,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  visits: row.visits,
  views: row.views,
  events: row.events,
  totaltime: row.totaltime,
})

const Activity = () =>
  z.object({
    at: textField(),
    type: z.enum(['event', 'pageview']),
    name: textField(),
    path: textField(),
    query: textField(),
    referrer: textField(),
    visitId: textField(),
    eventId: textField(),
  })

interface ActivityRow {
  readonly createdAt: string
  readonly eventType: number
  readonly eventName: string
  readonly urlPath: string
  readonly urlQuery: string
  readonly referrerDomain: string
  readonly visitId: string
  readonly eventId: string
}

interface PropertyRow {
  readonly dataKey: string
  readonly dataType: number
  readonly stringValue: string
  readonly numberValue: number | null
}

const shownActivity = (row: ActivityRow): z.infer<ReturnType<typeof Activity>> => ({
  at: row.createdAt,
  type: eventKind(row.eventType),
  name: row.eventName,
  path: row.urlPath,
  query: row.urlQuery,
  referrer: row.referrerDomain,
  visitId: row.visitId,
  eventId: row.eventId,
})

/** Returns numbers and booleans unchanged, and dates and arrays as strings. */
function propertyValue({ dataType, stringValue, numberValue }: PropertyRow): string | number | boolean {
  const type = typesOfProperty[dataType - 1]
  if (type === 'number') return numberValue ?? stringValue
  return type === 'boolean' ? stringValue === 'true' : stringValue
}

/** The maximum number of activities to show, newest first. */
const mostActivity = 200

export const getSessionTool = tool({
  name: 'get_session',
  description: 'One visitor: what is known about them, their properties, and what they did, newest first.',
  example: { sessionId: '5f0c1f6e-3c0f-4b3e-9d3e-0e2b7a1c9d10', includeActivity: true },
  time: 'never',
  input: () => ({
    sessionId: idField().describe('Id of a session, from get_sessions or get_events.'),
    includeActivity: z.boolean().default(true).describe(`Also the newest ${mostActivity} views and events.`),
  }),
  output: () => ({
    session: OneSession(),
    properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    activity: z.array(Activity()).optional(),
    activityTruncated: z.boolean().optional(),
  }),
  units: 'totaltime: seconds. visits, views, events: counts over all time. Timestamps: ISO 8601 UTC.',
  async answer({ sessionId, includeActivity }, { read }) {
    const path = `sessions/${sessionId}`
    const [{ body: given }, { body: properties }] = await Promise.all([
      read<OneSession>(path),
      read<readonly PropertyRow[]>(`${path}/properties`),
    ])
    const session = knownSession(given)
    const known = {
      session,
      properties: Object.fromEntries(properties.map((row) => [row.dataKey, propertyValue(row)])),
    }
    if (!includeActivity) return known
    const { body, total } = await read<readonly ActivityRow[]>(`${path}/activity`, {
      startAt: Date.parse(session.firstAt),
      // lastAt is truncated to seconds.
      endAt: Date.parse(session.lastAt) + 999,
      limit: mostActivity,
    })
    return { ...known, activity: body.map(shownActivity), activityTruncated: body.length < total }
  },
})

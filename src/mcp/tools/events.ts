import * as z from 'zod'
import { type Paged, pageFields, pageInfo, pageOutput, searchField, textField } from '../fields.ts'
import { eventKind, tool } from '../tool.ts'

interface EventRow {
  readonly id: string
  readonly sessionId: string
  readonly visitId: string
  readonly createdAt: string
  readonly eventType: number
  readonly eventName: string
  readonly urlPath: string
  readonly pageTitle: string
  readonly hostname: string
  readonly referrerDomain: string
  readonly browser: string
  readonly os: string
  readonly device: string
  readonly country: string
  readonly distinctId: string | null
}

const Event = () =>
  z.object({
    id: textField(),
    sessionId: textField(),
    visitId: textField(),
    createdAt: textField(),
    type: z.enum(['event', 'pageview']),
    name: textField(),
    path: textField(),
    title: textField(),
    hostname: textField(),
    referrer: textField(),
    browser: textField(),
    os: textField(),
    device: textField(),
    country: textField(),
    distinctId: textField().nullable(),
  })

const eventOf = (row: EventRow): z.infer<ReturnType<typeof Event>> => ({
  id: row.id,
  sessionId: row.sessionId,
  visitId: row.visitId,
  createdAt: row.createdAt,
  type: eventKind(row.eventType),
  name: row.eventName,
  path: row.urlPath,
  title: row.pageTitle,
  hostname: row.hostname,
  referrer: row.referrerDomain,
  browser: row.browser,
  os: row.os,
  device: row.device,
  country: row.country,
  distinctId: row.distinctId,
})

export const getEventsTool = tool({
  name: 'get_events',
  description:
    'Single page views and custom events, newest first. For counts, get_event_stats and get_event_series are cheaper.',
  example: { startAt: 'yesterday', event: 'signup', pageSize: 10 },
  time: 'range',
  isFiltered: true,
  input: () => ({
    event: searchField('Only custom events of exactly this name.'),
    search: searchField('Part of the event name or path, ignoring case.'),
    ...pageFields(),
  }),
  output: () => ({ events: z.array(Event()), ...pageOutput() }),
  units: 'createdAt: ISO 8601 UTC. distinctId: the person, if the website sent it. count: events of all pages.',
  async answer({ event, search, page, pageSize }, { read }) {
    const { body } = await read<Paged<EventRow>>('events', {
      eventName: event,
      search,
      page,
      pageSize,
      include: 'distinctId',
    })
    return { events: body.data.map(eventOf), ...pageInfo(body) }
  },
})

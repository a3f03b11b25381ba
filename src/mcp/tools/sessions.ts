import * as z from 'zod'
import { intField, type Paged, pageFields, pageInfo, pageOutput, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

const Session = () =>
  z.object({
    id: textField(),
    firstAt: textField(),
    lastAt: textField(),
    visits: intField(),
    views: intField(),
    events: intField(),
    hostname: textField(),
    browser: textField(),
    os: textField(),
    device: textField(),
    screen: textField(),
    language: textField(),
    country: textField(),
    region: textField(),
    city: textField(),
    distinctId: textField().nullable(),
  })

type Session = z.infer<ReturnType<typeof Session>>

/** Drops the fields that the tool does not show. */
const shownSession = (row: Session): Session => ({
  id: row.id,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  visits: row.visits,
  views: row.views,
  events: row.events,
  hostname: row.hostname,
  browser: row.browser,
  os: row.os,
  device: row.device,
  screen: row.screen,
  language: row.language,
  country: row.country,
  region: row.region,
  city: row.city,
  distinctId: row.distinctId,
})

export const getSessionsTool = tool({
  name: 'get_sessions',
  description: 'Visitors, one row each, the last seen first. get_session shows more about one.',
  example: { startAt: 'today', filters: { country: 'DE' } },
  time: 'range',
  isFiltered: true,
  input: () => ({
    search: searchField('Part of the distinct id, city, browser, os or device, ignoring case.'),
    ...pageFields(),
  }),
  output: () => ({ sessions: z.array(Session()), ...pageOutput() }),
  units: 'visits, views, events: counts in the range. firstAt, lastAt: ISO 8601 UTC. count: sessions of all pages.',
  async answer({ search, page, pageSize }, { read }) {
    const { body } = await read<Paged<Session>>('sessions', { search, page, pageSize })
    return { sessions: body.data.map(shownSession), ...pageInfo(body) }
  },
})

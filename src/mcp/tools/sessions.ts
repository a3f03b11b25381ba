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

export const getSessionsTool = tool({
  name: 'get_sessions',
  description: 'Visitors, one row each, the one seen last first. get_session tells more of one.',
  example: { startAt: 'today', filters: { country: 'DE' } },
  time: 'range',
  isFiltered: true,
  input: () => ({
    search: searchField('Part of distinct id, city, browser, os or device, in any case.'),
    ...pageFields(),
  }),
  output: () => ({ sessions: z.array(Session()), ...pageOutput() }),
  units: 'visits, views, events: counts in the range. firstAt, lastAt: ISO 8601 UTC. count: sessions of all pages.',
  async answer({ search, page, pageSize }, { read }) {
    const { body } = await read<Paged<Session & Record<string, unknown>>>('sessions', { search, page, pageSize })
    // Strips the fields that the tool does not show.
    return { sessions: z.array(Session()).parse(body.data), ...pageInfo(body) }
  },
})

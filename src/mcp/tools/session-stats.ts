import { intField } from '../fields.ts'
import { tool } from '../tool.ts'

type Figure = { readonly value: number }

export const getSessionStatsTool = tool({
  name: 'get_session_stats',
  description: 'Totals over all sessions of a range: visitors, visits, page views, custom events, countries.',
  example: { startAt: 'last_week' },
  time: 'range',
  isFiltered: true,
  input: () => ({}),
  output: () => ({
    visitors: intField(),
    visits: intField(),
    pageviews: intField(),
    events: intField(),
    countries: intField(),
  }),
  units: 'Counts. countries: distinct ones.',
  async answer(_, { read }) {
    type Stats = Record<'visitors' | 'visits' | 'pageviews' | 'events' | 'countries', Figure>
    const { visitors, visits, pageviews, events, countries } = (await read<Stats>('sessions/stats')).body
    return {
      visitors: visitors.value,
      visits: visits.value,
      pageviews: pageviews.value,
      events: events.value,
      countries: countries.value,
    }
  },
})

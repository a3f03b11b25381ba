import * as z from 'zod'
import { compareField, intField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface EventTotalsBody {
  readonly events: number
  readonly visitors: number
  readonly visits: number
  readonly uniqueEvents: number
}

const EventFigures = () =>
  z.object({ events: intField(), visitors: intField(), visits: intField(), uniqueEvents: intField() })

export const getEventStatsTool = tool({
  name: 'get_event_stats',
  description: 'How many custom events occurred in a range, and for how many visitors, compared with an earlier range.',
  example: { startAt: 'last_7_days', filters: { event: 'signup' } },
  time: 'range',
  isFiltered: true,
  input: () => ({ compare: compareField().default('prev') }),
  output: () => ({ current: EventFigures(), previous: EventFigures(), compare: textField() }),
  units: 'Counts. uniqueEvents: distinct event names.',
  async answer({ compare }, { read }) {
    const { body } = await read<{ data: EventTotalsBody & { comparison: EventTotalsBody } }>('events/stats', {
      compare,
    })
    const { comparison, ...current } = body.data
    return { current, previous: comparison, compare }
  },
})

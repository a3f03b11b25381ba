import * as z from 'zod'
import { intField, limitField, pointsField, textField, unitField } from '../fields.ts'
import { hintOfLimit, tool } from '../tool.ts'

interface NamedPoint {
  readonly x: string
  readonly t: string
  readonly y: number
}

export const getEventSeriesTool = tool({
  name: 'get_event_series',
  description: 'Custom events over time, by name, the most frequent names first.',
  example: { startAt: 'last_30_days', unit: 'week', limit: 5 },
  time: 'range',
  isFiltered: true,
  input: () => ({ unit: unitField(), limit: limitField() }),
  output: () => ({
    unit: textField(),
    events: z.array(z.object({ name: textField(), total: intField(), series: pointsField() })),
  }),
  units: 'total, value: events. date: start of the step, ISO 8601 UTC. Steps without any are left out.',
  async answer({ unit, limit }, { read }) {
    const { body } = await read<readonly NamedPoint[]>('events/series', { unit, limit })
    const series = new Map<string, { date: string; value: number }[]>()
    for (const { x, t, y } of body) series.set(x, [...(series.get(x) ?? []), { date: t, value: y }])
    const events = [...series].map(([name, points]) => ({
      name,
      total: points.reduce((sum, { value }) => sum + value, 0),
      series: points,
    }))
    return {
      unit: unit ?? 'auto',
      events: events.sort((one, other) => other.total - one.total),
      ...hintOfLimit(limit, [events]),
    }
  },
})

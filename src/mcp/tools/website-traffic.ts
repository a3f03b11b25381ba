import * as z from 'zod'
import { compareField, pointsField, textField, unitField } from '../fields.ts'
import { tool } from '../tool.ts'

interface XY {
  readonly x: string
  readonly y: number
}
interface TrafficSeries {
  readonly pageviews: readonly XY[]
  readonly sessions: readonly XY[]
}
type Traffic = TrafficSeries & {
  readonly compare?: TrafficSeries & { readonly startDate: string; readonly endDate: string }
}

const seriesOf = ({ pageviews, sessions }: TrafficSeries) => ({
  pageviews: pointsOf(pageviews),
  visits: pointsOf(sessions),
})
const pointsOf = (some: readonly XY[]) => some.map(({ x, y }) => ({ date: x, value: y }))

export const getWebsiteTrafficTool = tool({
  name: 'get_website_traffic',
  description: 'Page views and visitors over time, one point for each step that has any. For charts and trends.',
  example: { startAt: 'last_30_days', unit: 'day', timezone: 'Europe/Berlin' },
  time: 'range',
  isFiltered: true,
  input: () => ({ unit: unitField(), compare: compareField().optional() }),
  output: () => ({
    unit: textField(),
    pageviews: pointsField(),
    visits: pointsField(),
    previous: z
      .object({ startAt: textField(), endAt: textField(), pageviews: pointsField(), visits: pointsField() })
      .optional(),
  }),
  units:
    'pageviews: views in the step. visits: distinct sessions in it. date: start of the step, ISO 8601 UTC. Steps without any are left out.',
  async answer({ unit, compare }, { read }) {
    const { body } = await read<Traffic>('pageviews', { unit, compare })
    const before = body.compare
    return {
      unit: unit ?? 'auto',
      ...seriesOf(body),
      ...(before && { previous: { startAt: before.startDate, endAt: before.endDate, ...seriesOf(before) } }),
    }
  },
})

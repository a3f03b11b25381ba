import * as z from 'zod'
import { compareField, intField, numberField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface StatsBody {
  readonly pageviews: number
  readonly visitors: number
  readonly visits: number
  readonly bounces: number
  readonly totaltime: number
}

const Figures = () =>
  z.object({
    pageviews: intField(),
    visitors: intField(),
    visits: intField(),
    bounces: intField(),
    bounceRate: numberField(),
    averageVisitDurationSeconds: intField(),
    viewsPerVisit: numberField(),
  })

/** A quotient with this many decimals; 0 when dividing by 0. */
const quotient = (part: number, whole: number, decimals: number): number =>
  whole === 0 ? 0 : Math.round((part * 10 ** decimals) / whole) / 10 ** decimals

const figuresOf = ({ pageviews, visitors, visits, bounces, totaltime }: StatsBody) => ({
  pageviews,
  visitors,
  visits,
  bounces,
  bounceRate: quotient(bounces * 100, visits, 1),
  averageVisitDurationSeconds: quotient(totaltime, visits, 0),
  viewsPerVisit: quotient(pageviews, visits, 2),
})

export const getWebsiteStatsTool = tool({
  name: 'get_website_stats',
  description: 'Page views, visitors, visits, bounces and time of a range, compared with an earlier one.',
  example: { startAt: 'last_7_days', compare: 'prev' },
  time: 'range',
  isFiltered: true,
  input: () => ({ compare: compareField().default('prev') }),
  output: () => ({ current: Figures(), previous: Figures(), compare: textField() }),
  units:
    'pageviews, visitors, visits, bounces: counts. bounceRate: percent of visits (0-100). averageVisitDurationSeconds: seconds.',
  async answer({ compare }, { read }) {
    const { body } = await read<StatsBody & { comparison: StatsBody }>('stats', { compare })
    return { current: figuresOf(body), previous: figuresOf(body.comparison), compare }
  },
})

import * as z from 'zod'
import { compareField, intField, limitField, namedField, numberField, textField, unitField } from '../fields.ts'
import { tool } from '../tool.ts'

interface SalesRow {
  readonly sum: number
  readonly count: number
  readonly unique_count: number
  readonly total_sessions: number
  readonly average: number
  readonly arpu: number
}

const SalesFigures = () =>
  z.object({
    sum: numberField(),
    count: intField(),
    buyers: intField(),
    sessions: intField(),
    average: numberField(),
    arpu: numberField(),
  })

const salesOf = ({ sum, count, unique_count, total_sessions, average, arpu }: SalesRow) => ({
  sum,
  count,
  buyers: unique_count,
  sessions: total_sessions,
  average,
  arpu,
})

const noSales =
  'No sales in this currency. get_event_properties with propertyName "currency" lists the existing currencies.'

interface SalesPointRow {
  readonly x: string
  readonly t: string
  readonly y: number
  readonly count: number
}
type Names = { name: string; value: number; country?: string }[]

export const getRevenueTool = tool({
  name: 'get_revenue',
  description: 'Sales in one currency: totals, over time, and by country, region, referrer and channel.',
  example: { startAt: 'this_month', currency: 'EUR' },
  time: 'range',
  isFiltered: true,
  input: () => ({
    currency: z.string().min(1).max(10).default('USD').describe('ISO 4217 code. Amounts are not converted.'),
    unit: unitField(),
    compare: compareField().default('prev'),
    limit: limitField(),
  }),
  output: () => ({
    currency: textField(),
    total: SalesFigures(),
    previous: SalesFigures(),
    chart: z.array(z.object({ name: textField(), date: textField(), value: numberField(), count: intField() })),
    byCountry: namedField(),
    byRegion: z.array(z.object({ name: textField(), value: numberField(), country: textField().optional() })),
    byReferrer: namedField(),
    byChannel: namedField(),
  }),
  units:
    'sum, value, average, arpu: money in currency; arpu per session, average per sale. count: sales. buyers, sessions: visitors.',
  async answer({ currency, unit, compare, limit }, { read }) {
    const by = (type: string) => read<Names>('revenue/metrics', { currency, type, limit })
    const [stats, chart, byCountry, byRegion, byReferrer, byChannel] = await Promise.all([
      read<SalesRow & { comparison: SalesRow }>('revenue/stats', { currency, compare }),
      read<{ chart: readonly SalesPointRow[] }>('revenue/chart', { currency, unit }),
      ...(['country', 'region', 'referrer', 'channel'] as const).map(by),
    ] as const)
    return {
      currency: currency.toUpperCase(),
      total: salesOf(stats.body),
      previous: salesOf(stats.body.comparison),
      chart: chart.body.chart.map(({ x, t, y, count }) => ({ name: x, date: t, value: y, count })),
      byCountry: byCountry!.body,
      byRegion: byRegion!.body,
      byReferrer: byReferrer!.body,
      byChannel: byChannel!.body,
      ...(stats.body.count === 0 && { hint: noSales }),
    }
  },
})

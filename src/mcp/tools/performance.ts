import * as z from 'zod'
import { intField, limitField, numberField, textField, unitField } from '../fields.ts'
import { tool } from '../tool.ts'

const webVitalNames = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const percentiles = () => ({ p50: numberField(), p75: numberField(), p95: numberField() })

type Percentiles = z.infer<z.ZodObject<ReturnType<typeof percentiles>>>
type Summary = Record<(typeof webVitalNames)[number], Percentiles> & { readonly count: number }

export const getPerformanceTool = tool({
  name: 'get_performance',
  description:
    'Core Web Vitals from visitors’ browsers; with metric, over time; with breakdown, by page, device or browser.',
  example: { startAt: 'last_7_days', metric: 'lcp', breakdown: 'path' },
  time: 'range',
  isFiltered: true,
  input: () => ({
    metric: z.enum(webVitalNames).optional().describe('Also this metric over time. Default for breakdown: lcp.'),
    breakdown: z
      .enum(['path', 'title', 'device', 'browser'])
      .optional()
      .describe('Also the metric by this, slowest first.'),
    limit: limitField(),
    unit: unitField(),
  }),
  output: () => ({
    measurements: intField(),
    vitals: z.object({
      lcp: z.object(percentiles()),
      inp: z.object(percentiles()),
      cls: z.object(percentiles()),
      fcp: z.object(percentiles()),
      ttfb: z.object(percentiles()),
    }),
    series: z.array(z.object({ date: textField(), ...percentiles() })).optional(),
    breakdown: z.array(z.object({ name: textField(), ...percentiles(), count: intField() })).optional(),
  }),
  units:
    'Milliseconds; cls has no unit. Good p75: lcp 2500, inp 200, cls 0.1, fcp 1800, ttfb 800. measurements, count: measurements; without any, all figures are 0.',
  async answer({ metric, breakdown, limit, unit }, { read }) {
    const [summary, series, rows] = await Promise.all([
      read<Summary>('performance/stats'),
      metric && read<{ chart: readonly (Percentiles & { t: string })[] }>('performance/chart', { metric, unit }),
      breakdown &&
        read<(Percentiles & { name: string; count: number })[]>('performance/metrics', {
          metric,
          type: breakdown,
          limit,
        }),
    ])
    const { count, ...figures } = summary.body
    return {
      measurements: count,
      vitals: figures,
      ...(series && { series: series.body.chart.map(({ t, ...point }) => ({ date: t, ...point })) }),
      ...(rows && { breakdown: rows.body }),
    }
  },
})

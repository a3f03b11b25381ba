import * as z from 'zod'
import { intField, limitField, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface MetricBody {
  readonly x: string
  readonly y: number
  readonly country?: string
}

const types = [
  ...[
    'path',
    'fullPath',
    'entry',
    'exit',
    'title',
    'query',
    'hostname',
    'referrer',
    'domain',
    'channel',
    'event',
    'tag',
  ],
  ...['utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'browser', 'os', 'device', 'screen'],
  ...['language', 'country', 'region', 'city', 'distinctId'],
] as const

export const getWebsiteMetricsTool = tool({
  name: 'get_website_metrics',
  description:
    'The most frequent values of one dimension: top pages, referrers, channels, countries, browsers, events.',
  example: { startAt: 'this_month', type: 'referrer', limit: 10 },
  time: 'range',
  isFiltered: true,
  input: () => ({
    type: z
      .enum(types)
      .describe('The dimension. entry, exit: first and last page of visits; domain: referrers by group.'),
    limit: limitField(),
    offset: z.int().min(0).max(1_000_000).default(0).describe('Rows to skip.'),
    search: searchField('Only values that contain this, ignoring case.'),
  }),
  output: () => ({
    type: textField(),
    measure: z.enum(['views', 'visitors']),
    data: z.array(z.object({ name: textField(), value: intField(), country: textField().optional() })),
    limit: intField(),
    offset: intField(),
    count: intField(),
    hasMore: z.boolean(),
  }),
  units:
    'value: distinct visitors (measure visitors), or how often the event happened (measure views). count: values in all.',
  async answer({ type, limit, offset, search }, { read }) {
    const { body, total } = await read<readonly MetricBody[]>('metrics', { type, limit, offset, search })
    return {
      type,
      measure: type === 'event' ? ('views' as const) : ('visitors' as const),
      data: body.map(({ x, y, country }) => ({ name: x, value: y, ...(country !== undefined && { country }) })),
      limit,
      offset,
      count: total,
      hasMore: offset + body.length < total,
    }
  },
})

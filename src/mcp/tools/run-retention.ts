import * as z from 'zod'
import { intField, numberField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface CohortRow {
  readonly date: string
  readonly day: number
  readonly visitors: number
  readonly returnVisitors: number
  readonly percentage: number
}

export const runRetentionTool = tool({
  name: 'run_retention',
  description: 'How many of the visitors first seen on a day came back on each of the next 31 days.',
  example: { startAt: 'this_month' },
  time: 'range',
  isFiltered: true,
  input: () => ({}),
  output: () => ({
    cohorts: z.array(
      z.object({
        cohortDate: textField(),
        day: intField(),
        visitors: intField(),
        returningVisitors: intField(),
        retentionRate: numberField(),
      }),
    ),
  }),
  units: 'day: days after cohortDate (0: that day). retentionRate: percent of visitors (0-100).',
  async answer(_, { read }) {
    const { body } = await read<readonly CohortRow[]>('retention')
    return {
      cohorts: body.map(({ date, day, visitors, returnVisitors, percentage }) => ({
        cohortDate: date,
        day,
        visitors,
        returningVisitors: returnVisitors,
        retentionRate: percentage,
      })),
    }
  },
})

import * as z from 'zod'
import { intField, limitField, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

export const runJourneyTool = tool({
  name: 'run_journey',
  description: 'The most frequent ways through a website: the first pages and events of visits.',
  example: { startAt: 'last_7_days', steps: 3, startStep: '/' },
  time: 'range',
  isFiltered: true,
  input: () => ({
    steps: z.int().min(2).max(7).default(3).describe('How many steps of each visit to look at.'),
    startStep: searchField('Only journeys that begin with this path or event name.'),
    endStep: searchField('Only journeys whose last step is this.'),
    limit: limitField(),
  }),
  output: () => ({
    journeys: z.array(z.object({ steps: z.array(textField()), visitors: intField() })),
    count: intField(),
  }),
  units: 'visitors: visits that went this way. count: different journeys in all.',
  async answer({ steps, startStep, endStep, limit }, { read }) {
    const { body, total } = await read<readonly { items: string[]; count: number }[]>('journeys', {
      steps,
      startStep,
      endStep,
      limit,
    })
    return { journeys: body.map(({ items, count }) => ({ steps: items, visitors: count })), count: total }
  },
})

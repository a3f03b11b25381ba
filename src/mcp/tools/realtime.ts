import { intField } from '../fields.ts'
import { tool } from '../tool.ts'

export const getRealtimeTool = tool({
  name: 'get_realtime',
  description: 'How many visitors are on a website now.',
  example: {},
  time: 'never',
  input: () => ({}),
  output: () => ({ activeVisitors: intField() }),
  units: 'activeVisitors: distinct visitors of the last 5 minutes.',
  async answer(_, { read }) {
    return { activeVisitors: (await read<{ visitors: number }>('active')).body.visitors }
  },
})

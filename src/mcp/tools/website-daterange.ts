import * as z from 'zod'
import { textField } from '../fields.ts'
import { tool } from '../tool.ts'

export const getWebsiteDaterangeTool = tool({
  name: 'get_website_daterange',
  description: 'When the first and the last event of a website happened. Use it before asking about long ranges.',
  example: {},
  time: 'never',
  input: () => ({}),
  output: () => ({ startAt: textField().nullable(), endAt: textField().nullable(), hasData: z.boolean() }),
  units: 'startAt, endAt: ISO 8601, UTC; null without data.',
  async answer(_, { read }) {
    const { body } = await read<{ startDate: string | null; endDate: string | null }>('daterange')
    return { startAt: body.startDate, endAt: body.endDate, hasData: body.startDate !== null }
  },
})

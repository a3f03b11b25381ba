import * as z from 'zod'
import { mapAtOnce } from '../../endpoints/concurrency.ts'
import { invalidInput } from '../errors.ts'
import { idField, intField, numberField, type Paged, pageFields, pageInfo, pageOutput, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface Goal {
  readonly id: string
  readonly name: string
  readonly parameters: { readonly type?: string; readonly value?: string }
}

export const getGoalsTool = tool({
  name: 'get_goals',
  description: 'The saved goals of a website; with startAt, also how many visitors reached each.',
  example: { startAt: 'last_30_days' },
  time: 'optional',
  isFiltered: true,
  input: () => ({ goalId: idField().optional().describe('Only this goal.'), ...pageFields() }),
  output: () => ({
    goals: z.array(
      z.object({
        id: textField(),
        name: textField(),
        type: textField(),
        value: textField(),
        results: z.object({ conversions: intField(), visitors: intField(), conversionRate: numberField() }).optional(),
      }),
    ),
    ...pageOutput(),
  }),
  units: 'conversions, visitors: visitors. conversionRate: 0-1.',
  async answer({ goalId, page, pageSize }, { read, look, isInRange, isFiltered }) {
    if (isFiltered && !isInRange) {
      throw invalidInput([{ path: 'filters', message: 'Send startAt, too: filters only apply to counts.' }])
    }
    const list: Paged<Goal> =
      goalId === undefined
        ? (await look<Paged<Goal>>('goals', { page, pageSize })).body
        : { data: [(await look<Goal>(`goals/${goalId}`)).body], count: 1, page: 1, pageSize: 1 }
    const resultsOf = async ({ id }: Goal) => {
      const { num, total } = (await read<{ num: number; total: number }>(`goals/${id}/stats`)).body
      return { conversions: num, visitors: total, conversionRate: total === 0 ? 0 : num / total }
    }
    const goals = await mapAtOnce(list.data, async (goal) => ({
      ...{ id: goal.id, name: goal.name, type: goal.parameters.type ?? '', value: goal.parameters.value ?? '' },
      ...(isInRange && { results: await resultsOf(goal) }),
    }))
    return { goals, ...pageInfo(list) }
  },
})

import * as z from 'zod'
import { invalidInput } from '../errors.ts'
import { idField, intField, numberField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface FunnelRow {
  readonly type: string
  readonly value: string
  readonly visitors: number
  readonly previous: number
  readonly dropped: number
  readonly dropoff: number
  readonly remaining: number
}

const FunnelToolStep = () =>
  z.strictObject({
    type: z.enum(['path', 'event']),
    value: z.string().min(1).max(500).describe('A path, or the name of an event; * at an end matches any text.'),
  })

export const runFunnelTool = tool({
  name: 'run_funnel',
  description:
    'How many visitors went from step to step, each within windowMinutes of the one before. Pass funnelId or steps.',
  example: {
    startAt: 'last_30_days',
    steps: [
      { type: 'path', value: '/pricing' },
      { type: 'event', value: 'signup' },
    ],
  },
  time: 'range',
  isFiltered: true,
  input: () => ({
    funnelId: idField().optional().describe('Id of a saved funnel, from list_funnels, instead of steps.'),
    steps: z
      .array(FunnelToolStep())
      .min(2)
      .max(8)
      .optional()
      .describe('2 to 8 steps, first to last, instead of funnelId.'),
    windowMinutes: z.number().positive().max(525_600).optional().describe('Only with steps. Default 60.'),
  }),
  output: () => ({
    steps: z.array(
      z.object({
        step: intField(),
        type: textField(),
        value: textField(),
        visitors: intField(),
        previous: intField(),
        dropped: intField(),
        dropoffRate: numberField(),
        remainingRate: numberField(),
      }),
    ),
  }),
  units:
    'visitors, previous, dropped: visitors. dropoffRate: 0-1 of the step before. remainingRate: 0-1 of the first step.',
  async answer({ funnelId, steps, windowMinutes }, { read }) {
    if ((funnelId === undefined) === (steps === undefined)) {
      throw invalidInput([{ path: 'funnelId', message: 'Send either funnelId or steps.' }])
    }
    if (funnelId !== undefined && windowMinutes !== undefined) {
      throw invalidInput([{ path: 'windowMinutes', message: 'Leave it out: the saved funnel has its own window.' }])
    }
    const { body } = await (funnelId === undefined
      ? read<readonly FunnelRow[]>('funnels/stats', { window: windowMinutes ?? 60, steps: JSON.stringify(steps) })
      : read<readonly FunnelRow[]>(`funnels/${funnelId}/stats`))
    return {
      steps: body.map(({ type, value, visitors, previous, dropped, dropoff, remaining }, index) => ({
        ...{ step: index + 1, type, value, visitors, previous, dropped },
        ...{ dropoffRate: dropoff, remainingRate: remaining },
      })),
    }
  },
})

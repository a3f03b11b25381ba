import * as z from 'zod'
import { numberField, type Paged, pageFields, pageInfo, pageOutput, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface Funnel {
  readonly id: string
  readonly name: string
  readonly parameters: { readonly steps?: readonly Record<string, unknown>[]; readonly window?: number | string }
}

export const listFunnelsTool = tool({
  name: 'list_funnels',
  description: 'The saved funnels of a website. run_funnel computes one of them.',
  example: {},
  time: 'never',
  input: pageFields,
  output: () => ({
    funnels: z.array(
      z.object({
        id: textField(),
        name: textField(),
        steps: z.array(z.record(z.string(), z.unknown())),
        windowMinutes: numberField(),
      }),
    ),
    ...pageOutput(),
  }),
  units: 'windowMinutes: minutes from one step to the next.',
  async answer({ page, pageSize }, { read }) {
    const { body } = await read<Paged<Funnel>>('funnels', { page, pageSize })
    return {
      funnels: body.data.map(({ id, name, parameters: { steps = [], window = 0 } }) => ({
        id,
        name,
        steps: [...steps],
        windowMinutes: Number(window),
      })),
      ...pageInfo(body),
    }
  },
})

import * as z from 'zod'
import { type Paged, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface SegmentBody {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

const types = ['segment', 'cohort'] as const

export const listSegmentsTool = tool({
  name: 'list_segments',
  description:
    'Saved filters (segments) and saved groups of visitors (cohorts). Their ids go into filters.segment and filters.cohort.',
  example: { type: 'segment' },
  time: 'never',
  input: () => ({
    type: z.enum(types).optional().describe('Default: both.'),
    search: searchField('Part of the name, ignoring case.'),
  }),
  output: () => ({
    segments: z.array(
      z.object({
        id: textField(),
        name: textField(),
        type: textField(),
        definition: z.record(z.string(), z.unknown()),
        createdAt: textField(),
      }),
    ),
  }),
  units: 'createdAt: ISO 8601 UTC.',
  async answer({ type, search }, { read }) {
    const lists = await Promise.all(
      types
        .filter((one) => type === undefined || one === type)
        .map((one) => read<Paged<SegmentBody>>('segments', { type: one, search, pageSize: 1000 })),
    )
    const isWhole = lists.every(({ body }) => body.count <= body.data.length)
    return {
      ...(!isWhole && { hint: 'The list is incomplete: send search.' }),
      segments: lists.flatMap(({ body }) =>
        body.data.map(({ id, name, type, parameters, createdAt }) => ({
          id,
          name,
          type,
          definition: parameters,
          createdAt,
        })),
      ),
    }
  },
})

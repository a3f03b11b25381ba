import * as z from 'zod'
import { type Paged, pageFields, pageInfo, pageOutput, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

const ShownAnnotation = () => z.object({ id: textField(), date: textField(), note: textField(), allDay: z.boolean() })

type ShownAnnotation = z.infer<ReturnType<typeof ShownAnnotation>>

export const getAnnotationsTool = tool({
  name: 'get_annotations',
  description:
    'Notes that people pinned to dates, newest date first: releases, campaigns, outages. They may explain a change.',
  example: { startAt: 'this_year', search: 'release' },
  time: 'optional',
  input: () => ({ search: searchField('Part of the note, ignoring case.'), ...pageFields() }),
  output: () => ({ annotations: z.array(ShownAnnotation()), ...pageOutput() }),
  units: 'date: ISO 8601 UTC. count: annotations of all pages.',
  async answer({ search, page, pageSize }, { read }) {
    const { body } = await read<Paged<ShownAnnotation>>('annotations', { search, page, pageSize })
    return {
      annotations: body.data.map(({ id, date, note, allDay }) => ({ id, date, note, allDay })),
      ...pageInfo(body),
    }
  },
})

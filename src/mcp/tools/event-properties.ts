import * as z from 'zod'
import { invalidInput } from '../errors.ts'
import { intField, limitField, searchField, textField, typesOfProperty } from '../fields.ts'
import { tool } from '../tool.ts'

interface PropertyBody {
  readonly eventName: string
  readonly propertyName: string
  readonly dataType: number
  readonly total: number
}

export const getEventPropertiesTool = tool({
  name: 'get_event_properties',
  description: 'The properties of events and how frequent they are; with propertyName, its values.',
  example: { startAt: 'last_7_days', eventName: 'purchase', propertyName: 'plan' },
  time: 'range',
  isFiltered: true,
  input: () => ({
    propertyName: searchField('Returns the values of exactly this property.'),
    eventName: searchField('Only events of exactly this name.'),
    dataType: z.enum(typesOfProperty).optional().describe('With propertyName: only values of this type.'),
    limit: limitField(),
  }),
  output: () => ({
    totals: z.object({ events: intField(), properties: intField(), records: intField() }),
    properties: z
      .array(
        z.object({
          eventName: textField(),
          propertyName: textField(),
          dataType: z.enum(typesOfProperty),
          count: intField(),
        }),
      )
      .optional(),
    values: z.array(z.object({ value: textField(), count: intField() })).optional(),
  }),
  units: 'count: events with it. totals.events: events with properties; records: values in all.',
  async answer({ propertyName, eventName, dataType, limit }, { read }) {
    if (dataType !== undefined && propertyName === undefined) {
      throw invalidInput([{ path: 'dataType', message: 'Send propertyName with it, or leave it out.' }])
    }
    const totals = read<readonly [{ events: number; properties: number; records: number }]>('event-data/stats', {
      eventName,
    })
    if (propertyName !== undefined) {
      const type = dataType && typesOfProperty.indexOf(dataType) + 1
      const values = read<readonly { value: string; total: number }[]>('event-data/values', {
        propertyName,
        eventName,
        dataType: type,
        limit,
      })
      const [{ body: sums }, { body }] = await Promise.all([totals, values])
      return {
        totals: sums[0],
        values: body.map(({ value, total }) => ({ value, count: total })),
        ...(body.length === 0 && {
          hint: 'No event has such a property. Leave propertyName out to list the existing names.',
        }),
      }
    }
    const properties = read<readonly PropertyBody[]>('event-data/properties', { eventName, limit })
    const [{ body: sums }, { body }] = await Promise.all([totals, properties])
    return {
      totals: sums[0],
      properties: body.map(({ eventName, propertyName, dataType, total }) => ({
        eventName,
        propertyName,
        dataType: typesOfProperty[dataType - 1]!,
        count: total,
      })),
    }
  },
})

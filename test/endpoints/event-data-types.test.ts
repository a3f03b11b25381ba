import { beforeAll, describe, expect, it } from 'vitest'
import { event, id, number, string } from '../oracle/fixtures.ts'
import { computed, type World, worldOf } from '../support/agreement.ts'
import { reportOf } from '../support/reports.ts'
import { read } from '../support/weir.ts'

/**
 * Tests the most frequent type of a property, in each table that `event-data/properties` reads. One part of the range
 * has a different most frequent type than the whole.
 */
describe('event-data/properties: the most frequent type', () => {
  const report = reportOf({ endpoint: 'event-data/properties' })
  let world: World

  beforeAll(async () => {
    const rows = (month: string, ...values: ('text' | 'number')[]) =>
      values.map((kind, place) => {
        const index = Number(month.slice(0, 2)) * 100 + Number(month.slice(3, 5)) + place * 1000
        const at = `2025-${month} 12:00:0${place}.000`
        const property = kind === 'text' ? string('size', 'large') : number('size', '4')
        return event({ event_id: id(index), created_at: at, event_name: 'buy' }, [property, string('plan', 'pro')])
      })
    world = await worldOf(
      ...rows('01-10', 'text', 'text', 'text'),
      ...rows('02-10', 'number', 'number'),
      ...rows('03-10', 'number'),
      ...rows('04-01', 'number', 'number'),
      ...rows('04-20', 'text'),
    )
  })

  const whole = { startAt: Date.UTC(2025, 0, 1), endAt: Date.UTC(2025, 3, 1) - 1 }

  it.each([
    ['whole months, with text as the type in a tie', whole, 1, /^daily_shapes$/],
    ['months with a filter', { ...whole, browser: 'neq.x' }, 1, /^monthly_shapes$/],
    ['days, and events after that', { ...whole, endAt: Date.UTC(2025, 3, 1, 15) }, 2, /daily_shapes/],
    ['months, and events after that', { ...whole, endAt: Date.UTC(2025, 3, 1, 15), os: 'neq.x' }, 2, /monthly_shapes/],
    ['events only', { startAt: Date.UTC(2025, 3, 20, 11), endAt: Date.UTC(2025, 3, 20, 13) }, 1, /^custom_events$/],
  ] as const)('over %s', async (_name, range, type, source) => {
    for (const more of [{}, { search: 'SIZE' }, { propertyName: 'size' }]) {
      const query = { ...range, ...more }
      const { body, headers } = await read(world.websiteId, 'event-data/properties', query)
      expect([more, headers.get('x-source')]).toEqual([more, expect.stringMatching(source)])
      const sent = Object.entries(query).map(([name, value]) => [name, String(value)] as const)
      expect(body).toEqual(computed(world.rows, report, sent))
      expect(body.find((one: { propertyName: string }) => one.propertyName === 'size').dataType).toBe(type)
    }
  })
})

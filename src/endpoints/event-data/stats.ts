import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { type Shape, shapesOf } from '../../query/figures/shapes.ts'
import { select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { eventNameGroup } from './selected.ts'

const EventDataTotals = () =>
  z.object({ events: z.number().int(), properties: z.number().int(), records: z.number().int() })

export const getEventDataStats = report({
  name: 'getEventDataStats',
  path: '/api/websites/:websiteId/event-data/stats',
  sections: ['events'],
  summary: 'The number of events with properties, of property names, and of properties.',
  example: { query: inRange, events: [purchase] },
  query: query(range, eventNameGroup, search(eventsSearched), filters()),
  answer: () => z.array(EventDataTotals()),
  plan({ period, filters, eventName, search }, scope) {
    const { rows, cheaper } = shapesOf({ scope, period, filters }, { eventName, search })
    const totals = select(EventDataTotals)`
      select
        sum(shapes.events) as events, uniqExactArray(parsed.2) as properties, sum(shapes.events * length(parsed.2)) as records
      from ${rows} as shapes`
    return { totals: { ...totals, cheaper: cheaper((shapes) => ({ rows: [totalsOfShapes(shapes)], total: 1 })) } }
  },
  shape: ({ totals }) => ({ body: [...totals.rows] }),
})

function totalsOfShapes(shapes: readonly Shape[]): ValueOf<typeof EventDataTotals> {
  const sum = (each: (shape: Shape) => number) => shapes.reduce((total, shape) => total + each(shape), 0)
  return {
    events: sum(({ events }) => events),
    properties: new Set(shapes.flatMap(({ keys }) => keys)).size,
    records: sum(({ events, keys }) => events * keys.length),
  }
}

import { event, id } from '../oracle/fixtures.ts'
import { columnTime } from './website.ts'

/** A view of one of four sessions on each of 40 days. `shardOf` returns its shard. */
export const viewEachDay = (from: number, website_id: string, shardOf: (session: number, day: number) => number) =>
  Array.from({ length: 40 }, (_, day) => ({
    shard: shardOf(day % 4, day),
    row: {
      ...event({ event_id: id(9000 + day), session_id: id(9100 + (day % 4)), visit_id: id(9200 + day) }),
      ...{ website_id, created_at: columnTime(from + day * 86_400_000), event_type: 1, event_name: '' },
    },
  }))

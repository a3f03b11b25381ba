import { channelOf } from './channels.ts'
import { columnInstant } from './instants.ts'
import { type IngestRow, isView } from './model.ts'
import { compareIds } from './text.ts'

/** What a visit is, from its shown views alone. `length` is in milliseconds. */
export type Visit = { landing: IngestRow; exit: IngestRow; length: number; isBounce: boolean; channel: string }

/** By time to the millisecond, then by event id in the engine's order. */
export function compareEvents(left: IngestRow, right: IngestRow): number {
  return columnInstant(left.created_at) - columnInstant(right.created_at) || compareIds(left.event_id, right.event_id)
}

/** The visits that have a view among these events, by their id. */
export function visitsOf(shown: IngestRow[]): Map<string, Visit> {
  const views = grouped(shown.filter(isView), (view) => view.visit_id)
  return new Map([...views].map(([id, ofVisit]) => [id, visitWith(ofVisit)]))
}

function visitWith(views: IngestRow[]): Visit {
  const inOrder = views.toSorted(compareEvents)
  const landing = inOrder[0]!
  const exit = inOrder.at(-1)!
  return {
    landing,
    exit,
    length: columnInstant(exit.created_at) - columnInstant(landing.created_at),
    isBounce: views.length === 1,
    channel: channelOf(landing),
  }
}

export function grouped<Key, Value>(values: Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

import { channelOf } from './channels.ts'
import { columnInstant } from './instants.ts'
import { type IngestRow, isAction, isView } from './model.ts'
import { compareIds } from './text.ts'

/** A visit's attributes, computed only from its shown actions. `length` is in milliseconds. */
export type Visit = { landing: IngestRow; exit: IngestRow; length: number; isBounce: boolean; channel: string }

/** Sorts by time to the millisecond, then by event id in the engine's order. */
export function compareEvents(left: IngestRow, right: IngestRow): number {
  return columnInstant(left.created_at) - columnInstant(right.created_at) || compareIds(left.event_id, right.event_id)
}

/** The visits that have a view among these events, by id. */
export function visitsOf(shown: IngestRow[]): Map<string, Visit> {
  const views = grouped(shown.filter(isView), (view) => view.visit_id)
  const bounces = bouncesAmong(shown)
  return new Map([...views].map(([id, ofVisit]) => [id, visitWith(ofVisit, bounces.has(id))]))
}

/** The ids of visits that have exactly one view and no custom event among these events. */
export function bouncesAmong(shown: IngestRow[]): Set<string> {
  const actions = grouped(shown.filter(isAction), (action) => action.visit_id)
  return new Set([...actions].filter(([, [first, second]]) => isView(first!) && !second).map(([id]) => id))
}

function visitWith(views: IngestRow[], isBounce: boolean): Visit {
  const inOrder = views.toSorted(compareEvents)
  const landing = inOrder[0]!
  const exit = inOrder.at(-1)!
  return {
    ...{ landing, exit, length: columnInstant(exit.created_at) - columnInstant(landing.created_at), isBounce },
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

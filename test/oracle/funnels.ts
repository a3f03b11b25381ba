import { columnInstant } from './instants.ts'
import { matchesOf } from './matches.ts'
import { type Answer, type IngestRow, storedProperties } from './model.ts'
import { only } from './paging.ts'
import { valueText } from './properties.ts'
import type { Reading } from './reading.ts'
import { actionsOf } from './sessions.ts'
import type { Sets } from './sets.ts'
import { containsIgnoringCase } from './text.ts'
import { distinctSessions } from './totals.ts'

export type StepFilter = { property: string; operator: 'eq' | 'neq' | 'c' | 'dnc'; value: string }

export type Step = { type: 'path' | 'event'; value: string; filters?: StepFilter[] }

/** The goal report: the number of sessions that reach the goal, and of all sessions. */
export function goal(sets: Sets, { settings }: Reading): Answer {
  const matches = matchesOf(sets, settings.get('type') ?? '', settings.get('value') ?? '')
  return only({ num: distinctSessions(matches), total: distinctSessions(actionsOf(sets)) })
}

/** The funnel report: the sessions that reach each step through any sequence of events. */
export function funnel(sets: Sets, { settings }: Reading): Answer {
  const steps: Step[] = JSON.parse(settings.get('steps') ?? '[]')
  const window = Number(settings.get('window')) * 60_000
  const reached: IngestRow[][] = []
  for (const step of steps) {
    const matches = matchesOf(sets, step.type, step.value).filter((row) => passesAll(step.filters ?? [], row))
    const before = reached.at(-1)
    reached.push(
      before === undefined ? matches : matches.filter((row) => before.some((one) => follows(row, one, window))),
    )
  }
  const visitors = reached.map(distinctSessions)
  return only(
    steps.map((step, index) => {
      const previous = index === 0 ? 0 : visitors[index - 1]!
      const dropped = index === 0 ? 0 : previous - visitors[index]!
      return {
        ...step,
        ...{ visitors: visitors[index]!, previous, dropped },
        dropoff: previous === 0 ? 0 : dropped / previous,
        remaining: visitors[0] === 0 ? 0 : visitors[index]! / visitors[0]!,
      }
    }),
  )
}

/** Whether this is another event of the same session, at the same time or at most this many milliseconds later. */
function follows(row: IngestRow, before: IngestRow, window: number): boolean {
  const later = columnInstant(row.created_at) - columnInstant(before.created_at)
  return row !== before && row.session_id === before.session_id && later >= 0 && later <= window
}

/** Whether each filter is matched by a property of the event. */
function passesAll(filters: StepFilter[], row: IngestRow): boolean {
  return filters.every(({ property, operator, value }) =>
    storedProperties(row)
      .filter(({ key }) => key === property)
      .map(valueText)
      .some((text) => passes(operator, text, value)),
  )
}

function passes(operator: StepFilter['operator'], text: string, value: string): boolean {
  switch (operator) {
    case 'eq':
      return text === value
    case 'neq':
      return text !== value
    case 'c':
      return containsIgnoringCase(text, value)
    case 'dnc':
      return !containsIgnoringCase(text, value)
  }
}

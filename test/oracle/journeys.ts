import { bucketOf } from './buckets.ts'
import { columnInstant, isoSecond, localDay, movedDay } from './instants.ts'
import { type Answer, CUSTOM_EVENT, type IngestRow } from './model.ts'
import { list, only } from './paging.ts'
import type { Reading } from './reading.ts'
import { actionsOf, bySession } from './sessions.ts'
import type { Sets } from './sets.ts'
import { compareText } from './text.ts'
import { grouped } from './visits.ts'

const USUAL_LIMIT = '100'

/** The journey report: the ordered steps of visits, and the number of visits with the same steps. */
export function journeys(sets: Sets, reading: Reading): Answer {
  const steps = Number(reading.settings.get('steps'))
  const startStep = reading.settings.get('startStep') ?? ''
  const endStep = reading.settings.get('endStep') ?? ''
  const sequences = [...grouped(actionsOf(sets), (row) => row.visit_id).values()]
    .map((actions) => withoutRepeats(actions.map(label)).slice(0, steps))
    .filter((labels) => startStep === '' || labels[0] === startStep)
    .filter((labels) => endStep === '' || labels.at(-1) === endStep)
  const rows = [...grouped(sequences, (labels) => JSON.stringify(labels)).values()].map((same) => ({
    items: same[0]!,
    count: same.length,
  }))
  rows.sort((left, right) => right.count - left.count || compareSequences(left.items, right.items))
  const settings = new Map([['limit', USUAL_LIMIT], ...reading.settings])
  return list({ ...reading, settings }, rows)
}

function label(row: IngestRow): string {
  return row.event_type === CUSTOM_EVENT ? row.event_name : row.url_path
}

function withoutRepeats(labels: string[]): string[] {
  return labels.filter((label, index) => index === 0 || label !== labels[index - 1])
}

/** Compares by the first label that differs. A prefix comes before the longer sequence. */
function compareSequences(left: string[], right: string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const compared = compareText(left[index]!, right[index]!)
    if (compared !== 0) return compared
  }
  return left.length - right.length
}

const LAST_DAY = 31

/** The retention report: how many of a day's sessions return a given number of calendar days later. */
export function retention(sets: Sets, { settings }: Reading): Answer {
  const timezone = settings.get('timezone') ?? 'UTC'
  const dayOf = (row: IngestRow) => localDay(columnInstant(row.created_at), timezone)
  const sessions = [...bySession(actionsOf(sets)).values()].map((actions) => ({
    first: dayOf(actions[0]!),
    date: isoSecond(bucketOf(columnInstant(actions[0]!.created_at), 'day', timezone)),
    days: new Set(actions.map(dayOf)),
  }))
  const cohorts = [...grouped(sessions, ({ first }) => first)].sort(([left], [right]) => compareText(left, right))
  const rows = []
  for (const [first, cohort] of cohorts) {
    for (let day = 0; day <= LAST_DAY; day++) {
      const returned = cohort.filter(({ days }) => days.has(movedDay(first, day))).length
      if (returned === 0) continue
      rows.push({
        ...{ date: cohort[0]!.date, day, visitors: cohort.length, returnVisitors: returned },
        percentage: (returned / cohort.length) * 100,
      })
    }
  }
  return only(rows)
}

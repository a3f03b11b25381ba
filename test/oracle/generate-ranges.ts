import * as fc from 'fast-check'
import type { Parameters, Subject } from './generate-subject.ts'
import type { World } from './generate-world.ts'
import { columnInstant, localDay } from './instants.ts'

type Form = 'day' | 'instant' | 'offset'

const DAY = 86_400_000

export const timezones = fc.constantFrom(
  ...['UTC', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Auckland', 'Pacific/Chatham'],
  ...['America/Santiago', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'Europe/Berlin'],
)

/** A range as `startAt` and `endAt`, as `startDate` and `endDate`, or mixed. It often starts or ends at an event. */
export function rangeParameters(world: World, subject: Subject, timezone: string): fc.Arbitrary<Parameters> {
  const all = fc.constant<Parameters>(inMilliseconds([0, 9_999_999_999_999]))
  const forms = fc.constantFrom<Form>('day', 'instant', 'offset')
  const near = ranges(world, subject).chain((range) => spelled(range, forms, timezone))
  return fc.oneof({ weight: 19, arbitrary: near }, { weight: 1, arbitrary: all })
}

/** Exactly this range. */
export function exactly(range: [number, number]): fc.Arbitrary<Parameters> {
  return spelled(range, fc.constantFrom<Form>('instant', 'offset'), 'UTC')
}

function spelled(range: [number, number], forms: fc.Arbitrary<Form>, timezone: string): fc.Arbitrary<Parameters> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(inMilliseconds(range)) },
    { weight: 1, arbitrary: fc.tuple(forms, forms).map((forms) => inDates(range, forms, timezone)) },
    {
      weight: 1,
      arbitrary: fc.constant<Parameters>([
        ...inMilliseconds(range),
        ...inDates(range, ['instant', 'offset'], timezone),
      ]),
    },
  )
}

/**
 * The second half of a window, so that the previous period is the first half, or a range that starts or ends at an
 * event.
 */
function ranges({ window }: World, { rows, anchor }: Subject): fc.Arbitrary<[number, number]> {
  const instants = rows.map((row) => columnInstant(row.created_at))
  const own = anchor === undefined ? window.start : columnInstant(anchor.created_at)
  const edges = fc.constantFrom(window.start, ...instants)
  const shifts = fc.constantFrom(0, 0, 0, -1, 1)
  const between = fc.tuple(edges, shifts).map(([edge, shift]): [number, number] => {
    return [Math.min(edge + shift, own), Math.max(edge + shift, own)]
  })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<[number, number]>([window.start, window.end]) },
    { weight: 3, arbitrary: fc.constant<[number, number]>([window.start + 2 * DAY, window.end]) },
    { weight: 3, arbitrary: between },
    { weight: 1, arbitrary: shifts.map((shift): [number, number] => [own + shift, own + shift]) },
  )
}

function inMilliseconds([start, end]: [number, number]): Parameters {
  return [
    ['startAt', String(start)],
    ['endAt', String(end)],
  ]
}

/** A bare date stands for its whole day, so the range can only become longer. */
function inDates([start, end]: [number, number], [from, to]: [Form, Form], timezone: string): Parameters {
  return [
    ['startDate', inForm(start, from, timezone)],
    ['endDate', inForm(end, to, timezone)],
  ]
}

function inForm(instant: number, form: Form, timezone: string): string {
  if (form === 'day') return localDay(instant, timezone)
  if (form === 'instant') return new Date(instant).toISOString()
  return new Date(instant + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
}

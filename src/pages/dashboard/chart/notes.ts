import type { Answer } from '@weir/client'
import { dateAfter, dayOf, startOfDay } from '../../../request/time-zone.ts'
import type { Period } from '../address/period.ts'

type Annotation = Answer<'getWebsiteAnnotations'>['data'][number]

/** An annotation and its place in the chart. */
export interface Note extends Annotation {
  /** In milliseconds since 1970. */
  readonly at: number
  /** The note's date in the time zone of the page. */
  readonly day: string
}

/** The range to request for the annotations of a period. The date of a whole-day annotation is in UTC. */
export const around = ({ from, to }: Period) => ({
  ...{ startDate: dateAfter(from, -1), endDate: dateAfter(to, 1), timezone: 'UTC' },
})

/** The annotations of a period. A whole-day annotation is placed at the start of its date, in every time zone. */
export function notesIn({ from, to, zone }: Period, all: readonly Annotation[] = []): Note[] {
  const placed = all.map((one): Note => {
    const day = one.allDay ? one.date.slice(0, 10) : dayOf(Date.parse(one.date), zone)
    return { ...one, day, at: one.allDay ? startOfDay(day, zone) : Date.parse(one.date) }
  })
  return placed.filter(({ day }) => from <= day && day <= to)
}

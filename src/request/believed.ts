import { dayLength } from './time-zone.ts'

/** How far before or after its arrival a recorder's event may be dated, in milliseconds. */
const mostBehind = dayLength
const mostAhead = 60_000

/**
 * The time of an event, limited to plausible values because browsers' clocks may be wrong. All times are in
 * milliseconds since 1970.
 */
export const believed = (time: number, arrival: number): number =>
  time >= arrival - mostBehind && time <= arrival + mostAhead ? time : arrival

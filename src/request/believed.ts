/** How far behind its arrival an event of a recorder may be, and how far ahead, in milliseconds. */
const mostBehind = 86_400_000
const mostAhead = 60_000

/** The time of an event as far as it can be true: clocks of browsers lie. All in milliseconds since 1970. */
export const believed = (time: number, arrival: number): number =>
  time >= arrival - mostBehind && time <= arrival + mostAhead ? time : arrival

const hour = 3_600_000

/** Relative traffic by hour (UTC) of an audience mostly in Europe and the Americas. */
const hours = [22, 18, 15, 13, 12, 13, 17, 25, 36, 45, 51, 54, 55, 59, 64, 67, 68, 66, 62, 58, 53, 46, 37, 28]

/** Relative traffic by day of the week, from Sunday. */
const weekdays = [62, 104, 112, 113, 109, 96, 68]

/** Returns the moment by which a share (0 to 1) of a period's visits has begun. */
export type Clock = (share: number) => number

/** Creates a clock with a daily and weekly rhythm, good and bad days, and some growth. */
export function trafficClock(from: number, to: number, seed: number): Clock {
  const starts = hourStarts(from, to)
  const passed = runningTotal(starts.map((start, index) => (starts[index + 1] ?? to) - start).map(weighted))
  const total = passed[passed.length - 1]!

  function weighted(length: number, index: number): number {
    const start = starts[index]!
    return length * intensity(start, seed) * (1 + (start - from) / (to - from) / 4)
  }

  return (share) => {
    const wanted = share * total
    const index = Math.min(lastAtMost(passed, wanted), starts.length - 1)
    const within = (wanted - passed[index]!) / (passed[index + 1]! - passed[index]!)
    return starts[index]! + within * ((starts[index + 1] ?? to) - starts[index]!)
  }
}

/** `from` and every full hour after it, up to `to`. */
function hourStarts(from: number, to: number): number[] {
  const first = Math.floor(from / hour)
  const count = Math.ceil(to / hour) - first
  return Array.from({ length: count }, (_, index) => Math.max(from, (first + index) * hour))
}

function intensity(moment: number, seed: number): number {
  const date = new Date(moment)
  const luck = 0.8 + 0.4 * evenly(Math.floor(moment / (24 * hour)), seed)
  return hours[date.getUTCHours()]! * weekdays[date.getUTCDay()]! * luck
}

/** Maps the two numbers to a uniform number in [0, 1), with the finaliser of MurmurHash3. */
function evenly(day: number, seed: number): number {
  let mixed = Math.imul(day ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** Zero, then the running total after each value. */
function runningTotal(values: readonly number[]): number[] {
  const totals = [0]
  for (const value of values) totals.push(totals[totals.length - 1]! + value)
  return totals
}

/** The index of the last of these ascending numbers that is not above the limit. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (ascending[middle]! <= limit) low = middle
    else high = middle
  }
  return low
}

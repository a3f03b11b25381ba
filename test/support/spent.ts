import { readFileSync } from 'node:fs'

/** Processor time, in seconds. */
export interface Spent {
  /** The time spent by the process itself. */
  readonly own: number
  /** The time spent by its descendants that have ended. */
  readonly below: number
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/** On Linux, the time a process has spent, and when it started; undefined if it has ended, and on other systems. */
export function spentBy(
  pid: number | 'self',
): (Spent & { readonly parent: number; readonly start: number }) | undefined {
  try {
    // `pid (name) state parent …`, where the name may contain spaces. Of the fields after it, 12 to 15 are times, and
    // 20 is the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
    const [user, system, userBelow, systemBelow] = fields.slice(11, 15) as [number, number, number, number]
    const [own, below] = [(user + system) / ticksPerSecond, (userBelow + systemBelow) / ticksPerSecond]
    return { own, below, parent: fields[1]!, start: fields[19]! }
  } catch {
    return undefined
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** What `/proc` tells of other processes. There is none but on Linux, and nothing is known then. */

/** The processes with this name that this one started. */
export function childrenNamed(wanted: string): number[] {
  const own = new RegExp(`\\(${wanted}\\) \\S ${process.pid} `)
  return numbersIn('/proc').filter((number) => own.test(fileOf(number, 'stat')))
}

/** All memory that a process holds, in MiB. */
export function residentMiB(number: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(fileOf(number, 'status'))?.[1]) / 1024
}

/** Linux counts the time of processors in hundredths of a second. */
const ticksPerSecond = 100

/** For how long processors have worked for a process, in milliseconds; undefined where that is not known. */
export function processorTime(number: number): number | undefined {
  // `pid (name) state …`: the name may hold blanks; user and system time are the 12th and 13th after it.
  const fields = fileOf(number, 'stat').split(') ').at(-1)!.split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isNaN(ticks) ? undefined : (1000 * ticks) / ticksPerSecond
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
  } catch {
    return []
  }
}

/** Empty for a process that has ended meanwhile. */
function fileOf(number: number, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

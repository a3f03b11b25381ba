import { readdirSync, readFileSync } from 'node:fs'

/** Facts about other processes from `/proc`. Outside Linux there is none, and everything is unknown. */

/** The child processes with this name. */
export function childrenNamed(wanted: string): number[] {
  const own = new RegExp(`\\(${wanted}\\) \\S ${process.pid} `)
  return numbersIn('/proc').filter((number) => own.test(fileOf(number, 'stat')))
}

/** The resident memory of a process, in MiB. */
export function residentMiB(number: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(fileOf(number, 'status'))?.[1]) / 1024
}

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

/** The processor time of a process, in milliseconds; undefined if it cannot be read. */
export function processorTime(number: number): number | undefined {
  // The format is `pid (name) state …`. The name may contain spaces. User and system time are fields 12 and 13 after
  // it.
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

/** The content of the file; empty if the process has ended. */
function fileOf(number: number, file: 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

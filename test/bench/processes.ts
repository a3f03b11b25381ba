import { readdirSync, readFileSync } from 'node:fs'

/** Information about other processes, from Linux's `/proc`. It is not available on other systems. */

/** The child processes with this name. */
export function childrenNamed(wanted: string): number[] {
  if (process.platform !== 'linux') return []
  const own = new RegExp(`\\(${wanted}\\) \\S ${process.pid} `)
  const numbers = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return numbers.map(Number).filter((number) => own.test(fileOf(number, 'stat')))
}

/** A process and all processes below it. */
export function familyOf(number: number): number[] {
  const numbers = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
  const parents = new Map(numbers.map((one) => [one, Number(fileOf(one, 'stat').split(') ').at(-1)!.split(' ')[1])]))
  const below = (parent: number): number[] =>
    numbers.filter((one) => parents.get(one) === parent).flatMap((one) => [one, ...below(one)])
  return [number, ...below(number)]
}

/** The memory of a process in MiB, with shared pages divided among their processes; 0 if it has ended. */
export const proportionalMiB = (number: number): number =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(fileOf(number, 'smaps_rollup'))?.[1] ?? 0) / 1024

/** The resident memory of a process, now or at its peak (`VmHWM`), in MiB; NaN if it cannot be read. */
export const residentMiB = (number: number | undefined, of: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${of}:\\s+(\\d+) kB$`, 'm').exec(fileOf(number, 'status'))?.[1]) / 1024

/** The processor time of a process in milliseconds, or NaN if it cannot be read. */
export function processorTime(number: number | undefined): number {
  // `pid (name) state …`: the name may contain spaces. User and system time are fields 12 and 13 after it, in
  // hundredths of a second.
  const fields = fileOf(number, 'stat').split(') ').at(-1)!.split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** The content of the file; empty if the process has ended. */
function fileOf(number: number | undefined, file: 'stat' | 'status' | 'smaps_rollup'): string {
  try {
    return readFileSync(`/proc/${number}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

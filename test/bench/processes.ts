import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { engineFile } from '../../src/local/engine/process.ts'
import { places } from '../../src/local/paths.ts'

/** Facts about other processes, from `/proc`; elsewhere from `ps` and `lsof`, which do not say everything. */

const isLinux = process.platform === 'linux'

/** The child processes with this name. */
export function childrenNamed(wanted: string): number[] {
  if (!isLinux) return childrenInPs(wanted)
  const own = new RegExp(`\\(${wanted}\\) \\S ${process.pid} `)
  return numbersIn('/proc').filter((number) => own.test(fileOf(number, 'stat')))
}

/** All processes, as `ps` lists them. */
const allInPs = () =>
  [...said('ps', '-axo', 'pid=,ppid=,comm=').matchAll(/^ *(\d+) +(\d+) +(.+)$/gm)].map(
    ([, number, parent, command]) => ({
      ...{ number: Number(number), parent: Number(parent), name: basename(command!.trim()) },
    }),
  )

const childrenInPs = (wanted: string): number[] =>
  allInPs()
    .filter(({ parent, name }) => parent === process.pid && name === wanted)
    .map(({ number }) => number)

/** The process of this name that a process below this one began. */
export function descendantNamed(wanted: string): number {
  const all = allInPs()
  type Process = (typeof all)[number]
  const below = (number: number): Process[] =>
    all.filter(({ parent }) => parent === number).flatMap((one) => [one, ...below(one.number)])
  const found = below(process.pid).find(({ name }) => name === wanted)
  if (!found) throw new Error(`No process below this one is ${wanted}.`)
  return found.number
}

/** The process id of the embedded engine of a data folder; undefined for another server. */
export function engineIn(dataDir: string): number | undefined {
  if (process.env.CLICKHOUSE_URL) return undefined
  return (JSON.parse(readFileSync(engineFile(places(dataDir).clickhouse), 'utf8')) as { pid: number }).pid
}

/** The resident memory of a process, in MiB. */
export function residentMiB(number: number): number {
  if (!isLinux) return Number.parseInt(said('ps', '-o', 'rss=', '-p', String(number)), 10) / 1024
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(fileOf(number, 'status'))?.[1]) / 1024
}

/** The open sockets of a process: its connections, and where it listens. */
export function openSockets(number: number): number {
  if (!isLinux)
    return said('lsof', '-nP', '-p', String(number), '-Ft').match(/^t(IPv4|IPv6|unix)$/gm)?.length ?? Number.NaN
  const folder = `/proc/${number}/fd`
  return numbersIn(folder).filter((file) => targetOf(`${folder}/${file}`).startsWith('socket:')).length
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

/** The target of a link; empty if it is gone. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

const said = (command: string, ...flags: string[]): string =>
  spawnSync(command, flags, { encoding: 'utf8' }).stdout ?? ''

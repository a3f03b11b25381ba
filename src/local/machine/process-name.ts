import { readFileSync, readlinkSync } from 'node:fs'

/** A name of this process that no other has had, or will have: with it, others see whether it still runs. */
export const ownName = (): string => nameOf(process.pid) ?? ''

/** Whether a process has this name now. Those of other containers cannot be seen: they may run. */
export function mayRun(name: string): boolean {
  const [space, pid] = name.split(' ')
  return space !== spaceOf() || nameOf(Number(pid)) === name
}

/** The start of the machine and the space of process ids; empty where the system does not tell. */
function spaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`
  } catch {
    return ''
  }
}

/** The name of the process with this id; undefined if there is none. Its start comes 22nd in its status. */
function nameOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const start = status.slice(status.lastIndexOf(')')).split(' ')[20]
    return `${spaceOf()} ${pid} ${start}`
  } catch {
    return undefined
  }
}

import { readFileSync, readlinkSync } from 'node:fs'

/** A name that no other process ever has. Another process can use it to check whether this one is still running. */
export const ownName = (): string => nameOf(process.pid) ?? ''

/** Whether the process with this name may still be running. Always true if its processes are not visible. */
export const mayRun = (name: string): boolean => isRunning(name) !== false

/**
 * Whether the process with this name is running. Undefined if its processes are not visible: it is in another
 * container, on another machine, or of an earlier boot.
 */
export function isRunning(name: string): boolean | undefined {
  const [space, pid] = name.split(' ')
  return space === spaceOf() ? nameOf(Number(pid)) === name : undefined
}

/** Identifies the machine's current boot and the PID namespace. Empty if the system does not show them. */
function spaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`
  } catch {
    return ''
  }
}

/** The name of the process with this id; undefined if there is none. The start time is the 22nd field of `stat`. */
function nameOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const start = status.slice(status.lastIndexOf(')')).split(' ')[20]
    return `${spaceOf()} ${pid} ${start}`
  } catch {
    return undefined
  }
}

/** Whether a process has this id, even one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

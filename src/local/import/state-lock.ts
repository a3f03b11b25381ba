import { readFileSync, rmSync } from 'node:fs'
import { writeWhole } from '../machine/private-folder.ts'
import { isAlive, isRunning, ownName } from '../machine/process-name.ts'
import { isRenewed, keepRenewed } from '../machine/renewed-file.ts'
import { Misuse } from '../told/misuse.ts'

/**
 * Locks the state file for this process. Returns a function that unlocks it. Throws if another process holds the lock.
 */
export function holdState(file: string): () => void {
  const lock = `${file}.lock`
  const holder = holderOf(lock)
  if (holder !== undefined) throw new Misuse(`Another import is running with ${file}, as process ${holder}.`)
  writeWhole(lock, lockerName())
  const stop = keepRenewed(lock)
  return () => {
    stop()
    rmSync(lock, { force: true })
  }
}

/** The name of this process; only its id on systems without names. */
const lockerName = (): string => ownName() || String(process.pid)

/**
 * The id of the process that holds the lock. A killed process leaves its lock file behind, and another process may have
 * its id now.
 */
function holderOf(lock: string): number | undefined {
  try {
    const name = readFileSync(lock, 'utf8')
    const [first, id] = name.split(' ')
    const pid = Number(id ?? first)
    if (!Number.isInteger(pid) || pid <= 0 || name === lockerName()) return undefined
    const isHeld = isRunning(name) ?? (isRenewed(lock) && (id !== undefined || isAlive(pid)))
    return isHeld ? pid : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

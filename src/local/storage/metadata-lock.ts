import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '../machine/process-name.ts'
import { isRenewed, keepRenewed } from '../machine/renewed-file.ts'
import { places } from '../paths.ts'

/** The pause between two looks at the lock, in milliseconds. */
const betweenLooks = 100

/**
 * Locks a folder's D1 file, which two workerds cannot have open at the same time. Waits until no other process has it
 * open, and returns a function that releases the lock. Each poll also calls `instead`; if that returns a result, it is
 * returned instead of a lock.
 */
export async function lockMetadata<Found>(
  dataDir: string,
  instead: () => Promise<Found | undefined>,
): Promise<Found | (() => void)> {
  const file = places(dataDir).metadataLock
  const remove = () => rmSync(file, { force: true })
  for (;;) {
    const found = await instead()
    if (found !== undefined) return found
    if (isMade(file)) break
    if (isHeld(file)) await pause(betweenLooks)
    else remove()
  }
  // On a signal, Miniflare ends the process before any other handler runs.
  process.once('exit', remove)
  const stop = keepRenewed(file)
  return () => {
    stop()
    process.off('exit', remove)
    remove()
  }
}

/** Creates the file. Returns false if it already exists. */
function isMade(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Whether the process that created the file still holds the lock. The file is briefly empty just after its creation.
 */
function isHeld(file: string): boolean {
  try {
    return isRenewed(file) && isAlive(Number(readFileSync(file, 'utf8')))
  } catch {
    return false
  }
}

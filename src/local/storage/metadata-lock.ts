import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { places } from '../paths.ts'

/**
 * The longest wait for another process, in milliseconds. Then this process takes the lock: a killed process may have
 * left it behind, and another process may have its number now.
 */
const patience = 15_000
const betweenLooks = 100

/**
 * Two workerds cannot open one D1 file. Waits until no other process has this folder's file open, and returns the
 * function that frees the lock. Each look also calls `instead`: if it finds something, that is returned in its place.
 */
export async function lockMetadata<Found>(
  dataDir: string,
  instead: () => Promise<Found | undefined>,
): Promise<Found | (() => void)> {
  const file = places(dataDir).metadataLock
  const remove = () => rmSync(file, { force: true })
  for (let waited = 0; ; waited += betweenLooks) {
    const found = await instead()
    if (found !== undefined) return found
    if (waited >= patience) remove()
    if (isMade(file)) break
    if (isHeld(file)) await pause(betweenLooks)
    else remove()
  }
  // On a signal, Miniflare ends the process before any other handler runs.
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    remove()
  }
}

/** Makes the file, unless it exists. */
function isMade(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Whether the process that made the file still runs. The file is empty for a moment after it was made. */
function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

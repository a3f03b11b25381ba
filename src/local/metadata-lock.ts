import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { places } from './paths.ts'

/**
 * How long to wait for another process, in milliseconds. After that the lock is taken: it may be left from a process
 * that was killed, and its number may belong to another one now.
 */
const patience = 15_000
const betweenLooks = 100

/**
 * Two workerds cannot open one D1 file. Waits until no other process has that of this folder open, and returns the
 * function that frees it. `instead` is called at each look; what it finds is returned in place of a lock.
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
  // Miniflare ends the process at a signal, before anything else has its turn.
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    remove()
  }
}

/** Makes the file, unless it is there. */
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

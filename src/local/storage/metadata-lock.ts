import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { places } from '../paths.ts'

/**
 * The process with the lock renews its file. If the file has not been renewed for this many milliseconds, the process
 * was killed, and another process may have its id now.
 */
const patience = 15_000
const renewal = 1000
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
  const renewing = setInterval(() => renew(file), renewal).unref()
  return () => {
    clearInterval(renewing)
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

function renew(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Another process has removed it.
  }
}

/**
 * Whether the process that created the file still holds the lock. The file is briefly empty just after its creation.
 */
function isHeld(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > patience) return false
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

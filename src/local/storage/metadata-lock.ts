import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { places } from '../paths.ts'

/**
 * The process with the lock renews its file. If it has not done so for this many milliseconds, it was killed, and
 * another process may have its id now.
 */
const patience = 15_000
const renewal = 1000
const betweenLooks = 100

/**
 * Two workerds cannot open one D1 file. Waits until no other process has this folder's file open, and returns the
 * function that frees the lock. Each poll also calls `instead`, whose result, if any, is returned instead of a lock.
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

/** Creates the file, unless it exists. */
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

/** Whether the process that made the file still has it. The file is empty for a moment after it was made. */
function isHeld(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > patience) return false
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

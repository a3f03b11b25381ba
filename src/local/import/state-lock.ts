import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Misuse } from '../told/misuse.ts'

/**
 * Locks the state file for this process. Returns a function that unlocks it. Throws if another process holds the lock.
 */
export function holdState(file: string): () => void {
  const lock = `${file}.lock`
  const holder = holderOf(lock)
  if (holder !== undefined) throw new Misuse(`Another import is running with ${file}, as process ${holder}.`)
  writeFileSync(lock, String(process.pid), { mode: 0o600 })
  return () => rmSync(lock, { force: true })
}

/** The process that holds the lock. A killed process leaves its lock file behind. */
function holderOf(lock: string): number | undefined {
  try {
    const holder = Number(readFileSync(lock, 'utf8'))
    process.kill(holder, 0)
    return holder === process.pid ? undefined : holder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? Number(readFileSync(lock, 'utf8')) : undefined
  }
}

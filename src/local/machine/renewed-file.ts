import { statSync, utimesSync } from 'node:fs'

/** A process renews its lock file this often, and counts as killed after this long without, in milliseconds. */
const renewal = 1000
const patience = 15_000

/** Renews a file as long as this process runs, or until the returned function is called. */
export function keepRenewed(file: string): () => void {
  const renewing = setInterval(() => renew(file), renewal).unref()
  return () => clearInterval(renewing)
}

/**
 * Whether a file has been renewed lately. Otherwise its process was killed, and another process may have its id now.
 * Throws if there is no such file.
 */
export const isRenewed = (file: string): boolean => Date.now() - statSync(file).mtimeMs <= patience

function renew(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Another process has removed it.
  }
}

import { statSync, utimesSync } from 'node:fs'

/** If a file has not been renewed for this many milliseconds, the process that renewed it was killed. */
const patience = 15_000
const renewal = 1000

/** Renews a file's time of change until the returned function is called. */
export function keepRenewed(file: string): () => void {
  const renewing = setInterval(() => renew(file), renewal).unref()
  return () => clearInterval(renewing)
}

function renew(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Another process has removed it.
  }
}

/** Whether a process may still be renewing the file. Throws if the file does not exist. */
export const isRenewed = (file: string): boolean => Date.now() - statSync(file).mtimeMs <= patience

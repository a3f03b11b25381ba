import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mayRun, ownName } from './process-name.ts'
import { isRenewed, keepRenewed } from './renewed-file.ts'

const markOf = (folder: string): string => `${folder}/being-written`

/** Marks a folder as being written by this process, until the returned function is called. */
export function markWritten(folder: string): () => void {
  const mark = markOf(folder)
  writeFileSync(mark, ownName(), { mode: 0o600 })
  const stop = keepRenewed(mark)
  return () => {
    stop()
    rmSync(mark, { force: true })
  }
}

/** Whether a process that marked the folder may still be writing it, possibly in another container. */
export function isBeingWritten(folder: string): boolean {
  try {
    return isRenewed(markOf(folder)) && mayRun(readFileSync(markOf(folder), 'utf8'))
  } catch {
    return false
  }
}

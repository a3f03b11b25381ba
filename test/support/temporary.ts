import { existsSync, statfsSync } from 'node:fs'

/** Memory, as a file system: Linux has it here. */
const inMemory = '/dev/shm'

/** What is free for a whole run, with room for much more than it takes. */
const enough = 4 * 2 ** 30

/** Lets data folders of tests lie in memory where there is enough: making files on a disk is a third of what an insert takes. */
export function keepInMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return
  const { bavail, bsize } = statfsSync(inMemory)
  if (bavail * bsize > enough) process.env.TMPDIR = inMemory
}

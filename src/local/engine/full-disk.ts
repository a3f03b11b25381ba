import { statfsSync } from 'node:fs'

/**
 * ClickHouse 26.7, as it runs inside this process, does not notice that a write fails on a full disk: it gives the part
 * its name, acknowledges the insert, and cannot read the part after its next start. Until then it has the parts from
 * which a merge made it. So the engine ends where its disk is full, before it acknowledges anything more. At its next
 * start, ClickHouse reads such parts from what they were made of, and `lost-blocks.ts` forgets those of inserts.
 */

/** With less than this free, in bytes, the disk counts as full. The next start needs twice as much. */
const leastFree = 32 * 2 ** 20

/** How often the engine looks, in milliseconds. */
const period = 20

const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Whether there is room for a start. */
export const hasRoom = (directory: string): boolean => freeBytes(directory) >= 2 * leastFree

/** Throws if there is no room for a start. */
export function refuseFullDisk(directory: string): void {
  if (!hasRoom(directory)) throw new Error(`The disk of ${directory} is full: ClickHouse starts once there is room.`)
}

/** Ends the process at once if the disk of the directory is full. */
export function endIfFull(directory: string): void {
  if (freeBytes(directory) >= leastFree) return
  process.stderr.write('The disk is full.\n')
  process.kill(process.pid, 'SIGKILL')
}

/** Looks from now on. */
export const watchDisk = (directory: string): unknown => setInterval(() => endIfFull(directory), period).unref()

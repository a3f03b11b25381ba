import { statfsSync } from 'node:fs'

/**
 * Inside this process, ClickHouse 26.7 does not notice when a write fails on a full disk: it names the part,
 * acknowledges the insert, and cannot read the part after a restart. Until then it keeps the source parts of a merge.
 * So the engine ends when the disk is full, before it acknowledges more. After the restart, ClickHouse restores merged
 * parts from their sources, and `lost-blocks.ts` makes it forget the lost inserts.
 */

/** With fewer free bytes than this, the disk counts as full. The next start needs twice as much. */
const leastFree = 32 * 2 ** 20

/** How often the engine checks the disk, in milliseconds. */
const period = 20

const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Whether the disk has room to start the engine. */
export const hasRoom = (directory: string): boolean => freeBytes(directory) >= 2 * leastFree

/** Throws if the disk has no room to start the engine. */
export function refuseFullDisk(directory: string): void {
  if (!hasRoom(directory)) throw new Error(`The disk of ${directory} is full: ClickHouse starts once there is room.`)
}

/** Ends the process at once if the disk of the directory is full. */
export function endIfFull(directory: string): void {
  if (freeBytes(directory) >= leastFree) return
  process.stderr.write('The disk is full.\n')
  process.kill(process.pid, 'SIGKILL')
}

/** Checks the disk from now on. */
export const watchDisk = (directory: string): unknown => setInterval(() => endIfFull(directory), period).unref()

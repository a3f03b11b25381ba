import { statfsSync } from 'node:fs'

/**
 * Inside this process, ClickHouse 26.7 does not notice when a write fails on a full disk: it gives the part its final
 * name, acknowledges the insert, and cannot read the part after a restart. Until then, it keeps the source parts of a
 * merge. So the engine exits when the disk is full, before it acknowledges any further insert. After the restart,
 * ClickHouse restores merged parts from their sources, and `lost-blocks.ts` makes it forget the lost inserts.
 */

/** With fewer free bytes than this, the disk counts as full. The next start needs twice as many. */
const leastFree = 32 * 2 ** 20

/** The minimum and the maximum time between two checks of the disk, in milliseconds. */
const shortestPeriod = 20
const longestPeriod = 1000

/** The maximum number of bytes that the machine writes per millisecond. */
const fastest = leastFree / shortestPeriod

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

/** Kills the process immediately if the directory's disk is full. Returns the number of free bytes. */
export function endIfFull(directory: string): number {
  const free = freeBytes(directory)
  if (free >= leastFree) return free
  process.stderr.write('The disk is full.\n')
  process.kill(process.pid, 'SIGKILL')
  return free
}

/**
 * Starts checking the disk. The less space is free, the more often it checks, so that the disk cannot fill up between
 * two checks.
 */
export function watchDisk(directory: string): void {
  const free = endIfFull(directory)
  const period = Math.min(longestPeriod, Math.max(shortestPeriod, (free - leastFree) / fastest))
  setTimeout(() => watchDisk(directory), period).unref()
}

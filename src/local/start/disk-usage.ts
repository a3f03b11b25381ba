import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The disk space that a folder uses, in bytes. Hard links count once. */
export async function diskUsage(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = new Map<string, number>()
  for (const name of names) {
    // Files may appear and disappear during the count.
    const file = await lstat(join(folder, name)).catch(() => undefined)
    // A block has 512 bytes here, whatever the file system's own block size is.
    if (file) sizes.set(`${file.dev}:${file.ino}`, file.blocks * 512)
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

const megabyte = 1e6

/** `64 MB`, `1.2 GB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1000 * megabyte ? `${Math.max(1, Math.round(bytes / megabyte))} MB` : `${(bytes / 1e9).toFixed(1)} GB`

import { closeSync, openSync, writeSync } from 'node:fs'

/** Overwrites 64 bytes at each of these positions in a file. */
export function overwrite(file: string, ...at: readonly number[]): void {
  const opened = openSync(file, 'r+')
  for (const place of at) writeSync(opened, Buffer.alloc(64, 0xab), 0, 64, place)
  closeSync(opened)
}

import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'

/** An in-memory file system, on Linux. */
const inMemory = '/dev/shm'

/** More bytes than a whole run uses. */
const enough = 4 * 2 ** 30

/**
 * Puts the tests' data folders into memory while this process runs, if there is enough. Creating files on a disk
 * accounts for a third of an insert's time.
 */
export function keepInMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory)) return
  const { bavail, bsize } = statfsSync(inMemory)
  if (bavail * bsize < enough) return
  const folder = mkdtempSync(`${inMemory}/weir-tests-`)
  process.env.TMPDIR = folder
  keepCompiled(folder)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** The name of tsx's folder of compiled modules in the temporary folder. */
export const compiledFolder = `tsx-${process.geteuid?.()}`

/** Keeps the modules that tsx compiles for later runs. */
function keepCompiled(folder: string): void {
  const kept = resolve('node_modules/.cache/tsx')
  mkdirSync(kept, { recursive: true })
  symlinkSync(kept, `${folder}/${compiledFolder}`)
}

import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statfsSync, statSync } from 'node:fs'
import { lostTransactions } from './wal.ts'

/** The first bytes of every SQLite file. */
const header = 'SQLite format 3\0'

/** The SQLite files in a D1 folder. The first is D1's file; Miniflare also stores its own small file there. */
function filesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const files = names.filter((name) => name.endsWith('.sqlite')).map((name) => `${folder}/${name}`)
  const isOwn = (file: string): number => Number(file.endsWith('/metadata.sqlite'))
  return files.sort((one, other) => isOwn(one) - isOwn(other))
}

/** Whether a folder has a D1 file that is not empty. */
export const hasMetadata = (folder: string): boolean =>
  filesIn(folder).some((file) => !file.endsWith('/metadata.sqlite') && statSync(file).size > 0)

/**
 * A sentence about a D1 file whose -wal file is damaged, because SQLite silently drops the end of such a log. Undefined
 * if it is not damaged. No process may have the file open.
 */
export function lostWrites(folder: string): string | undefined {
  const [file = folder] = filesIn(folder)
  const lost = existsSync(`${file}-wal`) ? lostTransactions(`${file}-wal`) : 0
  if (lost === 0) return undefined
  return (
    `The D1 file ${file} lost its last ${lost} writes: its -wal is damaged. Users, websites and resets lack ` +
    `these writes. To recover them, stop Weir and restore ${folder} from a copy.`
  )
}

/**
 * Removes workerd's alarm files below a folder, so that a damaged one never keeps workerd from starting. They are not
 * needed: D1 has no alarms, and each start wakes all logs.
 */
export function dropAlarms(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  for (const name of names.filter((one) => /\/metadata\.sqlite(?:-wal|-shm)?$/.test(one))) rmSync(`${folder}/${name}`)
}

/** Whether this is not a file, or lacks SQLite's header. An empty file is treated as new. */
function isForeign(file: string): boolean {
  if (!statSync(file).isFile()) return true
  const [opened, first] = [openSync(file, 'r'), Buffer.alloc(header.length)]
  try {
    return readSync(opened, first) > 0 && first.toString('latin1') !== header
  } finally {
    closeSync(opened)
  }
}

/** If fewer free bytes than this are left, a full disk is assumed to be the reason why a file cannot be opened. */
const tooLittle = 1_000_000

export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < tooLittle
}

/** Advice for a damaged D1 file. */
const cure = (folder: string): string =>
  `Stop Weir and put the file back from a backup. Without one, move ${folder} away: ` +
  'the next start creates an empty one, without users, websites and keys. Events are not affected.'

/** A message that names the damaged D1 file and gives advice. `text` is SQLite's own message. */
export function damaged(folder: string, text: string): string {
  const files = filesIn(folder)
  return `The D1 file ${files.find(isForeign) ?? files[0] ?? folder} is damaged (${text}). ${cure(folder)}`
}

/**
 * Explains SQLite's message for the D1 of this folder. workerd reports `internal error` if it cannot open the file; the
 * file and its disk then show the cause.
 */
export function explainedFault(folder: string, text: string): string {
  const isUnopened = /^internal error; reference/.test(text)
  const told = isUnopened ? 'SQLite cannot open it' : text
  const isBroken = /SQLITE_(CORRUPT|NOTADB)|malformed|not a database/.test(text)
  if (isBroken || (isUnopened && filesIn(folder).some(isForeign))) return damaged(folder, told)
  const [file = folder] = filesIn(folder)
  if (/SQLITE_(FULL|IOERR)|disk is full/.test(text) || (isUnopened && isDiskFull(folder))) {
    return `The D1 file ${file} cannot be written, the disk may be full (${told}). Make room and try again.`
  }
  return isUnopened ? `The D1 file ${file} cannot be opened. It may be damaged. ${cure(folder)}` : text
}

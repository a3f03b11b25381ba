import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { otherFormat } from '../../collect/log-format.ts'
import { OtherVersion } from '../machine/version-file.ts'
import { places } from '../paths.ts'
import { weirCommand } from '../told/weir-command.ts'
import { isDiskFull } from './metadata-file.ts'
import { lostTransactions } from './wal.ts'

/**
 * The folder in which workerd keeps the SQLite files of the log objects: one file for each object, and one with their
 * alarms.
 */
const folderOf = (dataDir: string): string => `${places(dataDir).log}/weir-EventLog`

/** The SQLite file of the log object with this id. */
export const logFile = (dataDir: string, id: string): string => `${folderOf(dataDir)}/${id}.sqlite`

const isThere = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The ids of the log objects that have a file. */
export const logIds = (dataDir: string): string[] =>
  namesIn(folderOf(dataDir)).flatMap((name) => /^([\da-f]{64})\.sqlite$/.exec(name)?.[1] ?? [])

/**
 * The ids of the log objects that have set an alarm, from the alarm file or its write-ahead log. Deleted rows may be
 * included.
 */
function alarmed(dataDir: string): string[] {
  const files = filesOf(alarmFile(dataDir)).filter((file) => !file.endsWith('-shm'))
  return files.flatMap((file) => readFileSync(file, 'latin1').match(/(?<![\da-f])[\da-f]{64}(?![\da-f]{64})/g) ?? [])
}

const endings = ['', '-wal', '-shm'] as const

const alarmFile = (dataDir: string): string => `${folderOf(dataDir)}/metadata.sqlite`

/** A fault in a log object's file. */
export interface LogFault {
  readonly id: string
  /** The fault, as the end of a sentence that begins with the file name. */
  readonly text: string
  /** Whether the object can no longer work with this file. */
  readonly isEnd: boolean
}

/** The first pages of an SQLite file, which contain its table definitions. */
function beginningOf(file: string): string {
  const [opened, pages] = [openSync(file, 'r'), Buffer.alloc(1 << 18)]
  try {
    return pages.toString('latin1', 0, readSync(opened, pages))
  } finally {
    closeSync(opened)
  }
}

/** The faults that can be seen in the files themselves. No workerd may have them open. */
export function faultsOfFiles(dataDir: string): LogFault[] {
  const used = new Set(alarmed(dataDir))
  return [...new Set([...logIds(dataDir), ...used])].flatMap((id) => {
    const file = logFile(dataDir, id)
    const lost = isThere(`${file}-wal`) ? lostTransactions(`${file}-wal`) : 0
    if (isThere(file) && lost > 0)
      return { id, text: `lost its last ${lost} writes: its -wal is damaged`, isEnd: false }
    if (!used.has(id)) return []
    if (!isThere(file)) return { id, text: 'is gone, or empty', isEnd: true }
    // Until the first checkpoint, the tables are only in the -wal file.
    const isNew = !isThere(`${file}-wal`) && !beginningOf(file).includes('CREATE TABLE')
    return isNew ? { id, text: 'lost its -wal and everything in it', isEnd: true } : []
  })
}

/**
 * The faults that SQLite finds. `ask` returns the fault of the log object with an id. Throws an `OtherVersion` if this
 * version of Weir cannot read a log.
 */
export async function faultsOfLogs(dataDir: string, ask: (id: string) => Promise<unknown>): Promise<LogFault[]> {
  const found: LogFault[] = []
  for (const id of logIds(dataDir)) {
    accessSync(logFile(dataDir, id), constants.R_OK | constants.W_OK)
    const reason = await ask(id).catch((error: Error) => error.message)
    if (String(reason).startsWith(otherFormat)) throw refusalOf(logFile(dataDir, id), String(reason))
    // Either there is no fault, or a full disk may be its cause.
    if (reason === null || isDiskFull(dataDir)) continue
    const told = /^internal error; reference/.test(String(reason)) ? 'SQLite cannot open it' : String(reason)
    found.push({ id, text: `is damaged (${told.replaceAll(/\s*\n\s*/g, ' ')})`, isEnd: true })
  }
  return found
}

/** The refusal of a log's file because of its format. */
export const refusalOf = (file: string, reason: string): OtherVersion =>
  new OtherVersion(
    `${file}: ${reason} Start the version of Weir that wrote it. Or move the file away: then its events are not counted.`,
  )

/** The suffix of the note about a file that was set aside. */
const endOfNote = '.txt'

/** The notes about all files that were set aside. */
export function damagedLogs(dataDir: string): string[] {
  const folder = places(dataDir).damagedLogs
  const notes = namesIn(folder).filter((name) => name.endsWith(endOfNote))
  return notes.map((name) => readFileSync(`${folder}/${name}`, 'utf8').trim())
}

/**
 * Sets the file of a log object aside, so that the log starts empty. A file that is still usable is only copied.
 * `count` returns a sentence about the rows in the file. Returns the message about the file, which `damagedLogs`
 * repeats.
 */
export async function setLogAside(
  dataDir: string,
  { id, text, isEnd }: LogFault,
  count: (file: string) => Promise<string>,
): Promise<string> {
  const [file, folder] = [logFile(dataDir, id), places(dataDir).damagedLogs]
  const aside = `${folder}/${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${id}.sqlite`
  mkdirSync(folder, { recursive: true })
  const found = filesOf(file)
  for (const one of found) (isEnd ? renameSync : copyFileSync)(one, aside + one.slice(file.length))
  const sentences = [
    `${file} of collection ${text}.`,
    isEnd && 'Its log starts empty.',
    found.length > 0 && `${await count(aside)} ${weirCommand} damaged-log ${aside} prints what can be read.`,
    `Delete ${aside}* once you have what you need.`,
  ]
  const line = sentences.filter(Boolean).join(' ')
  writeFileSync(aside + endOfNote, `${line}\n`)
  return line
}

/** The existing files of a database: the file itself, its write-ahead log, and the index of that log. */
const filesOf = (file: string): string[] => endings.map((ending) => file + ending).filter((one) => existsSync(one))

/** Copies the files of a log into an empty data folder, so that reading cannot change the log. Returns the log's id. */
export function copyLog(file: string, folder: string): string {
  const id = /[\da-f]{64}(?=\.sqlite$)/.exec(file)?.[0]
  if (id === undefined || !existsSync(file)) throw new Error(`${file} is not the file of a log.`)
  mkdirSync(folderOf(folder), { recursive: true })
  for (const one of filesOf(file)) {
    copyFileSync(one, logFile(folder, id) + one.slice(file.length), constants.COPYFILE_FICLONE)
  }
  return id
}

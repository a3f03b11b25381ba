import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { LogClock } from '../../collect/clock.ts'
import { hasRoom } from '../engine/full-disk.ts'
import { bringRows, comparedLine, type OwnSource } from '../import/own/bring.ts'
import { bringThings, type Thing, thingsIn } from '../import/own/things.ts'
import { keepHeapSmall } from '../machine/heap.ts'
import { flushFolder, makePrivate, writeWhole } from '../machine/private-folder.ts'
import { noteVersion } from '../machine/version-file.ts'
import { places } from '../paths.ts'
import { migrateEvents } from '../storage/migrations.ts'
import { halfFilled, notWhole } from '../storage/whole-folder.ts'
import { Misuse } from '../told/misuse.ts'
import { shellWord } from '../told/shell-word.ts'
import type { Given } from './io.ts'

/** The files of a data folder that belong to its rows: secrets, the demo website's id and its share. */
const filesOf = ({ authSecret, metricsToken, adminKey, adminPassword, demo, demoShare }: ReturnType<typeof places>) => [
  ...[authSecret, metricsToken, adminKey, adminPassword],
  ...[demo, demoShare],
]

/** Copies these files from one data folder into another, unless the other one already has them. */
export function copyFiles(from: string, to: string): void {
  for (const [place, file] of filesOf(places(from)).entries()) {
    const own = filesOf(places(to))[place]!
    if (existsSync(file) && !existsSync(own)) writeWhole(own, readFileSync(file))
  }
}

/** The source that fills a data folder. */
interface Brought {
  readonly command: 'restore' | 'upgrade'
  readonly from: string
  readonly source: OwnSource
  readonly things: readonly Thing[]
  /**
   * Locks the source folder until the returned function is called. Returns undefined if Weir is running there, or was
   * when the source was read.
   */
  hold(): Promise<(() => void) | undefined>
}

/** The outcome. `isLast` means that nothing that arrived later is missing. */
interface Filled {
  readonly isWhole: boolean
  readonly isLast: boolean
}

/** Fills this data folder. Weir cannot start there until the work is complete. */
export async function bring(given: Given<object>, brought: Brought): Promise<Filled> {
  const { io, dataDir, withClickHouse } = given
  const { clickhouse, metadata, imports, broughtOver, beingFilled } = places(dataDir)
  const file = `${imports}/from-${basename(brought.from)}`
  keepHeapSmall()
  makePrivate(dataDir)
  makePrivate(imports)
  // ClickHouse creates its files before D1 is filled. Without the mark, Weir would then start on an empty folder.
  if (!existsSync(clickhouse) && !existsSync(metadata)) writeWhole(beingFilled, filledBy(brought))
  return withClickHouse(async ({ client, server }) => {
    await migrateEvents(client, server)
    const leftOut = existsSync(broughtOver) ? refuseOther(dataDir, file) : await bringD1(given, brought)
    const target = { client, server: { writer: server, reader: server, isOneOfSeveral: false, clock: new LogClock() } }
    const { compared, unknown } = await bringRows(brought.source, target, file, io.err)
    for (const one of compared) io.out(comparedLine(one))
    const isLast = await takeOver(brought, dataDir)
    if (isLast) {
      noteVersion(places(dataDir).version)
      rmSync(beingFilled, { force: true })
    }
    const names = [...leftOut, ...unknown].join(', ')
    if (names) io.err(`Left out, because only a newer version of Weir stores it: ${names}.`)
    const missing = compared.reduce((sum, { there, here }) => sum + Math.max(0, there - here), 0)
    if (missing > 0)
      io.err(`${missing} rows are missing: they occur twice there, are incomplete, or were refused (${file}.refused).`)
    return { isWhole: missing === 0 && names === '', isLast }
  }).catch((error: unknown) => {
    throw isForRoom(error) || !hasRoom(dataDir) ? new Error(noRoom(dataDir), { cause: error }) : error
  })
}

/** Whether ClickHouse reports that its disk is full. */
const isForRoom = (error: unknown): boolean => /NOT_ENOUGH_SPACE|No space left/.test(String(error))

const noRoom = (dataDir: string): string =>
  `The disk of ${dataDir}, or of its ClickHouse, is full. Free some space, and run this again: it continues from here.`

/** The command that fills a folder, with its arguments. */
const filledBy = ({ command, from }: Brought): string => `${command} --from ${shellWord(from)}`

/** A folder that has been filled accepts more rows only from the folder that filled it. */
function refuseOther(dataDir: string, file: string): string[] {
  if (existsSync(file)) return []
  throw new Misuse(`${dataDir} already contains another Weir. Choose a new folder with --data-dir.`)
}

/** Replaces this folder's D1. Returns the names of the tables and columns that this version lacks. */
async function bringD1({ io, dataDir, withMetadata }: Given<object>, brought: Brought): Promise<readonly string[]> {
  const { things } = brought
  const own = filledBy(brought)
  const begun = halfFilled(dataDir)
  if (begun !== undefined && begun !== own) throw new Misuse(notWhole(dataDir, begun))
  return withMetadata(async (database) => {
    if (begun === undefined && (await thingsIn(database)).length > 0) {
      throw new Misuse(`${dataDir} already contains another Weir. Choose a new folder with --data-dir.`)
    }
    writeWhole(places(dataDir).beingFilled, own)
    const { written, unknown } = await bringThings(database, things)
    io.out(`D1: ${things.length} rows there, ${written} here`)
    return unknown
  })
}

/**
 * Copies the secrets and the collection log of the other folder, unless this has already been done. Returns false if
 * Weir is running there, or was when the source was read. Throws an `OtherVersion` if this version cannot read that
 * log. Afterwards, this Weir sends the events in that log to ClickHouse, and checks for each event whether it is stored
 * already.
 */
async function takeOver({ from, hold }: Brought, dataDir: string): Promise<boolean> {
  const { log, broughtOver } = places(dataDir)
  const free = await hold()
  if (free === undefined) return false
  try {
    if (existsSync(broughtOver)) return true
    await (await import('../start/logs.ts')).refuseOtherFormats(from, dataDir)
    copyFiles(from, dataDir)
    rmSync(log, { recursive: true, force: true })
    if (existsSync(places(from).log)) {
      cpSync(places(from).log, log, { recursive: true })
      await flushFolder(log)
    }
    writeWhole(broughtOver, String(Date.now()))
    return true
  } finally {
    free()
  }
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { openBackup, writeBackup } from '../import/own/backup-folder.ts'
import type { OwnSource } from '../import/own/bring.ts'
import { daysIn, rowsOfDay } from '../import/own/tables.ts'
import { type Thing, thingsIn } from '../import/own/things.ts'
import { targetIdentity } from '../import/target.ts'
import { isBeingWritten, markWritten } from '../machine/being-written.ts'
import { keepHeapSmall } from '../machine/heap.ts'
import { flush, flushFolder, makePrivate } from '../machine/private-folder.ts'
import { thisVersion } from '../machine/version-file.ts'
import { fromHere, places } from '../paths.ts'
import type { ClickHouse } from '../storage/clickhouse.ts'
import { useClickHouse } from '../storage/clickhouse.ts'
import { logIds } from '../storage/log-files.ts'
import { lostWrites } from '../storage/metadata-file.ts'
import { lockMetadata } from '../storage/metadata-lock.ts'
import { findSharedMetadata } from '../storage/shared-metadata.ts'
import { lossesOf, refuseIncomplete } from '../storage/whole-folder.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { weirCommand } from '../told/weir-command.ts'
import { bring, copyFiles } from './bring-over.ts'
import type { Given, Io } from './io.ts'

/** The content of a data folder, and a sentence about each loss. */
interface Whole {
  readonly source: OwnSource
  readonly things: readonly Thing[]
  readonly losses: readonly string[]
  /** Whether Weir was running there, so that more may have arrived since. */
  readonly wasRunning: boolean
}

/**
 * Reads a data folder, except for the D1 tables in `without`. Weir may be running on it. Throws if the folder is
 * damaged.
 */
async function wholeOf(dataDir: string, { client }: ClickHouse, io: Io, without: string[] = []): Promise<Whole> {
  const { metadata: folder, sharedMetadata } = places(dataDir)
  const isRunning = async () => (await findSharedMetadata(sharedMetadata)) !== undefined
  const lost = (await isRunning()) ? undefined : lostWrites(folder)
  const { metadata, close } = await io.openMetadata(dataDir)
  try {
    // A Weir that was still starting has shared D1 by now.
    const wasRunning = await isRunning()
    const losses = [...(lost ? [lost] : []), ...(await lossesOf(client, metadata, folder))]
    // D1 is read first, because the copy must hide whatever D1 hides.
    const things = await thingsIn(metadata, without)
    const [identity, days] = [await targetIdentity(client), await daysIn(client)]
    return { source: { identity, days, read: (day) => rowsOfDay(client, day) }, things, losses, wasRunning }
  } finally {
    await close()
  }
}

/** Salts are meant to be forgotten. Sign-ins that have ended since must not work again after `restore`. */
const notInBackups = ['salts', 'sign_ins']

const numberOfBackups = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: 'Must be a number of backups from 1 to 9999.' })
  .transform(Number)

const nameOfBackup = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(|\.part|\.incomplete)$/

/** The ending of a backup's name: none if it is whole. */
type Ending = '' | '.incomplete' | '.part'

/** The names of the backups in a folder with this ending, the oldest first. */
const backupsIn = (to: string, ending: Ending): string[] =>
  readdirSync(to)
    .filter((name) => nameOfBackup.exec(name)?.[1] === ending)
    .sort()

/** Deletes what killed runs have left in the folder for backups. */
function tidy(to: string): void {
  for (const name of backupsIn(to, '.part')) {
    if (!isBeingWritten(`${to}/${name}`)) rmSync(`${to}/${name}`, { recursive: true })
  }
}

/**
 * Deletes all but the newest `keep` backups with this ending, up to the name `last`. Later names are those of a clock
 * that was ahead.
 */
function deleteOlder(to: string, keep: number, last: string, ending: Ending): void {
  const names = backupsIn(to, ending).filter((name) => name <= last)
  for (const name of names.slice(0, -keep)) rmSync(`${to}/${name}`, { recursive: true })
}

/**
 * The command `backup`. It writes a new folder below `--to`. The name of an incomplete backup ends in `.incomplete`; it
 * never replaces a complete one.
 */
export async function backup(given: Given<{ to: string; keep?: string }>): Promise<number> {
  const { flags, io, dataDir, withClickHouse } = given
  const keep = flags.keep === undefined ? undefined : checked(numberOfBackups, flags.keep, '--keep')
  keepHeapSmall()
  refuseIncomplete(dataDir, Boolean(io.env.CLICKHOUSE_URL))
  const to = fromHere(flags.to, io.env)
  makePrivate(to)
  tidy(to)
  const at = new Date().toISOString()
  const name = at.slice(0, 19).replaceAll(':', '-')
  const part = `${to}/${name}.part`
  mkdirSync(part)
  const written = markWritten(part)
  const losses = await withClickHouse(async (clickhouse) => {
    copyFiles(dataDir, part)
    const whole = await wholeOf(dataDir, clickhouse, io, notInBackups)
    const { rows, missing } = await writeBackup(part, whole.source, whole.things, { version: thisVersion(), at })
    await flushFolder(part)
    io.err(`${whole.things.length} rows of D1 and ${rows} of ClickHouse.`)
    return missing === 0
      ? whole.losses
      : [...whole.losses, `${missing} events are left out: their properties are lost.`]
  })
    .catch((error: unknown) => {
      // On a full disk, half a copy would leave no room for Weir itself.
      rmSync(part, { recursive: true, force: true })
      throw error
    })
    .finally(written)
  const ending = losses.length > 0 ? '.incomplete' : ''
  const folder = `${to}/${name}${ending}`
  renameSync(part, folder)
  await flush(to)
  io.out(folder)
  io.err(`To restore: ${weirCommand} restore --from ${folder}`)
  for (const line of losses) io.err(line)
  if (ending) io.err('This backup is incomplete, as stated above, so all complete ones stay.')
  if (keep !== undefined) deleteOlder(to, keep, `${name}${ending}`, ending)
  return losses.length > 0 ? 1 : 0
}

/** Throws if a Worker is running on the data folder. */
async function refuseRunning(dataDir: string, why: string): Promise<void> {
  if (await findSharedMetadata(places(dataDir).sharedMetadata))
    throw new Misuse(`Weir is running on ${dataDir}. ${why}`)
}

/** The command `restore`: fills a new data folder with a backup. */
export async function restore(given: Given<{ from: string }>): Promise<number> {
  const { flags, io, dataDir } = given
  await refuseRunning(dataDir, 'Stop it, or restore into another folder with --data-dir.')
  const from = fromHere(flags.from, io.env)
  const { source, things, manifest } = openBackup(from)
  if (manifest.version !== thisVersion()) io.err(`Weir ${manifest.version} made this backup. This is ${thisVersion()}.`)
  const hold = async () => () => {}
  const { isWhole } = await bring(given, { command: 'restore', from, source, things: await things(), hold })
  return isWhole ? 0 : 1
}

/** Faults of the restored collection log. The next start sets damaged files aside. */
async function faultsOfLogs(dataDir: string): Promise<string[]> {
  if (logIds(dataDir).length === 0) return []
  return (await import('../start/logs.ts')).logFaults(dataDir, undefined)
}

/** The command `upgrade`: copies everything from another version's data folder into a new one. */
export async function upgrade(given: Given<{ from: string }>): Promise<number> {
  const { flags, io, dataDir } = given
  const from = fromHere(flags.from, io.env)
  const { metadata, clickhouse, sharedMetadata } = places(from)
  if (from === dataDir || !(existsSync(metadata) || existsSync(clickhouse))) {
    throw new Misuse(`--from ${from} is not another data folder. --data-dir names the new one.`)
  }
  await refuseRunning(dataDir, 'Stop it: Weir must not run on a folder that an upgrade fills.')
  const { FROM_CLICKHOUSE_URL } = io.env
  const server = FROM_CLICKHOUSE_URL ? undefined : (await findSharedMetadata(sharedMetadata))?.clickhouse
  if (server) throw new Misuse(`Weir is running on ${from} with the ClickHouse at ${server}: set FROM_CLICKHOUSE_URL.`)
  refuseIncomplete(from, Boolean(FROM_CLICKHOUSE_URL))
  const env = FROM_CLICKHOUSE_URL ? { CLICKHOUSE_URL: FROM_CLICKHOUSE_URL } : {}
  const opened = await useClickHouse(from, { env, note: io.note })
  try {
    const { losses, wasRunning, ...whole } = await wholeOf(from, opened, io)
    const hold = async () => {
      // What arrived after it was read would be missing, even if Weir has stopped since.
      if (wasRunning) return undefined
      const found = await lockMetadata(from, () => findSharedMetadata(sharedMetadata))
      return typeof found === 'function' ? found : undefined
    }
    const { isWhole, isLast } = await bring(given, { command: 'upgrade', from, ...whole, hold })
    for (const line of losses) io.err(line)
    for (const line of isLast ? await faultsOfLogs(dataDir) : []) io.err(line)
    if (!isLast) {
      io.err(`Weir was running on ${from}. Once it has stopped, run this again: it copies what has arrived since.`)
    }
    return isWhole && isLast && losses.length === 0 ? 0 : 1
  } finally {
    await opened.close()
  }
}

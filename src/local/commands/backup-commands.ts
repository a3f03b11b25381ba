import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { LogClock } from '../../collect/clock.ts'
import { version } from '../../version.ts'
import { openBackup, writeBackup } from '../import/own/backup-folder.ts'
import { bringRows, comparedLine, type OwnSource } from '../import/own/bring.ts'
import { daysIn, rowsOfDay } from '../import/own/tables.ts'
import { bringThings, type Thing, thingsIn } from '../import/own/things.ts'
import { targetIdentity } from '../import/target.ts'
import { keepHeapSmall } from '../machine/heap.ts'
import { makePrivate } from '../machine/private-folder.ts'
import { fromHere, places } from '../paths.ts'
import type { ClickHouse } from '../storage/clickhouse.ts'
import { useClickHouse } from '../storage/clickhouse.ts'
import { migrateEvents } from '../storage/migrations.ts'
import { findSharedMetadata } from '../storage/shared-metadata.ts'
import { checked, Misuse } from '../told/misuse.ts'
import type { Given } from './io.ts'

/** The files of a data folder that go with its rows: secrets, and what the demo website is. */
const filesOf = ({ authSecret, metricsToken, adminKey, adminPassword, demo, demoShare }: ReturnType<typeof places>) => [
  ...[authSecret, metricsToken, adminKey, adminPassword],
  ...[demo, demoShare],
]

/** Copies those files of one data folder into another, where it lacks them. */
function copyFiles(from: string, to: string): void {
  for (const [place, file] of filesOf(places(from)).entries()) {
    const own = filesOf(places(to))[place]!
    if (existsSync(file) && !existsSync(own)) cpSync(file, own)
  }
}

/** The rows of the tables behind a client. */
async function ownSource({ client }: ClickHouse): Promise<OwnSource> {
  return {
    identity: await targetIdentity(client),
    days: await daysIn(client),
    read: (day) => rowsOfDay(client, day),
  }
}

const numberOfBackups = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: 'Must be a number of backups from 1 to 9999.' })
  .transform(Number)

const ofBackups = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/** The command `backup`: it writes a folder of its own below `--to`. */
export async function backup(given: Given<{ to: string; keep?: string }>): Promise<void> {
  const { flags, io, dataDir, withClickHouse, withMetadata } = given
  const keep = flags.keep === undefined ? undefined : checked(numberOfBackups, flags.keep, '--keep')
  keepHeapSmall()
  const to = fromHere(flags.to, io.env)
  makePrivate(to)
  for (const name of readdirSync(to)) if (name.endsWith('.part')) rmSync(`${to}/${name}`, { recursive: true })
  const at = new Date().toISOString()
  const folder = `${to}/${at.slice(0, 19).replaceAll(':', '-')}`
  mkdirSync(`${folder}.part`)
  copyFiles(dataDir, `${folder}.part`)
  // What D1 hides is hidden again after a restore, so D1 comes first. Salts are to be forgotten.
  const things = await withMetadata((database) => thingsIn(database, ['salts']))
  const { days } = await withClickHouse(async (clickhouse) =>
    writeBackup(`${folder}.part`, await ownSource(clickhouse), things, { version, at }),
  )
  renameSync(`${folder}.part`, folder)
  const whole = readdirSync(to).filter((name) => ofBackups.test(name))
  for (const old of keep === undefined ? [] : whole.sort().slice(0, -keep)) rmSync(`${to}/${old}`, { recursive: true })
  const rows = days.reduce((sum, one) => sum + one.rows, 0)
  io.out(folder)
  io.err(`${things.length} rows of D1 and ${rows} of ClickHouse. To restore: npm run weir -- restore --from ${folder}`)
}

/** Throws while a Worker runs on a data folder. */
async function refuseRunning(dataDir: string, why: string): Promise<void> {
  if (await findSharedMetadata(places(dataDir).sharedMetadata)) throw new Misuse(`Weir runs on ${dataDir}. ${why}`)
}

/** The command `restore`: fills a new data folder with a backup. */
export async function restore(given: Given<{ from: string }>): Promise<number> {
  const { flags, io, dataDir } = given
  await refuseRunning(dataDir, 'Stop it, or restore into another folder with --data-dir.')
  const from = fromHere(flags.from, io.env)
  const { source, things, manifest } = openBackup(from)
  if (manifest.version !== version) io.err(`Weir ${manifest.version} made this backup. This is Weir ${version}.`)
  return bring(given, { from, source, things: await things(), isLast: true })
}

/** The command `upgrade`: brings everything from the data folder of another version into a new one. */
export async function upgrade(given: Given<{ from: string }>): Promise<number> {
  const { flags, io, dataDir } = given
  const from = fromHere(flags.from, io.env)
  if (from === dataDir || !existsSync(places(from).metadata)) {
    throw new Misuse(`--from ${from} is no other data folder. --data-dir names the new one.`)
  }
  await refuseRunning(dataDir, 'Stop it: an upgrade fills a folder on which nothing runs.')
  const { FROM_CLICKHOUSE_URL } = io.env
  const env = FROM_CLICKHOUSE_URL ? { CLICKHOUSE_URL: FROM_CLICKHOUSE_URL } : {}
  const clickhouse = await useClickHouse(from, { env, note: io.note })
  try {
    const isRunning = (await findSharedMetadata(places(from).sharedMetadata)) !== undefined
    const { metadata, close } = await io.openMetadata(from)
    const things = await thingsIn(metadata).finally(close)
    const code = await bring(given, { from, source: await ownSource(clickhouse), things, isLast: !isRunning })
    if (!isRunning) return code
    io.err(`Weir still runs on ${from}. Stop it, and run this command again: it brings what came since.`)
    return 1
  } finally {
    await clickhouse.close()
  }
}

/** What fills a data folder. */
interface Brought {
  readonly from: string
  readonly source: OwnSource
  readonly things: readonly Thing[]
  /** Whether nothing changes there any more. */
  readonly isLast: boolean
}

/** Fills this data folder. Returns 1 if rows are missing at the end. */
async function bring({ io, dataDir, withClickHouse, withMetadata }: Given<object>, brought: Brought): Promise<number> {
  const { from, source, things, isLast } = brought
  const { imports, broughtOver } = places(dataDir)
  keepHeapSmall()
  makePrivate(dataDir)
  makePrivate(imports)
  const file = `${imports}/from-${basename(from)}`
  return withClickHouse(async ({ client, server }) => {
    await migrateEvents(client, server)
    if (!existsSync(broughtOver)) {
      const written = await withMetadata(async (database) => {
        if (!existsSync(file) && (await thingsIn(database)).length > 0) {
          throw new Misuse(`${dataDir} holds another Weir. Take a new folder with --data-dir.`)
        }
        appendFileSync(file, '')
        return bringThings(database, things)
      })
      io.out(`D1: ${things.length} rows there, ${written} here`)
    }
    const target = { client, server: { writer: server, reader: server, isOneOfSeveral: false, clock: new LogClock() } }
    const compared = await bringRows(source, target, file, io.err)
    for (const one of compared) io.out(comparedLine(one))
    if (isLast && !existsSync(broughtOver)) takeOver(from, dataDir)
    const missing = compared.reduce((sum, { there, here }) => sum + Math.max(0, there - here), 0)
    if (missing === 0) return 0
    io.err(`${missing} rows are missing: they came twice there, lack a part, or were refused (${file}.refused).`)
    return 1
  })
}

/**
 * Takes secrets and log of the other folder over. Events that wait in its log are sent by this one, which looks for
 * each whether it came over already.
 */
function takeOver(from: string, dataDir: string): void {
  const { log, broughtOver } = places(dataDir)
  copyFiles(from, dataDir)
  rmSync(log, { recursive: true, force: true })
  if (existsSync(places(from).log)) cpSync(places(from).log, log, { recursive: true })
  writeFileSync(broughtOver, String(Date.now()), { mode: 0o600 })
}

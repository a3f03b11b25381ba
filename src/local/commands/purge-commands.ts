import { existsSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { deleteOldEntries, forget } from '../../collect/forget.ts'
import { metadata } from '../../metadata/metadata.ts'
import { forgetHidden } from '../../metadata/replays.ts'
import { forgetDeleted } from '../../metadata/sessions.ts'
import type { Sql } from '../../metadata/store.ts'
import { dayLength } from '../../request/time-zone.ts'
import { fromHere, places } from '../paths.ts'
import { asScript } from '../storage/metadata.ts'
import {
  deletedSessions,
  hiddenEvents,
  purge,
  purgeable,
  purgeableIn,
  replaysOf,
  websitesToPurge,
} from '../storage/purge.ts'
import { purgeRecordings } from '../storage/purge-recordings.ts'
import { recordedVisits } from '../storage/purge-sessions.ts'
import { monthsBefore, purgeBefore, purgeExpired, retentionOf } from '../storage/retention.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { messageOf } from '../told/troubles.ts'
import type { Given, Io } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly sql?: true
  readonly deleted?: boolean
  readonly website?: readonly string[]
  readonly keepMonths?: string
}

const monthsToKeep = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'Must be a number of months from 1 to 999.' })
  .transform(Number)

/** The command `purge`. */
export async function purgeEvents(given: Given<Flags>): Promise<void> {
  const { words, flags, io, withChange, entryOf } = given
  if (flags.keepMonths !== undefined) return purgeOlder(flags.keepMonths, given)
  if (flags.website) throw new Misuse('Give --website only with --keep-months: purge reads the websites from D1.')
  if (flags.sql) return io.out(websitesToPurge)
  const [file] = words
  if (file !== undefined) {
    // The statements are all that stdout gets, so that it can be redirected to a file.
    const rest = await deleteEvents(purgeableIn(fromHere(file, io.env)), given, io.err)
    io.err('Run these statements in the remote D1. It then forgets deleted sessions, and logs this purge.')
    return io.out(asScript([...rest, deleteOldEntries(io.env, Date.now()), workDone(Date.now()), entryOf({})]))
  }
  await withChange(async (database) => {
    const rest = await deleteEvents(await purgeable(database), given, io.out)
    if (rest.length > 0) await metadata(database, Date.now()).store.write(...rest)
    await forget(io.env, database, Date.now())
    await metadata(database, Date.now()).store.note(...workDone(Date.now()))
    return {}
  })
}

/** Deletes events and sessions, and tells how many. Returns the statements that make D1 forget the deleted sessions. */
async function deleteEvents(
  rows: Parameters<typeof hiddenEvents>[0],
  { flags: { deleted = false }, io, withClickHouse }: Given<Flags>,
  tell: Io['out'],
): Promise<Sql[]> {
  const sessions = deletedSessions(rows)
  const hidden = replaysOf(rows, 'hidden_replays')
  const gone = [...hidden]
  const kept = daysKept(io.env)
  await withClickHouse(async ({ client }) => {
    for (const one of sessions) {
      gone.push({ websiteId: one.websiteId, visitIds: await recordedVisits(client, one) })
    }
    const purged = await purge(client, hiddenEvents(rows, { deleted }), sessions)
    const expired = await dropExpired(client, rows, hidden, kept, Date.now())
    const more = (table: string) =>
      expired.filter((one) => one.table === table).reduce((sum, { rows }) => sum + rows, 0)
    printRows(
      tell,
      purged.map(({ table, rows }) => ({ table, rows: rows + more(table) })),
    )
  })
  return [
    ...sessions.flatMap(({ websiteId, sessionIds }) => forgetDeleted(websiteId, sessionIds)),
    ...gone.flatMap(({ websiteId, visitIds }) => forgetHidden(websiteId, visitIds)),
  ]
}

/** Deletes hidden replays, and rows of these websites that are older than their retention or the server's. */
async function dropExpired(
  client: ClickHouseClient,
  websites: Parameters<typeof retentionOf>[0],
  hidden: Parameters<typeof purgeRecordings>[1],
  kept: ReturnType<typeof daysKept>,
  now: number,
) {
  const own = retentionOf(websites)
  const saved = replaysOf(websites, 'saved_replays')
  const known = new Set(websites.map(({ id }) => id))
  const recordings = await purgeRecordings(client, hidden, { ...kept, known, own, saved, now })
  return [...recordings, ...(await purgeExpired(client, own, now))]
}

const numberOfDays = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: 'Must be a number of days from 1 to 99999.' })
  .transform(Number)

/** The number of days in an environment variable. */
const days = (text: string | undefined, name: string): number | undefined =>
  text === undefined || text === '' ? undefined : checked(numberOfDays, text, name)

/** How many days recordings are kept. For an invalid variable, throws a `Misuse` that names it. */
export const daysKept = ({ REPLAY_DAYS, HEATMAP_DAYS }: Io['env']) => ({
  replayDays: days(REPLAY_DAYS, 'REPLAY_DAYS') ?? 30,
  heatmapDays: days(HEATMAP_DAYS, 'HEATMAP_DAYS') ?? 400,
})

/**
 * Deletes old recordings and salts, and other rows older than their website's retention, immediately and then once a
 * day (`every`, in milliseconds). Retries within an hour after a failure. Returns a function that stops this once the
 * running deletion is complete. Throws a `Misuse` for an invalid variable.
 */
export function keepDropping(
  client: ClickHouseClient,
  database: D1Database,
  env: Io['env'],
  failed: (message: string) => void,
  every = dayLength,
): () => Promise<void> {
  const kept = daysKept(env)
  let due = 0
  let underWay: Promise<void> | undefined
  const drop = async (now: number) => {
    const failure = await messageOf(async () => {
      await dropExpired(client, await purgeable(database), [], kept, now)
      await forget(env, database, now)
      await metadata(database, now).store.note(...workDone(Date.now()))
    })
    if (failure === undefined) due = now + every
    else failed(failure)
    underWay = undefined
  }
  const look = () => {
    const now = Date.now()
    // If the clock was ahead and has been set back, the next run may seem to be due much later.
    if (!underWay && (now >= due || due > now + every)) underWay = drop(now)
  }
  look()
  const timer = setInterval(look, every / 24)
  return async () => {
    clearInterval(timer)
    await underWay
  }
}

/** The statement that records in D1 that old data was deleted. */
const workDone = (now: number): Sql => [
  "INSERT OR REPLACE INTO daily_work (name, done_at) VALUES ('recordings', ?1)",
  now,
]

/** Deletes the events that are older than the months to keep. */
async function purgeOlder(months: string, given: Given<Flags>): Promise<void> {
  const { words, flags, io, dataDir, withClickHouse, withChange } = given
  if (flags.sql || flags.deleted || words.length > 0) {
    throw new Misuse('Give --keep-months without --sql, --deleted and FILE.')
  }
  const startOfMonth = monthsBefore(Date.now(), checked(monthsToKeep, months, '--keep-months'))
  const websiteIds = websiteFlags(flags.website)
  await withClickHouse(async ({ client }) => {
    io.out(`Events before ${new Date(startOfMonth).toISOString().slice(0, 10)} (UTC):`)
    printRows(io.out, await purgeBefore(client, startOfMonth, websiteIds))
  })
  // Without a local D1 file, there is no audit log to write to.
  if (!existsSync(places(dataDir).metadata)) return
  await withChange(async () => Object.fromEntries(websiteIds.map((id, at) => [`website ${at + 1}`, id])))
}

function printRows(tell: Io['out'], purged: Awaited<ReturnType<typeof purge>>): void {
  for (const { table, rows } of purged) tell(`${table}: ${rows} rows deleted`)
}

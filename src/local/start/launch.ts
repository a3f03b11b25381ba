import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { hashOf } from '../../access/api-key.ts'
import { metadata } from '../../metadata/metadata.ts'
import { keepBeating } from '../commands/heartbeat.ts'
import { keepDropping } from '../commands/purge-commands.ts'
import { keepSealing } from '../commands/seal-command.ts'
import { hasRoom } from '../engine/full-disk.ts'
import { freePort } from '../machine/port.ts'
import { makePrivate } from '../machine/private-folder.ts'
import { namingVersion, noteVersion } from '../machine/version-file.ts'
import { places } from '../paths.ts'
import { brokenParts } from '../storage/broken-parts.ts'
import { type ClickHouse, startClickHouse, urlOf } from '../storage/clickhouse.ts'
import { lostWebsites } from '../storage/lost-websites.ts'
import { createKey } from '../storage/metadata.ts'
import { metadataFaults } from '../storage/metadata-faults.ts'
import { lockMetadata } from '../storage/metadata-lock.ts'
import { migrateEvents, migrateMetadata } from '../storage/migrations.ts'
import { findSharedMetadata } from '../storage/shared-metadata.ts'
import { firstSignIn, hasUsers } from '../storage/users.ts'
import { refuseHalfFilled } from '../storage/whole-folder.ts'
import { explained } from '../told/explained.ts'
import { demoWebsite } from './demo.ts'
import { demoShare } from './demo-share.ts'
import { diskUsage } from './disk-usage.ts'
import { type Front, openFront } from './front.ts'
import { greeting, servingLines } from './greeting.ts'
import { showProgress } from './progress.ts'
import { type OpenPurger, openPurger } from './purger.ts'
import { unreadableReplicas } from './replicas.ts'
import type { Flags, Setting } from './setting.ts'
import { fail, kept, onShutdown, stopSignal, takeSignals } from './shutdown.ts'
import type { Workerd } from './workerd.ts'

/**
 * Starts everything, prints the greeting, and keeps everything running. Ends the process if something fails to start.
 */
export async function launch(flags: Flags): Promise<void> {
  takeSignals()
  let runs = false
  // A library may fail where no caller can catch the error. Other processes answer requests, and they keep running.
  for (const failure of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(failure, (error: unknown) =>
      runs ? console.error(`Something failed unexpectedly. Weir keeps running: ${explained(error)}`) : void fail(error),
    )
  }
  await started(flags).catch(namingVersion(flags.dataDir)).catch(fail)
  runs = true
}

async function started(flags: Flags): Promise<void> {
  const { dataDir, serve } = flags
  await takeFolder(dataDir)
  const front = await runFront(flags)
  const apiPort = await freePort('--port', front ? 0 : flags.port)
  const clickhouse = await runClickHouse(flags)
  const isEmbedded = !process.env.CLICKHOUSE_URL
  // If ClickHouse runs on another server, its operator inserts heartbeats and seals days; only `serve` does both
  // itself.
  const keepsHouse = isEmbedded || serve !== undefined
  if (keepsHouse) await keepFresh(clickhouse.client)
  const purger = await runPurger(clickhouse.client)
  await tellFaultsOfEvents(clickhouse.client)

  console.error('Bundling and starting the Worker …')
  // Miniflare takes a second to load. A refused start should end before that.
  const { runWorker, shareMetadata } = await import('./own-worker.ts')
  const setting = { ...flags, front, apiPort, clickhouse, isEmbedded, purger }
  const demo = demoShare(dataDir)
  const worker = await runWorker(setting, flags.demoEvents ? demo.showOnFrontPage : () => {})
  await prepareMetadata(setting, worker)
  if (keepsHouse) keepPurged(setting, worker)
  const apiKey = await adminKey(dataDir, worker.metadata)
  const signIn = serve ? undefined : await firstSignIn(dataDir, worker.metadata, Date.now())
  // By now, D1 has been read and written. If it were shared earlier, commands might use a Worker that ends because D1
  // fails.
  shareMetadata(setting, worker)
  if (front) console.log(servingLines(front.url, dataDir, await hasUsers(worker.metadata)))
  else console.log(await welcome(setting, worker, demo, { apiKey, signIn }))
}

/** Locks the data folder for this process. Refuses a second start. */
async function takeFolder(dataDir: string): Promise<void> {
  makePrivate(dataDir)
  refuseHalfFilled(dataDir)
  const unlock = await lockMetadata(dataDir, () => findSharedMetadata(places(dataDir).sharedMetadata))
  if (typeof unlock === 'function') return onShutdown(async () => unlock())
  throw new Error(
    `Weir is already running on ${dataDir}, perhaps in another terminal. ` +
      'Stop it there, or choose another folder with --data-dir.',
  )
}

async function runFront({ serve, port }: Flags): Promise<Front | undefined> {
  if (!serve) return undefined
  const front = await openFront(serve.host, port, serve.senderOf)
  onShutdown(() => front.close())
  return front
}

async function runClickHouse({ dataDir, clickhousePort }: Flags): Promise<ClickHouse> {
  const clickhouse = await openClickHouse(dataDir, clickhousePort)
  kept('The embedded ClickHouse', clickhouse, async () => {
    await roomIn(dataDir)
    return startClickHouse(dataDir, Number(new URL(clickhouse.server.url).port))
  })
  await migrateEvents(clickhouse.client, clickhouse.server)
  return clickhouse
}

async function openClickHouse(dataDir: string, port: number): Promise<ClickHouse> {
  if (process.env.CLICKHOUSE_URL) {
    console.error('Connecting to the ClickHouse of CLICKHOUSE_URL …')
    return startClickHouse(dataDir, port)
  }
  // The engine itself would only notice after several seconds that the port is in use.
  if (port !== 0) await freePort('--clickhouse-port', port)
  console.error('Starting the embedded ClickHouse …')
  return startClickHouse(dataDir, port)
}

/** Waits until the disk has room for ClickHouse. */
async function roomIn(dataDir: string): Promise<void> {
  if (hasRoom(dataDir)) return
  console.error('The disk is full. ClickHouse starts again once there is room.')
  while (!hasRoom(dataDir) && !stopSignal.aborted) await delay(1000)
}

/** Inserts heartbeats and seals days until Weir stops. */
async function keepFresh(client: ClickHouseClient): Promise<void> {
  await keepBeating(client, console.error, stopSignal)
  keepSealing(client, console.error, stopSignal)
}

async function runPurger(client: ClickHouseClient): Promise<OpenPurger['binding']> {
  const { binding, close } = await openPurger(client)
  onShutdown(close)
  return binding
}

async function tellFaultsOfEvents(client: ClickHouseClient): Promise<void> {
  for (const line of await brokenParts(client)) console.error(line)
  for (const line of await unreadableReplicas(process.env)) console.error(line)
}

/** Migrates D1, and reports its faults. */
async function prepareMetadata({ dataDir, clickhouse }: Setting, { metadata: database }: Workerd): Promise<void> {
  await migrateMetadata(database)
  noteVersion(places(dataDir).version)
  for (const line of await metadataFaults(database, places(dataDir).metadata)) console.error(line)
  const lost = await lostWebsites(clickhouse.client, database)
  if (lost) console.error(lost)
}

function keepPurged({ clickhouse }: Setting, { metadata: database }: Workerd): void {
  const failed = (message: string) => console.error(`Old data is not deleted yet: ${message}`)
  onShutdown(keepDropping(clickhouse.client, database, process.env, failed))
}

/** The admin key in this data folder's file. If that key is missing or invalid, creates a new one. */
async function adminKey(dataDir: string, database: Workerd['metadata']): Promise<string> {
  const file = places(dataDir).adminKey
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const now = Date.now()
  const credential = kept && { kind: 'key' as const, id: await hashOf(kept) }
  if (credential && (await metadata(database, now).lookUp(credential, undefined, 'records')).holder) return kept
  const key = await createKey(database, 'npm start', { admin: true, access: 'write' }, now)
  writeFileSync(file, key, { mode: 0o600 })
  return key
}

/** Fills the demo website, if there should be one. Returns the greeting, or with `--json`, a line of JSON. */
async function welcome(
  { dataDir, demoEvents, json, clickhouse, isEmbedded }: Setting,
  { url, metadata: database }: Workerd,
  demo: ReturnType<typeof demoShare>,
  { apiKey, signIn }: Pick<Parameters<typeof greeting>[0], 'apiKey' | 'signIn'>,
): Promise<string> {
  const websiteId = demoEvents
    ? await demoWebsite(dataDir, clickhouse.client, database, demoEvents, (events) =>
        showProgress('Demo website', events, process.stderr, process.env),
      )
    : null
  const slug = websiteId && (await demo.make(database, websiteId))
  const share = slug && `${url}/share/${slug}`
  if (json) {
    const { username, password } = signIn ?? { username: null, password: null }
    return JSON.stringify({ url, clickhouse: urlOf(clickhouse.server), apiKey, websiteId, share, username, password })
  }
  return greeting({
    ...{ url, share, demo: slug && `${url}/demo`, apiKey, dataDir, isEmbedded, signIn },
    clickhouse: clickhouse.server,
    size: await diskUsage(dataDir),
    websiteId: websiteId ?? (await anyWebsite(database)),
  })
}

/** A website for the greeting's commands. */
async function anyWebsite(database: Workerd['metadata']): Promise<string | null> {
  const first = { search: '', orderBy: 'createdAt', descending: false, limit: 1, offset: 0 } as const
  const { data } = await metadata(database, Date.now()).websites.list('website', {}, first)
  return data[0]?.id ?? null
}

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
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
import type { ClickHouse } from '../storage/clickhouse.ts'
import { startClickHouse, urlOf } from '../storage/clickhouse.ts'
import { lostWebsites } from '../storage/lost-websites.ts'
import { createKey } from '../storage/metadata.ts'
import { metadataFaults } from '../storage/metadata-faults.ts'
import { lostWrites } from '../storage/metadata-file.ts'
import { lockMetadata } from '../storage/metadata-lock.ts'
import { migrateEvents, migrateMetadata } from '../storage/migrations.ts'
import { findSharedMetadata, writeSharedMetadata } from '../storage/shared-metadata.ts'
import { firstSignIn, hasUsers } from '../storage/users.ts'
import { refuseHalfFilled } from '../storage/whole-folder.ts'
import { explained } from '../told/explained.ts'
import { demoWebsite } from './demo.ts'
import { demoShare } from './demo-share.ts'
import { diskUsage } from './disk-usage.ts'
import { openFront } from './front.ts'
import { greeting, servingLines } from './greeting.ts'
import { keptBundle } from './kept-bundle.ts'
import { showProgress } from './progress.ts'
import { openPurger } from './purger.ts'
import { replicaBindings, unreadableReplicas } from './replicas.ts'
import type { SenderOf } from './senders.ts'
import { keepRunning, type Running } from './supervise.ts'
import { workerVariables } from './worker-variables.ts'
import type { Quotas, Workerd } from './workerd.ts'
import { config } from './wrangler-toml.ts'

export interface Flags {
  readonly port: number
  readonly clickhousePort: number
  readonly dataDir: string
  /** The number of events in a new demo website; with 0, no website is created. */
  readonly demoEvents: number
  readonly json: boolean
  /** Whether every request is logged on stderr. Otherwise only failures are logged. */
  readonly logRequests: boolean
  /** For a production server, the address to listen on and how to find out who sent a request. */
  readonly serve?: { readonly host: string; readonly senderOf: SenderOf }
}

/** Functions that close the started processes, newest first. */
const closers: (() => Promise<void>)[] = []

const stopping = new AbortController()

/** Restarts a process whenever it ends. On shutdown, closes the current one. */
function kept<One extends Running>(name: string, first: One, startAgain: () => Promise<One>): Promise<void> {
  let current = first
  closers.unshift(() => current.close())
  const starting = async () => {
    current = await startAgain()
    return current
  }
  return keepRunning(name, first, starting, stopping.signal)
}

async function stop(exitCode: number): Promise<never> {
  stopping.abort()
  for (const close of closers.splice(0)) await close().catch((error: unknown) => console.error(explained(error)))
  process.exit(exitCode)
}

async function fail(error: unknown): Promise<unknown> {
  // A process that Weir itself stopped has not failed.
  if (stopping.signal.aborted) return
  console.error(`\n${explained(error)}`)
  return stop(1)
}

/**
 * A second signal ends the process immediately, but only after this many milliseconds, because npm repeats each Ctrl-C.
 */
const impatience = 1000

let stoppedAt: number | undefined

function onSignal(): void {
  if (stoppedAt !== undefined && Date.now() - stoppedAt > impatience) process.exit(1)
  if (stoppedAt !== undefined) return
  stoppedAt = Date.now()
  void stop(0)
}

/**
 * On a signal, stops everything in order. Each start of Miniflare adds signal handlers that would end this process too
 * early.
 */
function takeSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal).on(signal, onSignal)
}

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

async function started({ port, clickhousePort, dataDir, demoEvents, json, logRequests, serve }: Flags): Promise<void> {
  makePrivate(dataDir)
  refuseHalfFilled(dataDir)
  closers.unshift(await onlyStart(dataDir))
  const front = serve && (await openFront(serve.host, port, serve.senderOf))
  if (front) closers.unshift(() => front.close())
  const apiPort = await freePort('--port', front ? 0 : port)
  const clickhouse = await openClickHouse(dataDir, clickhousePort)
  const engine = kept('The embedded ClickHouse', clickhouse, async () => {
    await roomIn(dataDir)
    return startClickHouse(dataDir, Number(new URL(clickhouse.server.url).port))
  })
  await migrateEvents(clickhouse.client, clickhouse.server)
  const isEmbedded = !process.env.CLICKHOUSE_URL
  // If ClickHouse runs on another server, its operator inserts heartbeats and seals days; only `serve` does both
  // itself.
  const keepsHouse = isEmbedded || serve !== undefined
  if (keepsHouse) {
    closers.unshift(await keepBeating(clickhouse.client))
    closers.unshift(
      keepSealing(clickhouse.client, (message) =>
        console.error(`Days are not sealed; answers stay correct: ${message}`),
      ),
    )
  }
  const purger = await openPurger(clickhouse.client)
  closers.unshift(purger.close)
  for (const line of await brokenParts(clickhouse.client)) console.error(line)
  for (const line of await unreadableReplicas(process.env)) console.error(line)

  console.error('Bundling and starting the Worker …')
  // Miniflare takes a second to load. A refused start should end before that.
  const { bundled, generousQuotas, startBundled, usualCache } = await import('./workerd.ts')
  const { startOnLogs } = await import('./logs.ts')
  const shareMetadata = (worker: Workerd): void => {
    const server = isEmbedded ? undefined : new URL(clickhouse.server.url).host
    writeSharedMetadata(places(dataDir).sharedMetadata, {
      ...worker.sharedMetadata,
      ...{ api: front?.url ?? worker.url, clickhouse: server },
    })
  }
  const startWorker = async (): Promise<Workerd> => {
    const { broughtOver } = places(dataDir)
    // If ClickHouse runs on another server, the operator sets its number of cores.
    const concurrency = isEmbedded && { CONCURRENCY: { cores: availableParallelism() } }
    const usual = { CACHE: usualCache, RATE_LIMITS: serve ? config.vars.RATE_LIMITS : generousQuotas }
    const own = workerVariables(process.env, { ...usual, ...concurrency })
    const quotas = (own.RATE_LIMITS as Quotas | undefined) ?? usual.RATE_LIMITS
    const options = bundled(dataDir, apiPort, clickhouse.server, quotas, usualCache)
    const bindings = {
      ...options.bindings,
      ...{ ...concurrency, COLLECT_PATIENCE: 15, LOG_IS_BESIDE: true },
      ...replicaBindings(process.env),
      ...own,
      ...(existsSync(broughtOver) && { COLLECT_TOKENS_SINCE: readFileSync(broughtOver, 'utf8') }),
      ...(logRequests && { LOG: { successes: 1 } }),
      ...(demoEvents && { DEMO: true }),
      CHECK_LOGS: true,
      PURGER: { ...purger.binding },
    }
    const worker = await startBundled({ ...options, bindings })
    takeSignals()
    front?.passTo(worker.url)
    return worker
  }
  closers.unshift(async () => rmSync(places(dataDir).sharedMetadata, { force: true }))
  await keptBundle(places(dataDir).bundle)
  const demo = demoShare(dataDir)
  if (demoEvents) demo.showOnFrontPage()
  const lostOfD1 = lostWrites(places(dataDir).metadata)
  if (lostOfD1) console.error(lostOfD1)
  const startWhole = () => startOnLogs(dataDir, startWorker, console.error)
  const worker = await startWhole()
  const workerd = kept('workerd', worker, async () => {
    await freePort('--port', apiPort)
    const worker = await startWhole()
    shareMetadata(worker)
    return worker
  })
  Promise.all([engine, workerd]).catch(fail)
  await migrateMetadata(worker.metadata)
  noteVersion(places(dataDir).version)
  for (const line of await metadataFaults(worker.metadata, places(dataDir).metadata)) console.error(line)
  const lost = await lostWebsites(clickhouse.client, worker.metadata)
  if (lost) console.error(lost)
  if (keepsHouse) {
    const failed = (message: string) => console.error(`Old data is not deleted yet: ${message}`)
    closers.unshift(keepDropping(clickhouse.client, worker.metadata, process.env, failed))
  }
  const apiKey = await adminKey(dataDir, worker.metadata)
  const signIn = serve ? undefined : await firstSignIn(dataDir, worker.metadata, Date.now())
  // By now, D1 has been read and written. If it were shared earlier, commands might use a Worker that ends because D1
  // fails.
  shareMetadata(worker)
  if (front) return console.log(servingLines(front.url, dataDir, await hasUsers(worker.metadata)))
  const websiteId = demoEvents
    ? await demoWebsite(dataDir, clickhouse.client, worker.metadata, demoEvents, (events) =>
        showProgress('Demo website', events, process.stderr, process.env),
      )
    : null
  const slug = websiteId && (await demo.make(worker.metadata, websiteId))

  const { url } = worker
  const share = slug && `${url}/share/${slug}`
  const fullUrl = urlOf(clickhouse.server)
  if (json) {
    const { username, password } = signIn ?? { username: null, password: null }
    console.log(JSON.stringify({ url, clickhouse: fullUrl, apiKey, websiteId, share, username, password }))
    return
  }
  const ready = {
    ...{ url, share, demo: slug && `${url}/demo`, apiKey, dataDir, isEmbedded, signIn },
    clickhouse: isEmbedded ? fullUrl : clickhouse.server.url,
    size: await diskUsage(dataDir),
    websiteId: websiteId ?? (await anyWebsite(worker.metadata)),
  }
  console.log(greeting(ready))
}

/** Locks the D1 file for this process, and returns a function that unlocks it. Refuses a second start. */
async function onlyStart(dataDir: string): Promise<() => Promise<void>> {
  const found = await lockMetadata(dataDir, () => findSharedMetadata(places(dataDir).sharedMetadata))
  if (typeof found === 'function') return async () => found()
  throw new Error(
    `Weir is already running on ${dataDir}, perhaps in another terminal. ` +
      'Stop it there, or choose another folder with --data-dir.',
  )
}

/** Waits until the disk has room for ClickHouse. */
async function roomIn(dataDir: string): Promise<void> {
  if (hasRoom(dataDir)) return
  console.error('The disk is full. ClickHouse starts again once there is room.')
  while (!hasRoom(dataDir) && !stopping.signal.aborted) await delay(1000)
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

/** The admin key in this data folder's file. If that key is missing or invalid, creates a new one. */
async function adminKey(dataDir: string, database: Workerd['metadata']): Promise<string> {
  const file = places(dataDir).adminKey
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const now = Date.now()
  const credential = kept && { kind: 'key' as const, id: await hashOf(kept) }
  if (credential && (await metadata(database, now).lookUp(credential, undefined)).holder) return kept
  const key = await createKey(database, 'npm start', { admin: true, access: 'write' }, now)
  writeFileSync(file, key, { mode: 0o600 })
  return key
}

/** A website for the greeting's commands. */
async function anyWebsite(database: Workerd['metadata']): Promise<string | null> {
  const first = { search: '', orderBy: 'createdAt', descending: false, limit: 1, offset: 0 } as const
  const { data } = await metadata(database, Date.now()).websites.list('website', {}, first)
  return data[0]?.id ?? null
}

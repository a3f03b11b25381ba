import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { freePort } from '../machine/port.ts'
import { places } from '../paths.ts'
import { lostWrites } from '../storage/metadata-file.ts'
import { writeSharedMetadata } from '../storage/shared-metadata.ts'
import { keptBundle } from './kept-bundle.ts'
import { startOnLogs } from './logs.ts'
import { replicaBindings } from './replicas.ts'
import type { Setting } from './setting.ts'
import { kept, onShutdown, takeSignals } from './shutdown.ts'
import { workerVariables } from './worker-variables.ts'
import { bundled, generousQuotas, type Quotas, startBundled, usualCache, type Workerd } from './workerd.ts'
import { config } from './wrangler-toml.ts'

/** Bundles and starts the Worker, and restarts it whenever it ends. `onceBundled` may change the bundle's pages. */
export async function runWorker(setting: Setting, onceBundled: () => void): Promise<Workerd> {
  const { dataDir, apiPort } = setting
  const { bundle, metadata, sharedMetadata } = places(dataDir)
  onShutdown(async () => rmSync(sharedMetadata, { force: true }))
  await keptBundle(bundle)
  onceBundled()
  const lost = lostWrites(metadata)
  if (lost) console.error(lost)
  const start = () => startOnLogs(dataDir, () => startWorker(setting), console.error)
  const worker = await start()
  kept('workerd', worker, async () => {
    await freePort('--port', apiPort)
    const again = await start()
    shareMetadata(setting, again)
    return again
  })
  return worker
}

/** Lets commands use the Worker's D1. */
export function shareMetadata({ dataDir, clickhouse, isEmbedded, front }: Setting, worker: Workerd): void {
  writeSharedMetadata(places(dataDir).sharedMetadata, {
    ...worker.sharedMetadata,
    ...{ api: front?.url ?? worker.url, clickhouse: isEmbedded ? undefined : new URL(clickhouse.server.url).host },
  })
}

async function startWorker(setting: Setting): Promise<Workerd> {
  const worker = await startBundled(optionsOf(setting))
  takeSignals()
  setting.front?.passTo(worker.url)
  return worker
}

function optionsOf(setting: Setting) {
  const { dataDir, apiPort, clickhouse, isEmbedded, serve, logRequests, demoEvents, purger } = setting
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
    PURGER: { ...purger },
  }
  return { ...options, bindings }
}

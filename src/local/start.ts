import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as clack from '@clack/prompts'
import { hashOf } from '../access/api-key.ts'
import { metadata } from '../metadata/metadata.ts'
import { brokenParts } from './broken-parts.ts'
import { startClickHouse, urlOf } from './clickhouse.ts'
import { demoWebsite, type Progress } from './demo.ts'
import { createKey } from './metadata.ts'
import { metadataFaults } from './metadata-faults.ts'
import { migrateEvents, migrateMetadata } from './migrations.ts'
import { defaultDataDir, places } from './paths.ts'
import { freePort } from './port.ts'
import { makePrivate } from './private-folder.ts'
import { writeSharedMetadata } from './shared-metadata.ts'
import { keepRunning, type Running } from './supervise.ts'
import { firstSignIn, type SignIn } from './users.ts'
import { bundled, startBundled, startWorker, usualCache, type Workerd } from './workerd.ts'

const help = `npm start -- [flags]

  --port N              port of the API (8787; 0: any free one)
  --clickhouse-port N   port of the embedded ClickHouse (8123; 0: any free one)
  --data-dir DIR        where everything is kept (.weir)
  --no-demo             no demo website
  --json                prints one line of JSON once ready, and nothing else, on stdout

With CLICKHOUSE_URL set (http://user:password@host:8123/?database=weir) that server is used in place of the embedded one.`

interface Flags {
  readonly port: number
  readonly clickhousePort: number
  readonly dataDir: string
  readonly demo: boolean
  readonly json: boolean
}

function flags(): Flags {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      'clickhouse-port': { type: 'string', default: '8123' },
      'data-dir': { type: 'string', default: defaultDataDir },
      'no-demo': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  return {
    port: portNumber('--port', values.port),
    clickhousePort: portNumber('--clickhouse-port', values['clickhouse-port']),
    dataDir: resolve(values['data-dir']),
    demo: !values['no-demo'],
    json: values.json,
  }
}

function portNumber(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new Error(`${flag} must be a whole number from 0 to 65535, not ${text}.`)
}

/** Functions that close the started processes, newest first. */
const closers: (() => Promise<void>)[] = []

const stopping = new AbortController()

/** Keeps a process running, and closes its current run at the end. */
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
  for (const close of closers.splice(0)) await close().catch((error: unknown) => console.error(String(error)))
  process.exit(exitCode)
}

async function start({ port, clickhousePort, dataDir, demo, json }: Flags): Promise<void> {
  makePrivate(dataDir)
  const apiPort = await freePort('--port', port)
  const clickhouse = await startClickHouse(dataDir, clickhousePort)
  const engine = kept('The embedded ClickHouse', clickhouse, () =>
    startClickHouse(dataDir, Number(new URL(clickhouse.server.url).port)),
  )
  await migrateEvents(clickhouse.client, clickhouse.server)

  for (const line of await brokenParts(clickhouse.client)) console.error(line)

  const told = (worker: Workerd): Workerd => {
    writeSharedMetadata(places(dataDir).sharedMetadata, worker.sharedMetadata)
    return worker
  }
  const worker = told(await startWorker(dataDir, apiPort, clickhouse.server, usualCache))
  const workerd = kept('workerd', worker, async () => {
    await freePort('--port', apiPort)
    return told(await startBundled(bundled(dataDir, apiPort, clickhouse.server, undefined, usualCache)))
  })
  Promise.all([engine, workerd]).catch(fail)
  await migrateMetadata(worker.metadata)
  for (const line of await metadataFaults(worker.metadata)) console.error(line)
  const apiKey = await adminKey(dataDir, worker.metadata)
  const signIn = await firstSignIn(dataDir, worker.metadata, Date.now())
  const websiteId = demo
    ? await demoWebsite(dataDir, clickhouse.client, worker.metadata, signIn?.userId, progressBar)
    : null

  const ready = { url: worker.url, clickhouse: urlOf(clickhouse.server), apiKey, websiteId }
  const { username, password } = signIn ?? { username: null, password: null }
  if (json) console.log(JSON.stringify({ ...ready, username, password }))
  else
    console.log(greeting(process.env.CLICKHOUSE_URL ? { ...ready, clickhouse: clickhouse.server.url } : ready, signIn))
}

/** The admin key of this data folder. It is made once and read from its file while it is valid. */
async function adminKey(dataDir: string, database: Workerd['metadata']): Promise<string> {
  const file = places(dataDir).adminKey
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const now = Date.now()
  const credential = kept && { kind: 'key' as const, id: await hashOf(kept) }
  if (credential && (await metadata(database, now).lookUp(credential, undefined)).holder) return kept
  const key = await createKey(database, 'npm start', { admin: true }, now)
  writeFileSync(file, key, { mode: 0o600 })
  return key
}

/** A progress bar on a terminal; elsewhere (in a log) two lines. */
function progressBar(events: number): Progress {
  const task = `Demo website: ${events.toLocaleString('en')} events`
  if (!process.stderr.isTTY) {
    console.error(`${task}…`)
    return { advance: () => {}, done: (message) => console.error(message) }
  }
  const bar = clack.progress({ max: events, output: process.stderr })
  bar.start(task)
  return { advance: (by) => bar.advance(by), done: (message) => bar.stop(message) }
}

interface Ready {
  readonly url: string
  readonly clickhouse: string
  readonly apiKey: string
  readonly websiteId: string | null
}

function greeting(ready: Ready, signIn: SignIn | undefined): string {
  const { url, clickhouse, apiKey, websiteId } = ready
  const now = Date.now()
  const path = websiteId
    ? `/api/websites/${websiteId}/events/stats?startAt=${now - 30 * 86_400_000}&endAt=${now}`
    : '/api/websites'
  return `
  Weir        ${url}
  ClickHouse  ${clickhouse}
  API key     ${apiKey}
  Sign in as  ${signIn ? `${signIn.username}, password ${signIn.password}` : 'the users that were made here'}

  curl -H 'Authorization: Bearer ${apiKey}' '${url}${path}'

  Ctrl-C stops everything.`
}

async function fail(error: Error): Promise<never> {
  console.error(`\n${error.message}`)
  return stop(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(0))
Promise.resolve().then(flags).then(start).catch(fail)

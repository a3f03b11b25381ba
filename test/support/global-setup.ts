import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { places } from '../../src/local/paths.ts'
import { keptBundle } from '../../src/local/start/kept-bundle.ts'
import { bundled, startBundled } from '../../src/local/start/workerd.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { startClickHouse, urlOf } from '../../src/local/storage/clickhouse.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/storage/migrations.ts'
import { type SharedMetadata, writeSharedMetadata } from '../../src/local/storage/shared-metadata.ts'
import { createUser } from '../../src/local/storage/users.ts'
import { startRowlessClickHouse } from './doubles/rowless-clickhouse.ts'
import { putTables } from './migrated.ts'
import { offerPostgres } from './offered-postgres.ts'
import { patient } from './patient.ts'
import { planPlainly } from './plain-engine.ts'
import { reservedPort } from './reserved-port.ts'

/** What all test files share: one Worker in workerd on one real ClickHouse, for the whole run. */
export interface Running {
  readonly url: string
  /** The same Worker on a ClickHouse without rows, that ClickHouse's URL, and the issuer that a test may start. */
  readonly rowless: { readonly url: string; readonly clickhouse: string; readonly issuer: string }
  /** ClickHouse's URL, which can be used for statements and inserts. */
  readonly clickhouse: string
  readonly adminKey: string
  /** The first user, who is an admin. */
  readonly firstAdmin: { readonly id: string; readonly username: string }
  /** The data folder for commands. */
  readonly dataDir: string
  /** The Worker's D1, for `metadata.ts`. */
  readonly metadata: SharedMetadata
  /** For `postgres.ts`. */
  readonly postgres: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly running: Running
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-test-`)
  if (!project.config.provide.long) planPlainly(places(dataDir).clickhouse)
  await putTables(dataDir)
  const clickhouse: ClickHouse = await startClickHouse(dataDir, 0)
  await migrateEvents(clickhouse.client, clickhouse.server)
  await keptBundle(places(dataDir).bundle)
  const options = bundled(dataDir, 0, clickhouse.server)
  const postgres = await offerPostgres()
  const double = await startRowlessClickHouse(clickhouse.server.url)
  const rowless = await besideWorker(options, double.url)
  // Test websites are small, so chains answer here whenever they can.
  const own = { CHAINS_FROM: 1, ...patient }
  const withChains = { ...options, bindings: { ...options.bindings, ...own } }
  const worker = await startBundled(withChains, { beside: [rowless.options] })
  writeSharedMetadata(places(dataDir).sharedMetadata, { ...worker.sharedMetadata, api: worker.url })
  await migrateMetadata(worker.metadata)
  // The first admin owns everything that the operator's key creates. No test may delete this admin.
  const firstAdmin = { username: 'first-admin', password: randomUUID(), role: 'admin' } as const
  const firstAdminId = await createUser(worker.metadata, firstAdmin, Date.now())
  const adminKey = await createKey(worker.metadata, 'tests', { admin: true, access: 'write' }, Date.now())
  project.provide('running', {
    url: worker.url,
    rowless: { ...rowless.urls, clickhouse: urlOf({ ...clickhouse.server, url: double.url }) },
    clickhouse: urlOf(clickhouse.server),
    adminKey,
    firstAdmin: { id: firstAdminId, username: firstAdmin.username },
    dataDir,
    metadata: worker.sharedMetadata,
    postgres: postgres.url,
  })
  return async () => {
    await postgres.close()
    await worker.close()
    const { asked, passedOn } = double.counts()
    console.log(`${await workOf(clickhouse)} ${asked - passedOn} more selects had no rows.`)
    double.close()
    await clickhouse.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A second Worker that uses the first Worker's D1. */
async function besideWorker(options: ReturnType<typeof bundled>, clickhouse: string) {
  const { d1Persist: _, durableObjectsPersist: __, cf: ___, pages: ____, ...worker } = options
  const port = await reservedPort()
  const issuer = `http://127.0.0.1:${await reservedPort()}`
  const signingUp = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'weir', OIDC_CLIENT_SECRET: 'secret', OIDC_SIGN_UP: '1' }
  const own = {
    name: 'rowless',
    bindings: { ...worker.bindings, CLICKHOUSE_URL: clickhouse, ...signingUp },
    serviceBindings: { ASSETS: 'pages' },
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }
  return { options: { ...worker, ...own }, urls: { url: `http://127.0.0.1:${port}`, issuer } }
}

/** The shared engine's work: its statements of each kind, how long they took, and their processor time. */
async function workOf({ client }: ClickHouse): Promise<string> {
  const query = "SELECT event, value / if(event LIKE '%Microseconds', 1e6, 1) AS value FROM system.events"
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ event: string; value: number }>()
  const of = (event: string) => rows.find((row) => row.event === event)?.value ?? 0
  const seconds = (event: string) => of(event).toFixed(1)
  const [selects, inserts] = [of('SelectQuery'), of('InsertQuery')]
  const timeOf = (kind: string) => `(${seconds(`${kind}QueryTimeMicroseconds`)} s by the clock)`
  const kinds = `${selects} selects ${timeOf('Select')}, ${inserts} inserts ${timeOf('Insert')}`
  const others = `${of('Query') - selects - inserts} others ${timeOf('Other')}`
  return `The shared engine: ${kinds}, ${others}, ${seconds('OSCPUVirtualTimeMicroseconds')} s of processor time.`
}

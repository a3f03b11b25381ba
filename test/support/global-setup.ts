import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { type ClickHouse, startClickHouse, urlOf } from '../../src/local/clickhouse.ts'
import { createKey } from '../../src/local/metadata.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/migrations.ts'
import { startWorker } from '../../src/local/workerd.ts'
import { serveMetadata } from './metadata.ts'

/** What every test file can reach: one Worker in workerd on one real ClickHouse, for the whole run. */
export interface Running {
  readonly url: string
  /** Accepts statements and inserts as it stands. */
  readonly clickhouse: string
  readonly adminKey: string
  /** The data folder, for commands. */
  readonly dataDir: string
  /** D1 of the Worker: see `metadata.ts`. */
  readonly metadata: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly running: Running
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-test-`)
  const clickhouse: ClickHouse = await startClickHouse(dataDir, 0)
  await migrateEvents(clickhouse.client, clickhouse.server)
  const worker = await startWorker(dataDir, 0, clickhouse.server)
  await migrateMetadata(worker.metadata)
  const adminKey = await createKey(worker.metadata, 'tests', { admin: true }, Date.now())
  const metadata = await serveMetadata(worker.metadata)
  project.provide('running', {
    url: worker.url,
    clickhouse: urlOf(clickhouse.server),
    adminKey,
    dataDir,
    metadata: metadata.url,
  })
  return async () => {
    metadata.close()
    await worker.close()
    await clickhouse.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

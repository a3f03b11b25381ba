import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { places, root } from '../../src/local/paths.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { startMigrated, startOwn } from '../support/own-engine.ts'
import { newId } from '../support/website.ts'

/** Follows the backup guide in docs/deployment.md, in separate folders. */
const folder = mkdtempSync(`${tmpdir()}/weir-backup-`)
const [original, copy] = [`${folder}/original`, `${folder}/copy`]
const websiteId = newId()

/** The guide's SQL statements, except that they back up to a local folder. */
const [backUp, restore] = [
  ...readFileSync(`${root}/docs/deployment.md`, 'utf8').matchAll(/^(BACKUP|RESTORE) .*$/gm),
].map(([statement]) => statement.replace(/S3\(.*\)/, `File('${folder}/backups/one')`).replace(/;$/, ''))

let clickhouse: ClickHouse

const clientOf = (database: string): ClickHouseClient => {
  const { timeout: _, ...server } = clickhouse.server
  return createClient({ ...server, database })
}

async function write(client: ClickHouseClient): Promise<void> {
  const rows = ['2025-01-31', '2025-02-01'].flatMap((day) => {
    const bought = { website_id: websiteId, created_at: `${day} 10:00:00.001`, event_name: 'buy', browser: 'chrome' }
    return [
      event({ ...bought, event_id: newId() }, [string('currency', 'EUR'), number('revenue', '10.5')]),
      event({ ...bought, event_id: newId(), event_type: 1, event_name: '' }),
    ]
  })
  const calls = rows.map(({ session_id, created_at }) => ({ website_id: websiteId, session_id, created_at }))
  await client.insert({ table: 'ingest', values: rows, format: 'JSONEachRow' })
  await client.insert({ table: 'ingest_session_data', values: calls, format: 'JSONEachRow' })
}

/** The rows of every table. */
async function content(client: ClickHouseClient): Promise<Record<string, unknown[]>> {
  const rows = tables.map(async ({ name }) => {
    const result = await client.query({ query: `SELECT * FROM ${name} ORDER BY ALL`, format: 'JSONEachRow' })
    return [name, await result.json()] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

async function expectWhole(client: ClickHouseClient): Promise<void> {
  for (const one of [besideEvents, ...oneOfEachKind(derivedTables)])
    expect([one.table, await check(client, one, { websiteIds: [] })]).toEqual([one.table, []])
}

let before: Record<string, unknown[]>

beforeAll(async () => {
  clickhouse = await startMigrated(original)
  await write(clickhouse.client)
  before = await content(clickhouse.client)
  await clickhouse.close()
  const d1 = await openMetadata(original)
  await migrateMetadata(d1.metadata)
  await metadata(d1.metadata, 1).websites.create({ id: websiteId, name: 'Kept', domain: 'x.example', ...ofOperator })
  await d1.close()
  backUpAndRestore()
  cpSync(original, copy, { recursive: true })
  rmSync(original, { recursive: true })
  clickhouse = await startOwn(copy)
}, 120_000)

afterAll(async () => {
  await clickhouse.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs both statements, in a process that has ClickHouse's right to do so. */
function backUpAndRestore(): void {
  const configuration = `${folder}/backups.xml`
  writeFileSync(
    configuration,
    `<clickhouse><backups><allowed_path>${folder}/backups/</allowed_path></backups></clickhouse>`,
  )
  const script = `${root}/test/support/backing-up.ts`
  const words = [`${places(original).clickhouse}/clickhouse`, configuration, backUp!, restore!]
  const printed = execFileSync(process.execPath, ['--import', 'tsx', script, ...words], { cwd: root }).toString()
  expect(printed).toMatch(/BACKUP_CREATED[\s\S]*RESTORED/)
}

describe('an event backup', () => {
  it('can be restored next to the original database with the guide’s statements, and accepts new events', async () => {
    const restored = clientOf('weir_restored')
    expect(await content(restored)).toStrictEqual(before)
    await write(restored)
    await expectWhole(restored)
    expect((await content(restored)).events).toHaveLength(8)
    expect(await content(clickhouse.client)).toStrictEqual(before)
    await restored.close()
  })
})

describe('a copy of a data folder', () => {
  it('contains everything if it was made while Weir was stopped', async () => {
    expect(await content(clickhouse.client)).toStrictEqual(before)
    const d1 = await openMetadata(copy)
    expect(await metadata(d1.metadata, 1).websites.read(websiteId)).toMatchObject({ name: 'Kept' })
    await d1.close()
  })
})

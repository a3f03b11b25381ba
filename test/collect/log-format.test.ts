import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OtherVersion } from '../../src/local/machine/version-file.ts'
import { places } from '../../src/local/paths.ts'
import { keptBundle } from '../../src/local/start/kept-bundle.ts'
import { readLog, startOnLogs } from '../../src/local/start/logs.ts'
import { bundled, startBundled, type Workerd } from '../../src/local/start/workerd.ts'
import { logFile, logIds } from '../../src/local/storage/log-files.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { ask, sent } from './senders.ts'
import { moduleOf } from './world.ts'

/** Tests logs whose format this version does not know. ClickHouse does not answer, so the log keeps its events. */

const dataDir = mkdtempSync(`${tmpdir()}/weir-log-format-`)
const website = randomUUID()
const event = sent(website)
const format = 2
const nowhere = { url: 'http://127.0.0.1:9', database: 'weir', username: '', password: '', timeout: 1000 }

function start(version: number | string): Promise<Workerd> {
  const { bindings, ...options } = bundled(dataDir, 0, nowhere)
  const modules = [moduleOf('other-format.ts'), ...options.modules]
  return startBundled({ ...options, modules, bindings: { ...bindings, FORMAT: String(version), CHECK_LOGS: true } })
}

const startOnLogsOf = (version: number | string, told: string[] = []): Promise<Workerd> =>
  startOnLogs(
    dataDir,
    () => start(version),
    (line) => told.push(line),
  )

beforeAll(async () => {
  mkdirSync(places(dataDir).bundle)
  await keptBundle(places(dataDir).bundle)
  const weir = await start(format)
  await migrateMetadata(weir.metadata)
  const insert = `INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?1, '', '', '', 0, 0)`
  await weir.metadata.prepare(insert).bind(website).run()
  expect((await ask(weir, undefined, [event]))?.status).toBe(200)
  await weir.close()
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it.each([
  [format + 1, 'The log has another format: 3, not 2.'],
  [format - 1, 'The log has another format: 1, not 2.'],
  ['none', 'The log has another format: without a version, not 2.'],
])('a log of the format %s is refused by a start, and takes no events', async (version, message) => {
  const told: string[] = []
  const refusal = await startOnLogsOf(version, told).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OtherVersion)
  expect((refusal as Error).message).toContain(message)
  expect([told, existsSync(places(dataDir).damagedLogs)]).toEqual([[], false])
  const weir = await start(version)
  expect((await ask(weir, undefined, [sent(website)]))?.status).toBe(503)
  await weir.close()
})

it('its version starts on it afterwards, with the event that waits', async () => {
  const weir = await startOnLogsOf(format)
  expect((await ask(weir, undefined, [event]))?.status).toBe(200)
  await weir.close()
  const names: unknown[] = []
  await readLog(dataDir, logFile(dataDir, logIds(dataDir)[0]!), ({ json }) =>
    names.push((JSON.parse(json) as { event_name: string }).event_name),
  )
  expect(names).toEqual([event.id])
})

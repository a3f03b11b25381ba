import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OtherVersion } from '../../src/local/machine/version-file.ts'
import { places } from '../../src/local/paths.ts'
import { keptBundle } from '../../src/local/start/kept-bundle.ts'
import { logFaults, readLog, refuseOtherFormats, startOnLogs } from '../../src/local/start/logs.ts'
import { bundled, openLogs, startBundled, type Workerd } from '../../src/local/start/workerd.ts'
import { logFile, logIds } from '../../src/local/storage/log-files.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { inTurn } from '../support/long.ts'
import { seed } from '../support/seed.ts'
import { ask, sent } from './senders.ts'

/** Tests logs whose format this version does not know. ClickHouse does not answer, so the log keeps its events. */

const dataDir = mkdtempSync(`${tmpdir()}/weir-log-format-`)
const website = randomUUID()
const event = sent(website)
const format = 2
const nowhere = { url: 'http://127.0.0.1:9', database: 'weir', username: '', password: '', timeout: 1000 }

const start = (): Promise<Workerd> => {
  const options = bundled(dataDir, 0, nowhere)
  return startBundled({ ...options, bindings: { ...options.bindings, CHECK_LOGS: true } })
}

const startOnLogsHere = (told: string[] = []): Promise<Workerd> =>
  startOnLogs(dataDir, start, (line) => told.push(line))

/** Marks the stopped log with this version. */
async function mark(version: number | 'none'): Promise<void> {
  const { ask: query, close } = await openLogs(dataDir)
  const [log] = logIds(dataDir)
  await query(log!, 'DELETE FROM packed_version')
  if (version !== 'none') await query(log!, `INSERT INTO packed_version VALUES (${version})`)
  await close()
}

beforeAll(async () => {
  mkdirSync(places(dataDir).bundle)
  await keptBundle(places(dataDir).bundle)
  const weir = await start()
  await migrateMetadata(weir.metadata)
  const insert = `INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?1, '', '', '', 0, 0)`
  await weir.metadata.prepare(insert).bind(website).run()
  expect((await ask(weir, undefined, [event]))?.status).toBe(200)
  await weir.close()
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const formats = [
  [format + 1, 'The log has another format: 3, not 2.'],
  // Never released, so that no version converts it.
  [1, 'The log has another format: 1, not 2.'],
  ['none', 'The log has another format: without a version, not 2.'],
] as const

it.each(inTurn(formats, seed, 3))(
  'a log of the format %s is refused by start, check and upgrade, and takes no events',
  async (version, message) => {
    await mark(version)
    const told: string[] = []
    const refusal = await startOnLogsHere(told).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(OtherVersion)
    expect((refusal as Error).message).toContain(message)
    expect([told, existsSync(places(dataDir).damagedLogs)]).toEqual([[], false])
    const weir = await start()
    expect((await ask(weir, undefined, [sent(website)]))?.status).toBe(503)
    await weir.close()
    await expect(logFaults(dataDir, undefined)).rejects.toThrow(message)
    await expect(refuseOtherFormats(dataDir, dataDir)).rejects.toThrow(message)
  },
)

it('its version starts on it afterwards, with the event that waits', async () => {
  await mark(format)
  await refuseOtherFormats(dataDir, dataDir)
  const weir = await startOnLogsHere()
  expect((await ask(weir, undefined, [event]))?.status).toBe(200)
  await weir.close()
  const names: unknown[] = []
  await readLog(dataDir, logFile(dataDir, logIds(dataDir)[0]!), ({ json }) =>
    names.push((JSON.parse(json) as { event_name: string }).event_name),
  )
  expect(names).toEqual([event.id])
})

import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { places } from '../../src/local/paths.ts'
import { keptBundle } from '../../src/local/start/kept-bundle.ts'
import { bundled, startBundled } from '../../src/local/start/workerd.ts'
import { type ClickHouse, urlOf } from '../../src/local/storage/clickhouse.ts'
import { damagedLogs, faultsOfFiles, logIds } from '../../src/local/storage/log-files.ts'
import { lostWebsites } from '../../src/local/storage/lost-websites.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { messageOf } from '../../src/local/told/troubles.ts'
import { ask, type Sent, sent } from '../collect/senders.ts'
import { until } from '../collect/world.ts'
import { weir as command } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { overwrite } from '../support/overwritten.ts'
import { startMigrated } from '../support/own-engine.ts'
import { spawned } from '../support/process.ts'
import { seed } from '../support/seed.ts'

/** Tests log files that are damaged while Weir is stopped. ClickHouse accepts no events, so the log retains them. */

const all = mkdtempSync(`${tmpdir()}/weir-damaged-`)
let clickhouse: ClickHouse
let env: NodeJS.ProcessEnv
const nowhere = 'http://127.0.0.1:9'
/** Data folders of killed Weir processes. In the second one, all of the log is still in its -wal file. */
const [killed, young] = [`${all}/killed`, `${all}/young`]
const waiting: Sent[] = []

const take = async (weir: { readonly url: string }, events: readonly Sent[]) =>
  expect((await ask(weir, undefined, events))?.status).toBe(200)

/** The Worker without `npm start`, on a data folder. */
async function work(folder: string) {
  mkdirSync(places(folder).bundle, { recursive: true })
  await keptBundle(places(folder).bundle)
  const options = bundled(folder, 0, clickhouse.server)
  const bindings = { ...options.bindings, CLICKHOUSE_WRITE_URL: nowhere }
  return startBundled({ ...options, bindings })
}

/** Fills the log in a new data folder with batches of this many events each. */
async function fill(folder: string, ...batches: readonly number[]): Promise<Sent[]> {
  const weir = await work(folder)
  await migrateMetadata(weir.metadata)
  await createKey(weir.metadata, 'a key', { admin: true, access: 'write' }, Date.now()).then((key) =>
    writeFileSync(places(folder).adminKey, key),
  )
  const id = randomUUID()
  const insert = `INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?1, '', '', '', 0, 0)`
  await weir.metadata.prepare(insert).bind(id).run()
  const data = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, 'x'.repeat(2000)]))
  const taken = batches.map((count) => Array.from({ length: count }, () => sent(id, { data })))
  for (const events of taken) await take(weir, events)
  await weir.close()
  return taken.flat()
}

beforeAll(async () => {
  clickhouse = await startMigrated(`${all}/clickhouse`)
  env = { ...process.env, CLICKHOUSE_URL: urlOf(clickhouse.server), CLICKHOUSE_WRITE_URL: nowhere }
  // SQLite moves data from the -wal to the file itself once the -wal exceeds 4 MB.
  waiting.push(...(await fill(killed, 50, 50, 1, 1)))
  await fill(young, 1)
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(all, { recursive: true, force: true })
})

/** A copy of a killed Weir's data folder, and its log file. */
function copy(name: string, from = killed): { folder: string; file: string } {
  const folder = `${all}/${name}`
  cpSync(from, folder, { recursive: true })
  return { folder, file: `${places(folder).log}/weir-EventLog/${logIds(folder)[0]}.sqlite` }
}

/** Overwrites the beginnings of some pages of a log file, starting after this fraction of it. */
function damage(file: string, share: number): void {
  const [page, first] = [4096, Math.floor((share * statSync(file).size) / 4096)]
  expect(first).toBeGreaterThan(100)
  overwrite(file, ...[0, 1, 2, 3].map((place) => (first + place) * page))
}

const check = (folder: string) => command(['check', '--website', randomUUID()], { dataDir: folder, env, openMetadata })
const lines = (text: string, what: string) => text.split('\n').filter((line) => line.includes(what))

/** Each `npm test` run uses one of these cases. */
const cases: Readonly<Record<string, () => Promise<void>>> = {
  async 'check and npm start report a damaged log; npm start sets it aside, and collection continues'() {
    const { folder, file } = copy('damaged')
    damage(file, 0.5)
    const before = await check(folder)
    const named =
      /is damaged \(.+\)\. (?:Its log starts empty\. )?(\d+) rows can be read from it that ClickHouse may lack\. /
    expect([before.code, lines(before.stdout, file)]).toEqual([1, [expect.stringMatching(named)]])
    expect(before.stdout).toContain('Start Weir again: it sets the file aside, and the log continues.')

    const { child, firstLine, ended } = spawned(
      'start',
      ['--json', '--port', '0', '--data-dir', folder, '--no-demo'],
      env,
    )
    const weir = JSON.parse(await firstLine) as { url: string }
    await take(weir, waiting.slice(0, 50))
    await take(weir, [...waiting.slice(50, 100), sent(waiting[0]!.website)])
    const [line = ''] = lines((await check(folder)).stdout, file)
    // Now a log is damaged while Weir runs, and workerd restarts.
    damage(file, 0.2)
    await until(async () => damagedLogs(folder).length === 2 || undefined)
    await until(async () => (await ask(weir, undefined, [waiting[0]!]))?.ok || undefined)
    child.kill('SIGTERM')
    const { stderr } = await ended
    expect(stderr).toContain('workerd ended unexpectedly (a log is damaged). Restarting it.')
    expect(lines(stderr, file)).toEqual([line, expect.stringMatching(named)])
    const [, rows] = named.exec(line)!
    const [, aside] = /npm run weir -- damaged-log (\S+) prints/.exec(line)!
    const read = await command(['damaged-log', aside!], { dataDir: folder, env })
    const printed = read.stdout
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as { table: string; row: { event_name: string } })
    expect([read.code, printed.length]).toEqual([0, Number(rows)])
    const ids = new Set(waiting.map(({ id }) => id))
    expect(printed.filter(({ table, row }) => table === 'ingest' && ids.has(row.event_name))).toHaveLength(
      printed.length,
    )
    // Most pages are undamaged.
    expect(printed.length).toBeGreaterThan(waiting.length / 2)
  },

  async 'a log that fails while the Worker runs is reported in metrics, in /ready and in one log line'() {
    const { folder, file } = copy('failing')
    const printed: string[] = []
    vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(String(line)))
    overwrite(file, 0)
    for (const ending of ['-wal', '-shm']) rmSync(file + ending)
    const weir = await work(folder)
    const get = async (path: string, key: string) =>
      (await fetch(weir.url + path, { headers: { authorization: `Bearer ${key}` } })).text()
    expect(await get('/metrics', readFileSync(places(folder).metricsToken, 'utf8'))).toMatch(
      /^weir_collect_up\{log="0"\} 0\n(?:.*\n)*weir_record_up\{log="0"\} 1$/m,
    )
    const ready = JSON.parse(await get('/ready', readFileSync(places(folder).adminKey, 'utf8')))
    expect(ready.error).toMatchObject({ message: 'These cannot be read right now: log-0. Try again.' })
    expect((await fetch(`${weir.url}/ready`)).status).toBe(503)
    for (let times = 0; times < 3; times++) expect((await ask(weir, undefined, [waiting[0]!]))?.status).toBe(503)
    await weir.close()
    expect(printed.filter((line) => line.startsWith('{') && line.includes('stack'))).toHaveLength(1)
    expect(printed.filter((line) => line.startsWith('stack:'))).toEqual([])
  },
}

it.each(inTurn(Object.entries(cases), seed, 2))('%s', (_, isRight) => isRight())

it.each<[string, (file: string) => void, string | RegExp, boolean, from?: string]>([
  [
    'whose -wal is damaged',
    (file) => overwrite(`${file}-wal`, 60),
    /^lost its last [1-9]\d* writes: its -wal is damaged$/,
    false,
  ],
  ['whose -wal has an overwritten beginning', (file) => overwrite(`${file}-wal`, 0), /^lost its last 1 writes/, false],
  ['that is gone', (file) => rmSync(file), 'is gone, or empty', true],
  ['that is empty', (file) => writeFileSync(file, ''), 'is gone, or empty', true],
  ['whose -wal is gone', (file) => rmSync(`${file}-wal`), 'lost its -wal and everything in it', true, young],
  ['that is whole', () => {}, '', false],
  ['that is whole and young', () => {}, '', false, young],
])('check detects the state of a log %s', (name, harm, text, isEnd, from) => {
  const { folder, file } = copy(name.replaceAll(' ', '-'), from)
  harm(file)
  const found = [{ id: logIds(killed)[0], text: expect.stringMatching(text), isEnd }]
  expect(faultsOfFiles(folder)).toEqual(text === '' ? [] : found)
})

it('Weir starts with a damaged alarm file, and reports a D1 without its websites and a truncated secret', async () => {
  const { folder } = copy('faults')
  const { log, metadata: persisted, authSecret } = places(folder)
  for (const within of [`${log}/weir-EventLog`, `${persisted}/miniflare-D1DatabaseObject`]) {
    for (const ending of ['-wal', '-shm']) rmSync(`${within}/metadata.sqlite${ending}`)
    overwrite(`${within}/metadata.sqlite`, 0, 64, 1000)
  }
  expect((await check(folder)).stdout).not.toMatch(/D1|of collection/)
  const { client } = clickhouse
  await client.insert({ table: 'ingest', values: [{ website_id: randomUUID() }], format: 'JSONEachRow' })
  const { metadata, close } = await openMetadata(folder)
  expect(await lostWebsites(client, metadata)).toBeUndefined()
  await metadata.prepare('DELETE FROM websites').run()
  expect(await lostWebsites(client, metadata)).toMatch(
    /^D1 has no website, but ClickHouse has [1-9]\d* events of \d+: /,
  )
  await close()
  writeFileSync(authSecret, '')
  await expect(work(folder)).rejects.toThrow(`${authSecret} is empty or cut. Restore it from a copy of the data folder`)
  const denied = Object.assign(new Error(), { code: 'EROFS', syscall: 'open', path: folder })
  expect(await messageOf(() => Promise.reject(denied))).toBe(
    `${folder} cannot be opened: the file system is read-only (EROFS).`,
  )
})

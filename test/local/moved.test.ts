import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { openBackup } from '../../src/local/import/own/backup-folder.ts'
import { type Thing, thingsIn } from '../../src/local/import/own/things.ts'
import { markWritten } from '../../src/local/machine/being-written.ts'
import { thisVersion } from '../../src/local/machine/version-file.ts'
import { places } from '../../src/local/paths.ts'
import { openAlone } from '../../src/local/start/workerd.ts'
import { check } from '../../src/local/storage/check.ts'
import { type ClickHouse, startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { writeSharedMetadata } from '../../src/local/storage/shared-metadata.ts'
import { halfFilled } from '../../src/local/storage/whole-folder.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { weir as command } from '../support/commands.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { inTurn, runs } from '../support/long.ts'
import { putTables } from '../support/migrated.ts'
import { overwrite } from '../support/overwritten.ts'
import { startMigrated, startOwn } from '../support/own-engine.ts'
import { family, isAlive, spawned } from '../support/process.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** Tests `weir backup`, `restore` and `upgrade` in separate folders. `serve.test.ts` makes a backup while Weir runs. */
const folder = mkdtempSync(`${tmpdir()}/weir-moved-`)
const original = `${folder}/original`
const websiteId = newId()

/** The number of events on each of two days. */
const events = 1000

/** Events of each kind, calls with and without properties, a replay and clicks. Some values are hard to copy. */
const statements = [
  `INSERT INTO ingest (website_id, session_id, visit_id, event_id, created_at, event_type, event_name, page_title, lcp, gclid,
     referrer_query, properties.key, properties.data_type, properties.string_value, properties.number_value,
     properties.date_value)
   SELECT '${websiteId}' AS website_id, generateUUIDv4(1) AS session_id, generateUUIDv4(2) AS visit_id,
     generateUUIDv4(3) AS event_id,
     toDateTime64('2025-01-31 23:30:00.007', 3, 'UTC') + INTERVAL intDiv(number, ${events}) HOUR + INTERVAL number MILLISECOND
       AS created_at,
     [1, 2, 5][number % 3 + 1] AS event_type, if(event_type = 2, 'buy "it"', '') AS event_name, 'Ås 🍀\\t\\\\' AS page_title,
     if(event_type = 5, 0.1 + number, NULL) AS lcp, 'g' AS gclid, '?a=b' AS referrer_query,
     if(number % 4 = 0, ['price', 'when'], []) AS \`properties.key\`,
     if(number % 4 = 0, [2, 4], []) AS \`properties.data_type\`,
     if(number % 4 = 0, ['x', 'y'], []) AS \`properties.string_value\`,
     if(number % 4 = 0, [toDecimal128('123456789012345678.1234', 4), NULL], []) AS \`properties.number_value\`,
     if(number % 4 = 0, [NULL, toDateTime64('2025-01-01 00:00:00.123', 3, 'UTC')], []) AS \`properties.date_value\`
   FROM numbers(${2 * events})`,
  `INSERT INTO ingest_session_data (website_id, session_id, distinct_id, created_at, properties.key, properties.data_type,
     properties.string_value, properties.number_value, properties.date_value)
   SELECT '${websiteId}', generateUUIDv4(), 'ada', '2025-01-31 10:00:00', if(number = 0, [], ['plan', 'seats']),
     if(number = 0, [], [1, 1]), if(number = 0, [], ['pro', '3']), if(number = 0, [], [NULL, NULL]),
     if(number = 0, [], [NULL, NULL]) FROM numbers(3)`,
  `INSERT INTO ingest_replay_chunks SELECT '${websiteId}', generateUUIDv4(), generateUUIDv4(), '2025-01-31 10:00:00', 0,
     lower(hex(SHA256('one'))), '2025-01-31 10:00:00', '2025-01-31 10:00:01', [9007199254740993], '{"type":"\\\\n"}'`,
  `INSERT INTO ingest_heatmap_events (website_id, visit_id, session_id, created_at, arrived_at, request, place, type,
     url_path, x) SELECT '${websiteId}', generateUUIDv4(), generateUUIDv4(), '2025-01-31 10:00:00', '2025-02-01 10:00:00',
     '00000000000000ff', number, 1, '/', 7 FROM numbers(2)`,
]

const base = ['events', 'custom_events', 'session_data', 'replay_chunks', 'heatmap_events']

/** A hash and the number of rows for each table that the other tables are derived from. */
async function content(client: ClickHouseClient): Promise<unknown[]> {
  const each = base.map(async (name) => {
    const columns = name === 'events' ? '* EXCEPT ingested_at' : '*'
    const query = `SELECT '${name}' AS name, count() AS rows, sum(cityHash64(*)) AS hash FROM (SELECT ${columns} FROM ${name})`
    return (await client.query({ query, format: 'JSONEachRow' })).json()
  })
  return Promise.all(each)
}

const open = (dataDir: string) => openMetadata(dataDir)

const weir = (words: readonly string[], dataDir: string) => command(words, { dataDir, openMetadata: open })

/** The output of a command that succeeds. */
async function done(words: readonly string[], dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await weir(words, dataDir)
  expect([code, code === 0 || stderr]).toEqual([0, true])
  return stdout.trim()
}

/**
 * Copies everything into a data folder, and expects the counts. Only the first command for a folder (`isFirst`) must
 * report the columns that only a newer Weir has.
 */
async function expectCopied(words: readonly string[], dataDir: string, isFirst: boolean): Promise<void> {
  const { code, stdout, stderr } = await weir(words, dataDir)
  const [, leftOut] = /^Left out, because only a newer version of Weir stores it: (.*)\.$/m.exec(stderr) ?? []
  expect([code, stdout.trim().split('\n').slice(-4)]).toEqual([leftOut ? 1 : 0, counts])
  if (isFirst) expect(leftOut).toBe('websites.later, ingest_session_data.later')
}

let before: unknown[]
/** The folder of one part of the events table. */
let part: string
let things: Thing[]

/**
 * Engines that stay open for the commands on their folders, because a start takes a second of processor time. In the
 * damaged folders, commands start their own.
 */
const engines: Partial<Record<'original' | 'filled' | 'stopped', ClickHouse>> = {}

/** Starts an engine that stays open until the next one with its name. */
async function keepOpen(name: keyof typeof engines, dataDir: string, start = startOwn): Promise<ClickHouseClient> {
  await engines[name]?.close()
  const engine = await start(dataDir)
  engines[name] = engine
  return engine.client
}

beforeAll(async () => {
  const client = await keepOpen('original', original, startMigrated)
  for (const query of statements) await client.command({ query })
  before = await content(client)
  const query = "SELECT min(path) AS path FROM system.parts WHERE active AND table = 'events'"
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ path: string }>()
  part = row!.path
  // A newer version has further columns.
  for (const table of ['session_data', 'ingest_session_data'])
    await client.command({ query: `ALTER TABLE ${table} ADD COLUMN later String DEFAULT 'x'` })
  const d1 = await open(original)
  await migrateMetadata(d1.metadata)
  const { websites, sessions, replays } = metadata(d1.metadata, 1)
  await websites.create({ id: websiteId, name: 'Kept', domain: 'x.example', ...ofOperator })
  await Promise.all([websites.reset(websiteId), sessions.delete(websiteId, newId()), replays.hide(websiteId, newId())])
  await d1.metadata.prepare("INSERT INTO salts (rotation, period, salt) VALUES ('month', 1, 'secret')").run()
  await d1.metadata.batch(
    [
      "INSERT INTO users VALUES ('u', 'ada', 'ada', 'x', 'user', 1, 1, NULL, 0)",
      "INSERT INTO sign_ins (id, user_id, created_at, expires_at) VALUES ('s', 'u', 1, 2)",
    ].map((statement) => d1.metadata.prepare(statement)),
  )
  things = await thingsIn(d1.metadata)
  await d1.metadata.prepare("ALTER TABLE websites ADD COLUMN later TEXT DEFAULT 'x'").run()
  await d1.close()
  for (const file of ['authSecret', 'adminKey'] as const) writeFileSync(places(original)[file], file, { mode: 0o600 })
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Expects everything from the first folder in this folder, and correct derived tables. */
async function expectAll(dataDir: string, client: ClickHouseClient, all = things): Promise<void> {
  expect(await content(client)).toEqual(before)
  for (const one of [besideEvents, ...oneOfEachKind(derivedTables)]) {
    expect([one.table, await check(client, one, { websiteIds: [] })]).toEqual([one.table, []])
  }
  const d1 = await open(dataDir)
  expect(await thingsIn(d1.metadata).finally(d1.close)).toEqual(all)
  expect(readFileSync(places(dataDir).authSecret, 'utf8')).toBe('authSecret')
  expect(statSync(places(dataDir).adminKey).mode & 0o777).toBe(0o600)
}

/** Kills a command and all of its processes as soon as `isTime` is true, unless the command has already ended. */
async function killed(words: readonly string[], isTime: () => boolean): Promise<void> {
  const { child, ended } = spawned('weir', words)
  while (!isTime() && child.exitCode === null) await pause(5)
  for (const pid of family(child.pid!).filter(isAlive)) process.kill(pid, 'SIGKILL')
  await ended
}

/** Becomes true at a random moment while a command runs. */
function sometime(): () => boolean {
  const at = performance.now() + 6000 * Math.random()
  return () => performance.now() > at
}

/** How many times each command runs, each time in a new folder. The first restore is not killed. */
const rounds = runs(1, 4)

/** Expects that a folder which a killed command has partly filled is not mistaken for a complete one. */
function expectNotMistaken(dataDir: string): void {
  const { broughtOver, imports } = places(dataDir)
  const isBegun = existsSync(imports) && readdirSync(imports).length > 0
  expect([dataDir, isBegun && !existsSync(broughtOver)]).toEqual([
    dataDir,
    halfFilled(dataDir) !== undefined && isBegun,
  ])
}

const counts = [
  'events: 2,000 there, 2,000 here',
  'session data: 3 there, 3 here',
  'parts of replays: 1 there, 1 here',
  'heatmap events: 2 there, 2 here',
]

/** The folder for backups, and the newest backup. */
const to = `${folder}/backups`
let made: string

/** A folder that a command has filled. */
let copied: string

describe('a backup', () => {
  const other = `${folder}/other`

  it('is a private folder; --keep counts complete backups up to now; only left-overs are deleted', async () => {
    for (let kills = 0; kills < runs(0, 4); kills++) {
      await killed(['backup', '--to', to, '--data-dir', original], sometime())
      const whole = (existsSync(to) ? readdirSync(to) : []).filter((name) => !name.endsWith('.part'))
      for (const name of whole) expect(openBackup(`${to}/${name}`).manifest.days).toHaveLength(5)
    }
    const days = ['2001-01-01', '2001-01-02.part', '2001-01-03.part', '2001-01-04.incomplete', '2001-01-05.incomplete']
    // The clock was ahead when the last one was made.
    const names = [...days, '2999-01-01'].map((name) => name.replace(/^[\d-]*/, (day) => `${day}T00-00-00`))
    for (const older of [...names, 'film.part']) mkdirSync(`${to}/${older}`, { recursive: true })
    // Another process still writes this one.
    const written = markWritten(`${to}/2001-01-03T00-00-00.part`)
    made = await done(['backup', '--to', to, '--keep', '1'], original)
    expect(made).toMatch(/^\/.*\/backups\/20[\dT-]{17}$/)
    const others = [...names.slice(2), 'film.part']
    expect(readdirSync(to).sort()).toEqual([...others, made.slice(to.length + 1)].sort())
    expect(readdirSync(made)).not.toContain('being-written')
    written()
    for (const other of others) rmSync(`${to}/${other}`, { recursive: true })
    expect(statSync(to).mode & 0o777).toBe(0o700)
  })

  /** Each `npm test` run fills folders with one of these commands. */
  const fills: Readonly<Record<string, () => Promise<void>>> = {
    async 'restore fills a new folder, also a second time and after kills'() {
      const fresh = `${folder}/fresh`
      await killed(['restore', '--from', made, '--data-dir', fresh], () => existsSync(places(fresh).clickhouse))
      expect(halfFilled(fresh)).toBe(`restore --from ${made}`)
      const saved = things.filter(({ table }) => !['salts', 'sign_ins'].includes(table))
      expect(saved).toHaveLength(things.length - 2)
      for (let round = 0; round < rounds; round++) {
        const copy = `${folder}/restored-${round}`
        await putTables(copy)
        for (let kills = 0; kills < Math.min(2, round); kills++) {
          await killed(['restore', '--from', made, '--data-dir', copy], sometime())
          expectNotMistaken(copy)
        }
        const client = await keepOpen('filled', copy)
        await expectCopied(['restore', '--from', made], copy, round === 0)
        await expectAll(copy, client, saved)
        expect((await done(['restore', '--from', made], copy)).split('\n')).toEqual(counts)
        copied = copy
      }
    },

    async 'upgrade copies everything once, even after kills, and prints the counts'() {
      for (let round = 0; round < rounds; round++) {
        const dataDir = `${folder}/updated-${round}`
        await putTables(dataDir)
        const { imports } = places(dataDir)
        const words = ['upgrade', '--from', original, '--data-dir', dataDir]
        const files = () => (existsSync(imports) ? readdirSync(imports) : [])
        const lines = () =>
          files().includes('from-original') ? readFileSync(`${imports}/from-original`, 'utf8').split('\n').length : 0
        const moments = [() => lines() > 2, () => files().some((name) => name.endsWith('.batch')), sometime()]
        for (const moment of moments.slice(0, runs(1, 3))) {
          await killed(words, moment)
          expectNotMistaken(dataDir)
        }
        const client = await keepOpen('filled', dataDir)
        await expectCopied(['upgrade', '--from', original], dataDir, false)
        await expectAll(dataDir, client)
        copied = dataDir
      }
    },
  }

  it.each(inTurn(Object.entries(fills), seed, 2))('%s', (_, isRight) => isRight())

  it('is refused if it is damaged or incomplete', async () => {
    const day = readdirSync(made).find((name) => name.startsWith('events-'))!
    truncateSync(`${made}/${day}`, 5000)
    await putTables(other)
    const damaged = await weir(['restore', '--from', made], other)
    const sentence = `/${day} is damaged (unexpected end of file). Restore another backup, or another copy of this one`
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining(sentence)])
    rmSync(`${made}/backup.json`)
    const partial = await weir(['restore', '--from', made], other)
    expect([partial.code, partial.stderr]).toEqual([1, expect.stringContaining('contains no complete Weir backup')])
  })
})

describe('an upgrade', () => {
  afterAll(async () => {
    for (const { close } of Object.values(engines)) await close()
  })

  it('is not complete if Weir ran there when it was read, even if it has stopped since', async () => {
    const dataDir = `${folder}/stopped`
    await putTables(dataDir)
    await keepOpen('stopped', dataDir)
    const { sharedMetadata } = places(copied)
    /** Weir finishes starting as D1 is opened, changes D1 once more after it was read, and stops. */
    const stopping: typeof open = async (of) => {
      if (of !== copied) return open(of)
      const { metadata, close } = await openAlone(of)
      writeSharedMetadata(sharedMetadata, inject('running').metadata)
      const stop = async () => {
        await metadata.prepare("INSERT INTO salts (rotation, period, salt) VALUES ('day', 1, 'later')").run()
        await metadata.prepare('DELETE FROM deleted_sessions').run()
        await close()
        rmSync(sharedMetadata)
      }
      return { metadata, close: stop }
    }
    const first = await command(['upgrade', '--from', copied], { dataDir, openMetadata: stopping })
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining('Once it has stopped, run this again')])
    await done(['upgrade', '--from', copied], dataDir)
    const { metadata, close } = await open(dataDir)
    const changed =
      "SELECT salt, (SELECT count(*) FROM deleted_sessions) AS deletions FROM salts WHERE rotation = 'day'"
    expect(await metadata.prepare(changed).first().finally(close)).toEqual({ salt: 'later', deletions: 0 })
  })

  it('refuses a target with different data, and a source that is not another data folder', async () => {
    const full = await weir(['upgrade', '--from', copied], original)
    expect([full.code, full.stderr]).toEqual([
      2,
      `${original} already contains another Weir. Choose a new folder with --data-dir.\n`,
    ])
    for (const from of [copied, `${folder}/nothing`]) {
      const { code, stderr } = await weir(['upgrade', '--from', from], copied)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--from ${from} is not another data folder.`)])
    }
  })

  it('is recommended for a folder of another version, which the message names', async () => {
    const d1 = await open(copied)
    onTestFinished(d1.close)
    await d1.metadata.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_other.sql')").run()
    const refused = async () => (await command(['user', 'list'], { dataDir: copied, database: d1.metadata })).stderr
    expect(await refused()).toContain(`Weir ${thisVersion().replace(/ (.*)/, ' (commit $1)')} ran there last. `)
    // A full disk leaves an empty file.
    writeFileSync(places(copied).version, '')
    expect(await refused()).toMatch(
      /9999_other\.sql differs\)\. .* upgrade --from THIS .*The version that created it did not record its name\.$/m,
    )
    writeFileSync(places(copied).version, '0.0.9 abcdef012345')
    expect(await refused()).toMatch(
      /Weir 0\.0\.9 \(commit abcdef012345\) ran there last\. To get it: git worktree add \S+ abc/,
    )
  })
})

describe('a damaged folder', () => {
  const d1In = (dataDir: string): string => {
    const names = readdirSync(places(dataDir).metadata, { recursive: true, encoding: 'utf8' })
    return `${places(dataDir).metadata}/${names.find((name) => /[\da-f]{64}\.sqlite$/.test(name))}`
  }
  const definitionIn = (dataDir: string) => `${places(dataDir).clickhouse}/clickhouse/metadata/weir/events.sql`

  function copy(name: string, harm: (dataDir: string) => void): string {
    const dataDir = `${folder}/${name.replaceAll(' ', '-')}`
    cpSync(original, dataDir, { recursive: true, verbatimSymlinks: true })
    harm(dataDir)
    return dataDir
  }

  /** Expects that a command refuses this folder. `place` chooses the command, in turn. */
  async function expectRefused(dataDir: string, sentence: string, place: number): Promise<void> {
    const saved = readdirSync(to)
    const target = `${dataDir}-updated`
    const commands = [
      [['backup', '--to', to, '--keep', '1'], dataDir],
      [['upgrade', '--from', dataDir], target],
    ] as const
    for (const [words, on] of inTurn(commands, place + seed, 2)) {
      const { code, stdout, stderr } = await weir(words, on)
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)])
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    expect([readdirSync(to), existsSync(target)]).toEqual([saved, false])
  }

  it.each<[string, (dataDir: string) => void, string]>([
    [
      'without ClickHouse',
      (dir) => rmSync(places(dir).clickhouse, { recursive: true }),
      'has no Weir database. Restore it from a copy of the data folder',
    ],
    ['without a table', (dir) => rmSync(definitionIn(dir)), 'ClickHouse lacks events: the file that defines'],
    [
      'that is half filled',
      (dir) => writeFileSync(places(dir).beingFilled, 'upgrade --from /old'),
      'is not whole yet. Run this to its end: npm run weir -- upgrade --from /old --data-dir ',
    ],
  ])('%s is neither backed up nor upgraded; one sentence says what to do', async (name, harm, sentence) => {
    await expectRefused(copy(name, harm), sentence, name.length)
  })

  it('without a readable D1 is neither backed up nor upgraded; one sentence says what to do', async () => {
    const dataDir = copy('without a readable D1', () => {})
    // All commands use this engine.
    const { close } = await startClickHouse(dataDir, 0)
    onTestFinished(close)
    const harms: readonly (readonly [(file: string) => void, sentence: string])[] = [
      [(file) => rmSync(file), 'has no D1 file, or an empty one. Restore it'],
      [(file) => truncateSync(file, 0), 'has no D1 file, or an empty one. Restore it'],
      [(file) => rmSync(`${file}-wal`), '.sqlite is damaged (it has no tables). Stop Weir'],
    ]
    for (const [place, [harm, sentence]] of harms.entries()) {
      rmSync(places(dataDir).metadata, { recursive: true })
      cpSync(places(original).metadata, places(dataDir).metadata, { recursive: true })
      harm(d1In(dataDir))
      await expectRefused(dataDir, sentence, place)
    }
  })

  it('is backed up, with a note on each lost part and change, and replaces no other backup', async () => {
    const dataDir = copy('broken', (dir) => {
      overwrite(`${d1In(dir)}-wal`, statSync(`${d1In(dir)}-wal`).size - 100)
      const own = part.replace(original, dir)
      for (const file of readdirSync(own))
        if (/^(data|columns|primary|checksums)/.test(file)) truncateSync(`${own}/${file}`, 3)
    })
    const saved = readdirSync(to)
    mkdirSync(`${to}/2001-01-01T00-00-00.incomplete`)
    const { code, stdout, stderr } = await weir(['backup', '--to', to, '--keep', '1'], dataDir)
    expect(code).toBe(1)
    expect(readdirSync(to)).toEqual([...saved, expect.stringMatching(/^[\dT-]+\.incomplete$/)])
    expect(stdout).toBe(`${to}/${readdirSync(to).at(-1)}\n`)
    expect(stderr).toMatch(
      /^events: part \S+ is set aside \(broken.*\), and its rows are missing\. docs\/operations\.md /m,
    )
    expect(stderr).toMatch(/^The D1 file \S+ lost its last [1-9]\d* writes: its -wal is damaged\. /m)
    expect(stderr).toContain('This backup is incomplete, as stated above, so all complete ones stay.')
  })

  it('does not start if it is only half filled', async () => {
    const dataDir = `${folder}/half`
    mkdirSync(dataDir)
    writeFileSync(places(dataDir).beingFilled, 'restore --from /backup')
    const { code, stderr } = await spawned('start', ['--data-dir', dataDir, '--no-demo']).ended
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      `${dataDir} is not whole yet. Run this to its end: npm run weir -- restore --from /backup --data-dir ${dataDir}`,
    ])
  })
})

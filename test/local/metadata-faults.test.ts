import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { places } from '../../src/local/paths.ts'
import { type ClickHouse, urlOf } from '../../src/local/storage/clickhouse.ts'
import { metadataFaults } from '../../src/local/storage/metadata-faults.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { weir as command } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { startMigrated } from '../support/own-engine.ts'
import { spawned } from '../support/process.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** A separate ClickHouse, because two checks of the same database refuse to run concurrently. */
let clickhouse: ClickHouse

const folders: string[] = []

beforeAll(async () => {
  folders.push(mkdtempSync(`${tmpdir()}/weir-faults-`))
  clickhouse = await startMigrated(folders[0]!)
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/weir-d1-`)
  folders.push(folder)
})
afterAll(async () => {
  await clickhouse.close()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** Expects that the check finds nothing wrong and leaves no files behind. */
async function expectIntact(metadata: D1Database): Promise<void> {
  expect(await metadataFaults(metadata, places(folder).metadata)).toEqual([])
  const { results } = await metadata.prepare("SELECT name FROM sqlite_schema WHERE name = 'weir_probe'").all()
  expect(results).toEqual([])
}

/** Creates the folder's D1 with this many extra pages of 4 KiB. */
async function made(pages: number): Promise<void> {
  const { metadata, close } = await openMetadata(folder)
  await migrateMetadata(metadata)
  await expectIntact(metadata)
  await metadata.prepare('CREATE TABLE filled (page TEXT)').run()
  await metadata
    .prepare("INSERT INTO filled SELECT '' FROM json_each(?1)")
    .bind(JSON.stringify(Array(pages)))
    .run()
  await metadata.prepare('UPDATE filled SET page = hex(zeroblob(3000))').run()
  await close()
}

/** The folder's D1 file. */
function fileOfD1(): string {
  const within = places(folder).metadata
  const files = readdirSync(within, { recursive: true, encoding: 'utf8' }).map((name) => `${within}/${name}`)
  const [file] = files.filter((name) => name.endsWith('.sqlite')).sort((a, b) => statSync(b).size - statSync(a).size)
  return file!
}

/** Overwrites some of the file's bytes. */
function overwrite(from: number, length: number): void {
  const opened = openSync(fileOfD1(), 'r+')
  writeSync(opened, Buffer.alloc(length, 0xab), 0, length, from)
  closeSync(opened)
}

/** Overwrites pages in the middle of the D1 file. */
function damage(): void {
  const page = 4096
  const middle = Math.floor(statSync(fileOfD1()).size / 2 / page) * page
  expect(middle).toBeGreaterThan(100 * page)
  overwrite(middle, 4 * page)
}

/** A script that replaces workerd. */
function program(...lines: string[]): string {
  const script = `${folder}/workerd`
  writeFileSync(script, `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(script, 0o755)
  return script
}

/** A workerd that can only write files up to 64 KiB. It ends as if the disk were full, because D1's log is longer. */
const onSmallDisk = (): string => program("trap '' XFSZ", 'ulimit -f 128', `exec '${process.env.WEIR_WORKERD}' "$@"`)

/** Makes this process start a different workerd until the test ends. */
function use(workerd: string): void {
  const before = process.env.WEIR_WORKERD
  process.env.WEIR_WORKERD = workerd
  onTestFinished(() => {
    process.env.WEIR_WORKERD = before
  })
}

/** Runs `check` on the folder. */
async function check(): Promise<{ code: number; stdout: string; stderr: string }> {
  const around = { dataDir: folder, env: { CLICKHOUSE_URL: urlOf(clickhouse.server) }, openMetadata }
  return command(['check', '--website', newId()], around)
}

/** Starts with the same ClickHouse, because starting an engine would test nothing about D1. */
const start = (env: NodeJS.ProcessEnv = process.env) =>
  spawned('start', ['--json', '--port', '0', '--data-dir', folder, '--no-demo'], {
    ...env,
    CLICKHOUSE_URL: urlOf(clickhouse.server),
  })

const damaged =
  /^The D1 file \/.+[\da-f]{64}\.sqlite is damaged \(.+\)\. Stop Weir and put the file back from a backup\. .+$/
const full = /^The D1 file \/.+[\da-f]{64}\.sqlite cannot be written, the disk may be full \(.+\)\. Make room .+$/

describe('a D1 file', () => {
  /** Each `npm test` run uses a different selection of cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'has no faults if it is intact; check and start identify it if its middle is damaged'() {
      await made(1500)
      expect(await check()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('D1'), stderr: '' })
      damage()
      const { code, stdout, stderr } = await check()
      expect([code, stderr]).toEqual([1, ''])
      expect(stdout.split('\n')[0]).toMatch(damaged)
      expect(stdout.split('\n').slice(1).join('\n')).toMatch(/^custom_events: agrees with its sources\n/)

      const script = start()
      await script.firstLine
      expect(await check()).toMatchObject({ code: 1, stdout })
      script.child.kill('SIGTERM')
      const told = (await script.ended).stderr.trim().split('\n')
      expect(told.filter((line) => line.includes('D1 file'))).toEqual([expect.stringMatching(damaged)])
    },

    async 'with a damaged header is reported, with the fix, by start, check and every command that needs it'() {
      await made(10)
      overwrite(0, 100)
      // SQLite would read the header from these files.
      for (const ending of ['-wal', '-shm']) rmSync(fileOfD1() + ending, { force: true })
      const told = (text: string) => text.split('\n').filter((line) => line.includes('D1 file'))
      const names = new Set<string | null>()
      const watcher = watch(folder, (_, name) => names.add(name))
      onTestFinished(() => watcher.close())
      const script = start()
      const { code, stdout } = await check()
      expect([code, told(stdout)]).toEqual([1, [expect.stringMatching(damaged)]])
      const listed = await command(['user', 'list'], { dataDir: folder, openMetadata })
      expect([listed.code, told(listed.stderr)]).toEqual([1, [expect.stringMatching(damaged)]])
      const ended = await script.ended
      expect([ended.code, told(ended.stderr)]).toEqual([1, [expect.stringMatching(damaged)]])
      expect(told(ended.stderr)[0]).toContain(fileOfD1())
      // A command using this process's Worker would have lost it.
      expect([names.has('metadata-lock'), names.has('shared-metadata')]).toEqual([true, false])
    },

    async 'is named by check and start if the disk is full, and by check if workerd does not start'() {
      await made(10)
      const workerd = onSmallDisk()
      const script = start({ ...process.env, WEIR_WORKERD: '', MINIFLARE_WORKERD_PATH: workerd })
      use(workerd)
      const { code, stdout } = await check()
      expect(code).toBe(1)
      expect(stdout.split('\n')[0]).toMatch(full)
      expect(stdout.match(/D1 file/g)).toHaveLength(1)
      const ended = await script.ended
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      const told = ended.stderr.split('\n').filter((line) => line.includes('D1 file'))
      expect(told).toEqual([expect.stringMatching(full)])

      // This workerd only reads its input and exits.
      use(program('cat > /dev/null', 'exit 1'))
      const atOnce = await check()
      expect([atOnce.code, atOnce.stdout.split('\n')[0]]).toEqual([
        1,
        `workerd does not start. A D1 file in ${places(folder).metadata} may be damaged, or its disk full.`,
      ])
    },
  }

  it.each(inTurn(Object.entries(cases), seed, 3))('%s', (_, isRight) => isRight())
})

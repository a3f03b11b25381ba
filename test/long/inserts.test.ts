import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineFile } from '../../src/local/engine/process.ts'
import { places, root } from '../../src/local/paths.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { startClickHouse, urlOf } from '../../src/local/storage/clickhouse.ts'
import { comparedTables } from '../../src/local/storage/derived.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'

/**
 * Sends inserts as the README prints them, each repeated with its token until it succeeds. Meanwhile, at random
 * moments and also during merges, the engine is killed and its disk is full. The disk is a separate `tmpfs`, which
 * only root may mount. The engine exits when its disk is full (`src/local/engine/full-disk.ts`), and the test
 * restarts it, as `npm start` does.
 */

const rounds = 30
const writers = 3
const rowsOfInsert = 150

const dataDir = mkdtempSync(`${tmpdir()}/weir-inserts-`)
const filler = `${dataDir}/filler`
let clickhouse: ClickHouse

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', dataDir])
  clickhouse = await startClickHouse(dataDir, 0)
  await migrateEvents(clickhouse.client, clickhouse.server)
  keep()
})

afterAll(async () => {
  await clickhouse.close().catch(() => {})
  execFileSync('umount', ['--lazy', dataDir])
  rmSync(dataDir, { recursive: true, force: true })
})

const everything = { websiteIds: [] }

const website = randomUUID()

/** The address and the row in the README's example. */
const [, address, row] = /curl "\$CLICKHOUSE([^"]*)" -d '(.*?)'\n```/s.exec(readFileSync(`${root}/README.md`, 'utf8'))!

/** A copy of the example row with its own values. Every second row is in the previous month. */
function filledIn(index: number): string {
  const time = new Date(Date.UTC(2025, 1 - (index % 2), 1 + (index % 28), 10, 0, index % 60))
  return row!
    .replace(`'"$WEBSITE"'`, website)
    .replace(`'"$TOKEN"'`, randomUUID())
    .replace(`'"$NOW"'`, time.toISOString().replace('T', ' ').slice(0, 19))
    .replaceAll('\n', ' ')
}

const problems = new Map<string, number>()
let acknowledged = 0
let isOver = false

/** Sends an insert repeatedly until it succeeds. */
async function send(): Promise<void> {
  const body = Array.from({ length: rowsOfInsert }, (_, index) => filledIn(index)).join('\n')
  const token = randomUUID()
  for (;;) {
    const problem = await fetch(`${urlOf(clickhouse.server)}${address!.replace('$TOKEN', token)}`, {
      method: 'POST',
      body,
    })
      .then(async (answer) =>
        answer.ok ? '' : ((await answer.text()).match(/\((\w+)\) \(version/)?.[1] ?? 'no answer'),
      )
      .catch(() => 'no connection')
    if (problem === '') break
    problems.set(problem, (problems.get(problem) ?? 0) + 1)
    await pause(20)
  }
  acknowledged += rowsOfInsert
}

async function write(): Promise<void> {
  while (!isOver) await send()
}

/** Fills the disk until this many bytes are free. */
function fill(left: number): void {
  const file = openSync(filler, 'a')
  const { bavail, bsize } = statfsSync(dataDir)
  const mega = Buffer.alloc(1 << 20)
  for (let bytes = bavail * bsize - left; bytes > 0; bytes -= mega.length) {
    try {
      writeSync(file, mega, 0, Math.min(bytes, mega.length))
    } catch {
      break
    }
  }
  closeSync(file)
}

/** Fills the disk briefly. */
async function takeDisk(): Promise<void> {
  fill(random(2_000_000))
  await pause(60 + random(400))
}

const free = () => rmSync(filler, { force: true })

/** Restarts the engine whenever it ends, as soon as there is room on the disk. */
function keep(): void {
  void clickhouse.ended.then(() => {
    starting = again()
  })
}

async function again(): Promise<void> {
  await clickhouse.close().catch(() => {})
  for (;;) {
    try {
      clickhouse = await startClickHouse(dataDir, 0)
      return keep()
    } catch (error) {
      if (!String(error).includes('is full')) throw error
      await pause(100)
    }
  }
}

let starting = Promise.resolve()

/** Kills the engine if it is running. */
function kill(): void {
  const file = engineFile(places(dataDir).clickhouse)
  const { pid } = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}') as { pid?: number }
  try {
    if (pid) process.kill(pid, 'SIGKILL')
  } catch {
    // The engine has already ended, because the disk was full.
  }
}

async function shortDisk(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    await takeDisk()
    free()
    await pause(random(100))
  }
}

/** Leaves enough space for the engine, but too little for inserts, until an insert is refused. */
async function scarceDisk(): Promise<void> {
  const refused = () => problems.get('NOT_ENOUGH_SPACE') ?? 0
  const before = refused()
  fill(90_000_000)
  while (refused() === before) await pause(20)
  free()
}

const random = (most: number): number => Math.floor(Math.random() * most)

const faults: readonly (readonly [string, () => Promise<void>])[] = [
  ['a kill', async () => kill()],
  ['a full disk', shortDisk],
  ['a disk with less space than the engine keeps free', scarceDisk],
  ['a kill while the disk is full', () => takeDisk().then(kill).then(free)],
]

const stored = async (): Promise<unknown> => {
  const result = await clickhouse.client.query({
    query: `SELECT toUInt32(count()) AS events, toUInt32(uniqExact(event_id)) AS ids,
        (SELECT toUInt32(sum(events)) FROM daily_events) AS counted, (SELECT toUInt32(count()) FROM event_data) AS properties
      FROM events`,
    format: 'JSONEachRow',
  })
  return (await result.json())[0]
}

async function expectClean(name: string): Promise<void> {
  const events = acknowledged
  expect([name, await stored()]).toEqual([name, { events, ids: events, counted: events, properties: events }])
  for (const one of comparedTables) {
    expect([name, one.table, await check(clickhouse.client, one, everything)]).toEqual([name, one.table, []])
  }
}

describe('the README’s inserts, repeated with their token', () => {
  it(`count exactly once in every table despite ${rounds} kills and full disks`, async () => {
    for (let round = 0; round < rounds; round++) {
      isOver = false
      const writing = Array.from({ length: writers }, write)
      await pause(200 + random(600))
      const [what, fault] = faults[round % faults.length]!
      await fault()
      await pause(random(300))
      isOver = true
      await Promise.all(writing)
      await starting
      await expectClean(`round ${round}: ${what}`)
    }
    console.log(`${acknowledged} events; failed attempts: ${JSON.stringify([...problems])}`)
    expect([...problems.keys()]).toEqual(expect.arrayContaining(['NOT_ENOUGH_SPACE', 'no connection']))
  })
})

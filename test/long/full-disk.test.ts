import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { until } from '../collect/world.ts'
import { weir as command } from '../support/commands.ts'
import { expectOnce, nothingTold, sendAgain, sendOn, startOn } from './sending.ts'

/** The disk for `npm start`, a `tmpfs`, which only root may mount. */
const disk = mkdtempSync('/tmp/weir-full-')
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500m', 'tmpfs', disk])
const [dataDir, ballast] = [`${disk}/data`, `${disk}/ballast`]

afterAll(() => {
  execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Fills the disk until this many bytes are free. */
function fill(left: number): void {
  while (freeBytes() > left) appendFileSync(ballast, Buffer.alloc(Math.min(freeBytes() - left, 10_000_000)))
}

/** Free bytes at which ClickHouse refuses inserts, at which its engine ends, and at which the log is full. */
const levels = [90_000_000, 20_000_000, 0]

it('a disk that is repeatedly full loses and duplicates nothing, and is reported', async () => {
  mkdirSync(dataDir)
  writeFileSync(ballast, '')
  const weir = await startOn(dataDir)
  let stderr = ''
  weir.script.child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const told = nothingTold()
  let isOver = false
  const sending = Array.from({ length: 4 }, () => sendOn(weir, () => isOver, told))
  for (const level of [...levels, ...levels]) {
    const had = told.acknowledged.length
    await until(async () => told.acknowledged.length > had + 100 || undefined)
    fill(level)
    await pause(10_000)
    truncateSync(ballast)
  }
  const had = told.acknowledged.length
  await until(async () => told.acknowledged.length > had + 100 || undefined)
  isOver = true
  await Promise.all(sending)
  await sendAgain(weir, told)
  await expectOnce(weir, told)
  expect(stderr).toContain('The disk is full. ClickHouse starts again once there is room.')
  expect((await command(['check'], { dataDir, env: process.env, openMetadata })).code).toBe(0)
  console.log(`${told.acknowledged.length} events, all once; ${told.unheard.length} got a 503 or no answer`)
  await weir.stop()
})

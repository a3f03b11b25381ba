import { execFileSync } from 'node:child_process'
import { mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { emptyDirectory } from '../local/engine.ts'
import { expectOnce, nothingTold, sendOn, startOn } from './sending.ts'

/** Changes the clocks of `npm start`'s processes with a library that a C compiler builds. */
const folder = emptyDirectory()
const steps = `${folder}/steps`
mkdirSync(steps)
const library = `${steps}/stepped.so`
const source = fileURLToPath(new URL('stepped.c', import.meta.url))
execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source])
const files = Object.fromEntries(['workerd', 'others'].map((name) => [name, openSync(`${steps}/${name}`, 'w+')]))

/** Sets these processes' clocks ahead by this many seconds. */
function step(names: readonly string[], seconds: number): void {
  const offset = Buffer.alloc(8)
  offset.writeBigInt64LE(BigInt(seconds))
  for (const name of names) writeSync(files[name]!, offset, 0, 8, 0)
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hour = 3600
const rounds = 12

it.each([
  ['the Worker', ['workerd'], 20 * hour],
  ['the machine', ['workerd', 'others'], 48 * hour],
] as const)('all senders and flushes continue after clock steps of %s', async (name, processes, most) => {
  step(['workerd', 'others'], 0)
  const weir = await startOn(`${folder}/${name.replaceAll(' ', '-')}`, { LD_PRELOAD: library, STEPS: steps })
  const told = nothingTold()
  let isOver = false
  const sending = Array.from({ length: 4 }, () => sendOn(weir, () => isOver, told))
  for (let round = 0; round < rounds; round++) {
    await pause(5000)
    step(processes, Math.round(Math.random() * (most + 48 * hour)) - 48 * hour)
  }
  await pause(5000)
  isOver = true
  await Promise.all(sending)
  await expectOnce(weir, told)
  const refused = `${told.unheard.length} got a 503; slowest answer ${Math.round(told.slowest)} ms`
  console.log(`${told.acknowledged.length} events, all once; ${refused}`)
  expect(told.unanswered).toBe(0)
  await weir.stop()
})

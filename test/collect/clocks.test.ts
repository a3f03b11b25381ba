import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../support/long.ts'
import { ask, emptied, faults, notOnce, type Sent, sent, setAhead, setAside } from './senders.ts'
import { until, type World, world } from './world.ts'

/** Tests jumps of the clock on the Worker's machine while events arrive, as in a virtual machine that wakes up. */

let weir: World
beforeAll(async () => {
  weir = await world('faulty.ts')
})
afterAll(() => weir?.close())

const hour = 3_600_000
const day = 24 * hour

it('after random clock changes under load, every sender is answered, and every event is stored once', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const log = randomUUID()
  const all: Sent[] = []
  let isOver = false
  const sendOn = async () => {
    while (!isOver) {
      const event = sent(website)
      const answer = await ask(weir, log, [event])
      expect(answer?.status).toBe(200)
      all.push(event)
      await pause(40 * Math.random())
    }
  }
  const senders = Promise.all(Array.from({ length: 2 }, sendOn))
  const steps = [-hour, 0, ...Array.from({ length: runs(3, 200) }, () => (Math.random() - 0.5) * 2 * day), 0]
  for (const step of steps.map((one) => Math.min(one, 20 * hour))) {
    await setAhead(weir, Math.round(step))
    const count = all.length
    await until(async () => all.length > count + 10 || undefined)
    const taken = [...all]
    await until(async () => (await notOnce(weir, taken)).length === 0 || undefined)
  }
  // A repeated event is recognised regardless of the clock.
  await setAhead(weir, 19 * hour)
  await ask(weir, log, all.slice(-100))
  isOver = true
  await senders
  all.push(sent(website))
  await ask(weir, log, all.slice(-1))
  await until(async () => (await notOnce(weir, all)).length === 0 || undefined).catch(() => {})
  expect({ wrong: await notOnce(weir, all), log: await faults(weir, log) }).toMatchObject({ wrong: [] })
})

it('events received while the clock is two days ahead keep that time after the clock is corrected', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const [log, early] = [randomUUID(), [sent(website), sent(website, {}, 'identify'), sent(website)]]
  await setAhead(weir, 47 * hour)
  await ask(weir, log, early)
  await until(async () => (await faults(weir, log)).state?.failure)
  await setAhead(weir, 0)
  const event = sent(website)
  await ask(weir, log, [event])
  await emptied(weir, log)
  expect(await notOnce(weir, [...early, event])).toEqual([])
  expect(await setAside(weir)).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../support/long.ts'
import { ask, emptied, faults, noted, notOnce, type Sent, sendUntilTaken, sent, setAhead, setAside } from './senders.ts'
import { until, type World, world } from './world.ts'

/** Tests jumps of the clock on the Worker's machine while events arrive, as in a virtual machine that wakes up. */

let weir: World
beforeAll(async () => {
  weir = await world('faulty.ts')
})
afterAll(() => weir?.close())

const hour = 3_600_000
const day = 24 * hour

/** Waits until these events are stored exactly once, and says what is wrong if they are not. */
async function storedOnce(log: string, events: readonly Sent[]): Promise<void> {
  await until(async () => (await notOnce(weir, events)).length === 0 || undefined, 0.75).catch(() => {})
  expect(await notOnce(weir, events), JSON.stringify((await faults(weir, log)).state)).toEqual([])
}

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
  try {
    for (const step of steps.map((one) => Math.min(one, 20 * hour))) {
      await setAhead(weir, Math.round(step))
      const count = all.length
      await until(async () => all.length > count + 10 || undefined)
      await storedOnce(log, [...all])
    }
    // A repeated event is recognised regardless of the clock.
    await setAhead(weir, 19 * hour)
    await sendUntilTaken(weir, log, all.slice(-100))
  } finally {
    isOver = true
    await senders
  }
  // Once ClickHouse has the last event, it also has everything before it.
  all.push(sent(website))
  await sendUntilTaken(weir, log, all.slice(-1))
  await storedOnce(log, all)
})

it('an event is recognised after a change of the clock while its log was idle', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const [log, event] = [randomUUID(), sent(website)]
  await setAhead(weir, 0)
  await sendUntilTaken(weir, log, [event])
  await noted(weir, log)
  await setAhead(weir, 19 * hour)
  await sendUntilTaken(weir, log, [event])
  await sendUntilTaken(weir, log, [sent(website)])
  await emptied(weir, log)
  await storedOnce(log, [event])
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

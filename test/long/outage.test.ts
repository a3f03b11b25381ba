import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ask, notOnce, type Sent, sent } from '../collect/senders.ts'
import { until, world } from '../collect/world.ts'

/** How many seconds events are sent, one per website and second. ClickHouse is down for some of that time. */
const seconds = 320
const goneFrom = 10
const goneFor = 300

it('all events of 300 websites are stored exactly once, although ClickHouse is down for five minutes', async () => {
  const weir = await world(undefined, { COLLECT_LOGS: '2' })
  const websites = await weir.websites(300)
  const taken: Sent[] = []
  const refused: unknown[] = []
  let lost = 0
  const began = Date.now()
  const due = (second: number, index: number) => pause(began + 1000 * (second + index / websites.length) - Date.now())
  const sending = websites.map(async (website, index) => {
    for (let second = 0; second < seconds; second++) {
      await due(second, index)
      const event = sent(website, { data: { price: 1 } }, second % 10 === 9 ? 'identify' : 'event')
      const answer = await ask(weir, undefined, [event])
      if (answer?.status === 200) taken.push(event)
      else refused.push([second, answer?.status, await answer?.text()])
    }
  })
  await due(goneFrom, 0)
  weir.behave(async (_, response) => {
    lost++
    response.destroy()
  })
  await due(goneFrom + goneFor, 0)
  const takenMeanwhile = taken.length
  weir.behave(undefined)
  await Promise.all(sending)
  expect(refused).toEqual([])
  await until(async () => (await notOnce(weir, taken)).length === 0 || undefined, 3)
  console.log(
    `${taken.length} events, ${takenMeanwhile} by the end of the outage; ${lost} requests to ClickHouse failed`,
  )
  expect(lost).toBeGreaterThan(2)
  expect(await notOnce(weir, taken)).toEqual([])
  expect(await weir.differences()).toEqual([])
  await weir.close()
})

import { describe, expect, it } from 'vitest'
import { openPlaces } from '../../src/local/engine/places.ts'
import { runs } from '../support/long.ts'
import { useTestEngine } from './engine.ts'

const sessions = 4
const engine = useTestEngine({ sessions })

/** Waits until exactly `count` queries in addition to this one are running. */
async function untilRunning(count: number): Promise<void> {
  const sql = "SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%'"
  while ((await engine.run(sql)) !== `${count}`);
}

describe('queries', () => {
  it('run in parallel', async () => {
    const gone = new AbortController()
    const sql = 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1'
    const others = Array.from({ length: sessions - 1 }, () => engine.send({}, { body: sql, signal: gone.signal }))
    const settled = Promise.allSettled(others)
    await untilRunning(sessions - 1)
    gone.abort()
    await settled
  })

  it('return the right results to many concurrent clients', async () => {
    const ask = async (value: number) => {
      const response = await engine.send(
        { param_v: String(value), max_threads: String(1 + (value % 3)) },
        { body: "SELECT {v:UInt32}, getSetting('max_threads')" },
      )
      return (await response.text()) === `${value}\t${1 + (value % 3)}\n`
    }
    const answers = await Promise.all(Array.from({ length: runs(50, 300) }, (_, value) => ask(value)))
    expect(answers.every((isRight) => isRight)).toBe(true)
  })

  it.each([
    ['a long scan', 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1'],
    [
      'a buffered result',
      'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1 FORMAT JSON',
    ],
    ['a sleep', 'SELECT sleepEachRow(2.9) FROM numbers(1000) SETTINGS max_block_size = 1'],
    ['an insert', "INSERT INTO FUNCTION null('a UInt64') SELECT rand() FROM numbers(1000000000000)"],
    ['a stream nobody reads', 'SELECT rand64() FROM numbers(100000000000)'],
  ])('free their slots when their clients disconnect: %s', async (_, sql) => {
    for (let round = 0; round < runs(1, 2); round++) {
      const gone = new AbortController()
      const send = () => engine.send({}, { body: sql, signal: gone.signal })
      const first = Array.from({ length: sessions - 1 }, send)
      await untilRunning(sessions - 1)
      const slow = [...first, ...Array.from({ length: 4 }, send)]
      // No slot is free, so this query is only answered because the others disconnect.
      const next = engine.run('SELECT 42')
      gone.abort()
      await Promise.allSettled(slow)
      expect(await next).toBe('42')
    }
    await untilRunning(0)
  })

  it('stop after max_execution_time', async () => {
    const sql = 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1'
    const failure = await engine.failure(sql, { max_execution_time: '0.3' })
    expect(failure).toMatchObject({ status: 408, code: 159 })
  })
})

describe('slots', () => {
  const never = new AbortController().signal

  it('are assigned first come, first served', async () => {
    const places = openPlaces(1)
    const order: number[] = []
    const release = await places.take(never)
    const asked = [1, 2, 3].map(async (number) => {
      const leave = await places.take(never)
      order.push(number)
      leave()
    })
    release()
    await Promise.all(asked)
    expect(order).toEqual([1, 2, 3])
  })

  it('are not assigned to clients that have left', async () => {
    const places = openPlaces(1)
    const release = await places.take(never)
    const gone = new AbortController()
    const left = places.take(gone.signal)
    const stays = places.take(never)
    gone.abort()
    await expect(left).rejects.toMatchObject({ code: 394 })
    release()
    release()
    await expect(stays).resolves.toBeTypeOf('function')
    await expect(places.take(gone.signal)).rejects.toMatchObject({ code: 394 })
  })

  it('are refused to more than 1,000 queries', async () => {
    const places = openPlaces(10)
    const taken = Array.from({ length: 1000 }, () => places.take(never))
    await expect(places.take(never)).rejects.toMatchObject({ code: 202 })
    await expect(taken[9]).resolves.toBeTypeOf('function')
  })
})

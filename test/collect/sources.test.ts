import type { D1Database } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import { Sources } from '../../src/collect/sources.ts'

it('a source created or deleted during a look-up is looked up again, so that its events are not refused', async () => {
  const answers: (() => void)[] = []
  const held = {
    prepare: () => ({
      bind: () => ({
        all: () =>
          new Promise((resolve) => answers.push(() => resolve({ results: [{ id: 'known', kind: 'website' }] }))),
      }),
    }),
  } as unknown as D1Database
  const sources = new Sources(held)
  const looked = sources.look(['known', 'unknown'], 0)
  sources.forget()
  answers[0]!()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!()
  expect([...(await looked)]).toEqual([
    ['known', 'website'],
    ['unknown', undefined],
  ])
})

it('look-ups do not wait for an unresponsive D1, and cached sources stay valid', async () => {
  let isHanging = false
  const database = {
    prepare: () => ({
      bind: () => ({
        all: async () => (isHanging ? new Promise(() => {}) : { results: [{ id: 'known', kind: 'website' }] }),
      }),
    }),
  } as unknown as D1Database
  const sources = new Sources(database)
  await sources.look(['known'], 0)
  isHanging = true
  const [known, other] = [sources.look(['known'], 10_000), sources.look(['other'], 10_000)]
  await expect(other).rejects.toThrow('D1 does not answer')
  expect([...(await known)]).toEqual([['known', 'website']])
  isHanging = false
  expect([...(await sources.look(['known', 'other'], 10_000))]).toEqual([
    ['known', 'website'],
    ['other', undefined],
  ])
})

it('known sources stay cached, however many unknown ids are sent', async () => {
  let isThere = true
  let asked = 0
  const database = {
    prepare: () => ({
      bind: () => ({
        all: async () => {
          asked++
          if (!isThere) throw new Error('D1_ERROR')
          return { results: [{ id: 'known', kind: 'website' }] }
        },
      }),
    }),
  } as unknown as D1Database
  const sources = new Sources(database)
  await sources.look(['known'], 0)
  for (let batch = 0; batch < 30; batch++) {
    await sources.look(
      Array.from({ length: 500 }, (_, index) => `unknown ${batch} ${index}`),
      0,
    )
  }
  isThere = false
  expect([...(await sources.look(['known'], 9999))]).toEqual([['known', 'website']])
  expect(asked).toBe(31)
  // D1 cannot be read during the next look-up, so the cached values stay valid.
  expect([...(await sources.look(['known'], 10_000))]).toEqual([['known', 'website']])
  expect(asked).toBe(32)
  await expect(sources.look(['other'], 10_000)).rejects.toThrow('D1_ERROR')
})

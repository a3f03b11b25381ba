import { expect, it } from 'vitest'
import { keyOf, RecentTable } from '../../src/collect/table.ts'

const seed = [1, 2] as const
const key = (number: number) => keyOf(seed, [number])

/** The numbers below `count` that a table contains. The value of each must be the number itself. */
function known(table: RecentTable, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, number) => number)
  return numbers.filter((number) => {
    const found = table.get(key(number))
    if (found) expect([...found]).toEqual([number])
    return found !== undefined
  })
}

const most = 300
const lasts = 60

it('a table retains the newest entries, and never many more, however many are set together', () => {
  const table = new RecentTable(1, lasts, most, 3)
  for (let number = 0; number < 2000; number++) table.set(key(number), [number], 0)
  const found = known(table, 2000)
  expect(found.slice(-most)[0]).toBe(2000 - most)
  expect(found.length).toBeLessThanOrEqual((4 / 3) * most)
})

it('a table retains recent entries, and drops old ones if few are set', () => {
  const table = new RecentTable(1, lasts, most, 3)
  const moments = 500
  for (let now = 0; now < moments; now++) table.set(key(now), [now], now)
  const found = known(table, moments)
  expect(found[0]).toBeLessThanOrEqual(moments - lasts)
  expect(found.length).toBeLessThanOrEqual(2 * lasts)
})

it('a table retains the newest entries for an hour, even when quiet and busy times alternate', () => {
  const table = new RecentTable(1, lasts, most, 3)
  const at: number[] = []
  let now = 0
  for (let turn = 0; turn < 20; turn++) {
    const [count, pause] = turn % 3 === 0 ? [250, 0] : [7, 5]
    for (let event = 0; event < count; event++, now += pause) table.set(key(at.push(now) - 1), [at.length - 1], now)
    const found = new Set(known(table, at.length))
    const owed = at.map((_, number) => number).filter((n) => n >= at.length - most && now - at[n]! < lasts)
    expect(owed.filter((number) => !found.has(number))).toEqual([])
  }
})

it('a table retains an entry that is not set again while others are', () => {
  const table = new RecentTable(1, lasts, most)
  table.set(key(0), [0], 0)
  for (let now = 0; now < 20 * most; now++) table.set(key(1 + (now % (most - 2))), [0], lasts / 2)
  expect(table.get(key(0))).toBeDefined()
})

it('a table returns the latest value', () => {
  const table = new RecentTable(1, lasts, most, 3)
  for (let now = 0; now < lasts; now++) table.set(key(7), [now], now)
  expect([...table.get(key(7))!]).toEqual([lasts - 1])
})

it('a table limits each sharer to half of the free space, so that no other sharer loses entries', () => {
  const most = 900
  const table = new RecentTable(1, 1000, most)
  const fill = (sharer: number) => {
    for (let entry = 0; entry < 2 * most; entry++) table.set([sharer, entry + 1], [entry], 0, sharer)
    return Array.from({ length: 2 * most }, (_, entry) => table.get([sharer, entry + 1])).filter(Boolean).length
  }
  const quiet = [7, 7] as const
  table.set(quiet, [5], 0, 7)
  const first = fill(1)
  expect(first).toBe(449)
  // The first one gets half of the space, and the second one half of the rest.
  expect(fill(2)).toBe(225)
  expect(fill(3)).toBe(112)
  expect(table.get(quiet)![0]).toBe(5)
  table.set([8, 8], [6], 0, 8)
  expect(table.get([8, 8])![0]).toBe(6)
})

it('a table replaces an existing entry even for a sharer that has no space left', () => {
  const table = new RecentTable(1, 1000, 10)
  for (let entry = 1; entry < 20; entry++) table.set([1, entry], [0], 0, 1)
  table.set([1, 1], [9], 0, 1)
  expect(table.get([1, 1])![0]).toBe(9)
  expect(table.get([1, 19])).toBeUndefined()
})

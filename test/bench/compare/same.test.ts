import { describe, expect, test } from 'vitest'
import { differenceOf } from './same.ts'

const estimates = new Set(['visitors', 'y'])

describe('The answers of two layouts', () => {
  test('are the same when exact figures are equal and estimates are within 3 %', () => {
    const exact = [{ name: 'a', visits: 210, visitors: 200 }]
    expect(differenceOf(exact, [{ name: 'a', visits: 210, visitors: 206 }], estimates)).toBeUndefined()
    expect(differenceOf(exact, [{ name: 'a', visits: 210, visitors: 194 }], estimates)).toBeUndefined()
    expect(differenceOf([], [], estimates)).toBeUndefined()
  })

  test('differ if an exact figure, a name or the number of rows differs, or an estimate is far off', () => {
    const exact = [{ name: 'a', visits: 210, visitors: 200 }]
    expect(differenceOf(exact, [{ name: 'a', visits: 211, visitors: 200 }], estimates)).toMatch(/210.*211/)
    expect(differenceOf(exact, [{ name: 'a', visits: 210, visitors: 207 }], estimates)).toMatch(/200.*207/)
    expect(differenceOf(exact, [{ name: 'b', visits: 210, visitors: 200 }], estimates)).toMatch(/undefined/)
    expect(differenceOf(exact, [], estimates)).toBe('1 rows and 0 rows')
  })

  test('may list rows with estimated figures in a different order, but not rows with exact figures', () => {
    const estimated = [
      { x: 'a', y: 100 },
      { x: 'b', y: 99 },
    ]
    expect(differenceOf(estimated, estimated.toReversed(), estimates)).toBeUndefined()
    const exact = [
      { x: 'a', count: 100 },
      { x: 'b', count: 99 },
    ]
    expect(differenceOf(exact, exact.toReversed(), estimates)).toMatch(/"a".*"b"/)
  })

  test('must list rows without strings in the same order', () => {
    expect(differenceOf([{ y: 1000 }, { y: 0 }], [{ y: 1001 }, { y: 0 }], estimates)).toBeUndefined()
    expect(differenceOf([{ y: 1000 }, { y: 0 }], [{ y: 1001 }, { y: 1 }], estimates)).toMatch(/0.*1/)
  })

  test('may end a truncated list with different rows if their figures are close to its last figure', () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({ x: `page ${index}`, y: 1000 - index }))
    const withLast = (y: number) => [...rows.slice(0, -1), { x: 'other', y }]
    expect(differenceOf(withLast(501), rows, estimates)).toBeUndefined()
    expect(differenceOf(withLast(600), rows, estimates)).toMatch(/other/)
    expect(differenceOf(withLast(501).slice(1), rows.slice(1), estimates)).toMatch(/other/)
  })
})

import { describe, expect, it } from 'vitest'
import { brokenBound } from '../../src/request/json-cost.ts'

const bounds = { depth: 3, values: 20, shapes: 10 }
const broken = (value: unknown) => brokenBound(typeof value === 'string' ? value : JSON.stringify(value), bounds)
const keys = (count: number, first = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${first + place}`, 1]))

describe('the cost of JSON', () => {
  it('is limited in depth; brackets in strings do not count', () => {
    expect([broken([[[1]]]), broken([[[[1]]]])]).toEqual([undefined, 'depth'])
    expect(broken(['[[[[[', '\\', '"[[[[', '\\"{{{{', '{"a":'.repeat(50)])).toBe(undefined)
    expect(broken(`["a\\\\",[[[`)).toBe('depth')
  })

  it('is limited in the number of values', () => {
    expect([broken(Array(20).fill(0)), broken(Array(21).fill(0))]).toEqual([undefined, 'values'])
    expect([broken([Array(9).fill([])]), broken(Array(11).fill({}))]).toEqual([undefined, 'values'])
    expect(broken([','.repeat(50)])).toBe(undefined)
  })

  it('is limited in the number of object shapes, which are distinct sequences of keys', () => {
    expect([broken(keys(10)), broken(keys(11))]).toEqual([undefined, 'shapes'])
    expect(broken([keys(5), keys(5), keys(5, 5)])).toBe(undefined)
    expect(broken([keys(4), keys(4, 4), keys(4, 8)])).toBe('shapes')
    expect(broken('{"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1,"a":1}')).toBe('shapes')
    expect(broken(`{${Array.from({ length: 11 }, (_, place) => `"${place}" \n:1`).join()}}`)).toBe('shapes')
    // String values do not count as keys.
    expect(broken(Array.from({ length: 15 }, (_, place) => `k${place}`))).toBe(undefined)
  })

  it('is computed for any text, even invalid JSON', () => {
    for (const odd of ['', '"', '{"', '"\\', ']]]]', '}{', '{"a"', ':', '{"a":"\\u12', '[,,,', '\\"\\"']) {
      expect(brokenBound(odd, bounds), odd).toBe(undefined)
    }
  })
})

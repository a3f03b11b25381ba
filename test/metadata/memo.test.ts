import { describe, expect, it } from 'vitest'
import { memo } from '../../src/metadata/memo.ts'

const found =
  <Value>(value: Value) =>
  async () =>
    value

describe('a memo', () => {
  it('looks a value up once while it is fresh', async () => {
    const kept = memo<string>(10, 100)
    expect(await kept('a', 0, found('first'))).toBe('first')
    expect(await kept('a', 99, found('second'))).toBe('first')
    expect(await kept('a', 100, found('second'))).toBe('second')
  })

  it('keeps nothing of what was not found', async () => {
    const kept = memo<string | undefined>(10, 100)
    expect(await kept('a', 0, found(undefined))).toBeUndefined()
    expect(await kept('a', 0, found('new'))).toBe('new')
  })

  it('lets the oldest go when it is full', async () => {
    const kept = memo<string>(2, 100)
    for (const key of ['a', 'b', 'c']) await kept(key, 0, found(key))
    expect(await kept('a', 0, found('again'))).toBe('again')
    expect(await kept('c', 0, found('again'))).toBe('c')
  })

  it('does not bring back what is forgotten while it is looked up', async () => {
    const kept = memo<string>(10, 100)
    let answer: (value: string) => void = () => {}
    const slow = kept('a', 0, () => new Promise((resolve) => (answer = resolve)))
    kept.forget('a')
    answer('old')
    expect(await slow).toBe('old')
    expect(await kept('a', 0, found('new'))).toBe('new')
  })
})

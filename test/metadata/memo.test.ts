import { describe, expect, it } from 'vitest'
import { memo } from '../../src/metadata/memo.ts'

describe('a memo', () => {
  it('returns a value until the value expires', () => {
    const kept = memo<string>(10)
    kept.keeper()('a', 'first', 100)
    expect(kept.get('a', 99)).toBe('first')
    expect(kept.get('a', 100)).toBeUndefined()
    expect(kept.get('b', 0)).toBeUndefined()
  })

  it('evicts the oldest value when it is full', () => {
    const kept = memo<string>(2)
    for (const key of ['a', 'b', 'c']) kept.keeper()(key, key, 100)
    expect(kept.get('a', 0)).toBeUndefined()
    expect(kept.get('c', 0)).toBe('c')
  })

  it('does not store a value that was looked up before a clear', () => {
    const kept = memo<string>(10)
    const keep = kept.keeper()
    kept.clear()
    keep('a', 'old', 100)
    expect(kept.get('a', 0)).toBeUndefined()
    kept.keeper()('a', 'new', 100)
    expect(kept.get('a', 0)).toBe('new')
  })
})

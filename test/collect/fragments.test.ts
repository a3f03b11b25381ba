import { expect, it } from 'vitest'
import { Fragments } from '../../src/collect/fragments.ts'

it('a repeated fragment counts only once', () => {
  const fragments = new Fragments()
  const source = { websiteId: 'website', visitId: 'visit' }
  const piece = (index: number, length: number) => ({ id: 'event', index, total: 2, value: 'x'.repeat(length) })
  for (let time = 0; time < 2; time++) expect(fragments.add(source, piece(0, 2_600_000), 0)).toBeUndefined()
  expect(fragments.add(source, piece(1, 2_300_000), 0)).toHaveLength(4_900_000)
})

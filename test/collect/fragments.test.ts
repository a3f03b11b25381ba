import { expect, it } from 'vitest'
import { Fragments } from '../../src/collect/fragments.ts'

it('a repeated fragment counts only once', () => {
  const fragments = new Fragments()
  const source = { websiteId: 'website', visitId: 'visit' }
  const piece = (index: number, length: number) => ({ id: 'event', index, total: 2, value: 'x'.repeat(length) })
  for (let time = 0; time < 2; time++) expect(fragments.add(source, piece(0, 2_600_000), 0)).toBeUndefined()
  expect(fragments.add(source, piece(1, 2_300_000), 0)).toHaveLength(4_900_000)
})

it('two websites that send as much as they may leave room for another one', () => {
  const fragments = new Fragments()
  const piece = (id: string, length: number) => ({ id, index: 0, total: 2, value: 'x'.repeat(length) })
  const fill = (websiteId: string, length: number) => {
    for (let visit = 0; ; visit++) {
      const one = piece('event', length)
      if (!fragments.hasRoom(websiteId, [one], 0)) return
      fragments.add({ websiteId, visitId: `${websiteId} ${visit}` }, one, 0)
    }
  }
  const isLeft = (length: number) => fragments.hasRoom('honest', [piece('event', length)], 0)
  for (const websiteId of ['first', 'second']) fill(websiteId, 1_000_000)
  expect([isLeft(3_500_000), isLeft(5_000_000)]).toEqual([true, false])
  for (let index = 0; index < 5; index++) fill(`small ${index}`, 1)
  expect(isLeft(1)).toBe(true)
})

import { expect, it } from 'vitest'
import { formatShare } from '../../src/pages/dashboard/format/numbers.ts'

it('a share of one visitor among thousands is not shown as nothing', () => {
  expect(formatShare(1 / 6049)).toBe(`<${formatShare(1 / 1000)}`)
  expect(formatShare(0)).not.toBe(formatShare(1 / 1000))
})

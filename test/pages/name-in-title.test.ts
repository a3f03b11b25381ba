import { expect, it } from 'vitest'
import { nameInTitle } from '../../src/pages/parts/name-in-title.ts'

it('a name in a title is isolated, so that it cannot change the direction of the text after it', () => {
  expect(nameInTitle('متجر')).toBe('\u2068متجر\u2069')
  expect(nameInTitle('a\u2069\u202eb')).toBe('\u2068ab\u2069')
})

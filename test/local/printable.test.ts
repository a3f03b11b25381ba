import { expect, it } from 'vitest'
import { printable } from '../../src/local/told/printable.ts'

it('a name cannot add lines to a list, nor change the colour or direction of its text', () => {
  expect(printable('a\nadmin\u0000 \u001b[31m \u202e \u009b2J')).toBe(
    'a\\u{a}admin\\u{0} \\u{1b}[31m \\u{202e} \\u{9b}2J',
  )
  expect(printable('Zoë’s 網站 №1')).toBe('Zoë’s 網站 №1')
})

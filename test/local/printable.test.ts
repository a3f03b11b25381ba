import { expect, it } from 'vitest'
import { printable } from '../../src/local/told/printable.ts'

it('a name cannot add a line to a list, colour it or change its direction', () => {
  expect(printable('a\nadmin\u0000 \u001b[31m \u202e \u009b2J')).toBe(
    'a\\u{a}admin\\u{0} \\u{1b}[31m \\u{202e} \\u{9b}2J',
  )
  expect(printable('Zoë’s 網站 №1')).toBe('Zoë’s 網站 №1')
})

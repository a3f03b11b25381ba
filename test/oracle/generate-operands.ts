import * as fc from 'fast-check'
import type { TextTest } from './conditions.ts'
import { hostileText } from './generate-text.ts'

export const unknownText: fc.Arbitrary<string> = fc.oneof(fc.constantFrom('nowhere', 'c', 'eq', 'x,y'), hostileText)

/** Operators and operands that have a fair chance of matching this text. */
export function textTests(text: string): fc.Arbitrary<TextTest> {
  const lists = listsWith(text)
  return fc.oneof(
    { weight: 6, arbitrary: lists.map((operand): TextTest => ({ operator: 'eq', operand })) },
    { weight: 2, arbitrary: lists.map((operand): TextTest => ({ operator: 'neq', operand })) },
    { weight: 4, arbitrary: parts(text).map((operand): TextTest => ({ operator: 'c', operand })) },
    { weight: 1, arbitrary: parts(text).map((operand): TextTest => ({ operator: 'dnc', operand })) },
    { weight: 3, arbitrary: patterns(text).map((operand): TextTest => ({ operator: 're', operand })) },
    { weight: 1, arbitrary: patterns(text).map((operand): TextTest => ({ operator: 'nre', operand })) },
  )
}

/** The value of a filter, usually without `eq`, and sometimes just the plain text. */
export function filterValues(text: string): fc.Arbitrary<string> {
  const tested = textTests(text).chain(({ operator, operand }) =>
    fc.constantFrom(`${operator}.${operand}`, operator === 'eq' ? bare(operand) : `${operator}.${operand}`),
  )
  return fc.oneof({ weight: 6, arbitrary: tested }, { weight: 1, arbitrary: fc.constant(bare(text)) })
}

/** Drops a text that looks like a regular expression, because it may be invalid. */
function bare(operand: string): string {
  return /^n?re\./.test(operand) ? `eq.${operand}` : operand
}

/** One value or a comma-separated list. Commas within values are escaped. */
function listsWith(text: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(escapeCommas(text)) },
    {
      weight: 1,
      arbitrary: fc.array(unknownText, { minLength: 1, maxLength: 2 }).map((others) => list([text, ...others])),
    },
    { weight: 1, arbitrary: unknownText.map((other) => list([other, text])) },
  )
}

function list(texts: string[]): string {
  return texts.map(escapeCommas).join(',')
}

function escapeCommas(text: string): string {
  return text.replaceAll(',', '\\,')
}

/** A few characters of the text, possibly with their case changed. */
export function parts(text: string): fc.Arbitrary<string> {
  const characters = [...text]
  return fc
    .tuple(fc.nat({ max: Math.min(characters.length, 20) }), fc.integer({ min: 1, max: 10 }), fc.nat({ max: 2 }))
    .map(([start, length, form]) => {
      const part = characters.slice(start, start + length).join('')
      return form === 0 ? part : form === 1 ? part.toUpperCase() : part.toLowerCase()
    })
}

/** Patterns that JavaScript and RE2 share, without `.`, `\s`, `\b`, lookaround and backreferences. */
export function patterns(text: string): fc.Arbitrary<string> {
  const literal = parts(text).map(escapePattern)
  return fc.oneof(
    literal,
    literal.map((part) => `^${part}`),
    literal.map((part) => `${part}$`),
    literal.map((part) => `^(?:${part}|[0-9]+)`),
    literal.map((part) => `(${part})+`),
    literal.map((part) => `${part}[a-z_/]{0,3}$`),
    literal.map((part) => `^[^a-f]*${part}`),
    fc.constantFrom('^$', '\\d', '^\\w+$', '\\W', '[A-Z]+\\d?', '\\\\', '^/[^/]*$'),
  )
}

function escapePattern(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&')
}

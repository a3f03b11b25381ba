import { describe, expect, it } from 'vitest'
import { workOf } from '../../src/request/pattern-work.ts'
import { type Random, random } from '../fuzz/random.ts'
import { forEach } from '../support/concurrently.ts'
import { runs } from '../support/long.ts'
import { seed } from '../support/seed.ts'
import { running } from '../support/weir.ts'

describe('the number of repetitions in a pattern', () => {
  it.each([
    ['a', 0],
    ['a*b+c?d*?e+?', 0],
    ['a{3}', 3],
    ['a{0}', 1],
    ['a{3,}', 3],
    ['a{,3}', 0],
    ['a{2,5}', 5],
    ['a{2,5}?', 5],
    ['a{2}b{3}|c{4}', 9],
    ['(a{2}b{3}){4}', 20],
    ['(?:(?P<x>a{2})|(?i:b{3})){4}', 20],
    ['(.{0,300}){3}', 900],
    ['((((a{10}){10}){10}){10})', 10_000],
    ['(a{10})*', 10],
    ['a*{3}', 3],
    ['a{2}{3}', 6],
    ['a{2}?{3}', 6],
    ['a{3}(?i){2}', 6],
    ['\\{5}', 0],
    ['\\\\{5}', 5],
    ['a\\{2}{3}', 3],
    ['[a{9}]', 0],
    ['[]{9}]{2}', 2],
    ['[^]{9}]{2}', 2],
    ['[\\]{9}]{2}', 2],
    ['[a]{9}]', 9],
    ['[[:alpha:]{9}]{2}', 2],
    ['[[:alpha:][]x{50}', 50],
    ['[[:a]x{50}', 50],
    ['\\Q{5}\\E{2}', 2],
    ['\\Q(\\E{2}', 2],
    ['a\\Q\\E{2}', 2],
    ['\\Q[\\Ex{7}', 7],
    ['\\Qa{5}', 0],
    ['\\pN{3}', 3],
    ['\\p{Greek}{3}', 3],
    ['\\x{100}', 0],
    ['\\x{100}{4}', 4],
    ['\\x41{3}', 3],
    ['a{', 0],
    ['a{2', 0],
    ['a{2,3', 0],
    ['a{2,3,4}', 0],
    ['a{ 2}', 0],
    ['a{99999999999999999999999}', 1e15],
    ['(a{1000}){1000}'.repeat(3), 3_000_000],
    ['a{2})b{3}', 5],
  ])('%s: %d', (pattern, repetitions) => {
    expect(workOf(pattern).repetitions).toBe(repetitions)
  })

  it('is never lower than RE2’s', async () => {
    const draw = random(seed)
    const refusals = new Set<string>()
    const patterns = Array.from({ length: runs(60, 5000) }, () => wrapped(drawn(draw, 3)))
    // These patterns prove that RE2 would report too many repetitions.
    const beyond = ['(?:a{10}){101}', '(?:[[:alpha:][]a{50}){21}']
    await forEach([...patterns, ...beyond], async (pattern) => {
      if (!(await re2Refuses(pattern))) return
      refusals.add(pattern)
      expect(workOf(pattern).repetitions, `SEED=${seed} ${pattern}`).toBeGreaterThan(1000)
    })
    expect([...refusals]).toEqual(expect.arrayContaining(beyond))
  })
})

/** Repeats a pattern so many times that RE2 refuses it if RE2 counts more repetitions than Weir does. */
function wrapped(pattern: string): string {
  const { repetitions } = workOf(pattern)
  return `(?:${pattern}){${Math.max(1, Math.floor(1000 / Math.max(1, repetitions)))}}`
}

const atoms = [
  ...['a', '.', '[a]', '[]]', '[^]{9}]', '[[:alpha:]x]', '[[:alpha:][]', '[[:a]', '[\\]{9}]', '[a-]', '[^[:^digit:]]'],
  ...['\\{', '\\Q{9}\\E', '\\Qa', '\\E', '\\Q[\\E', '\\pL', '\\p{Greek}', '\\P{^L}', '[\\p{L}{9}]', '\\x{61}', '\\x41'],
  ...['\\d', '\\b', '^', '$', '\\C', '\\\\', '{', '}', ']', '[', '(', ')', '-', '|', '\\012', '{,3}', '{ 2}', '(?i)'],
]
const marks = ['', '', '{2}', '{2,}', '{0,3}', '{3}?', '*', '+?', '{1,2}', '{01}', '{2,3,4}', '{2}{2}', '*{2}']

/** A pattern whose parts look like repetitions or hide them. RE2 refuses many such patterns. */
function drawn(draw: Random, depth: number): string {
  const part = (): string => {
    const isGroup = depth > 0 && draw.chance(0.5)
    const inner = isGroup ? `${draw.pick(['(', '(?:', '(?P<n>', '(?i:', '(?U:'])}${drawn(draw, depth - 1)})` : ''
    return `${inner || draw.pick(atoms)}${draw.pick(marks)}`
  }
  return Array.from({ length: 1 + draw.whole(4) }, part).join(draw.pick(['', '', '|']))
}

/** Whether RE2 refuses the pattern because it has more than 1,000 nested repetitions. */
async function re2Refuses(pattern: string): Promise<boolean> {
  const url = `${running.clickhouse}&param_p=${encodeURIComponent(pattern.replaceAll('\\', '\\\\'))}`
  const response = await fetch(url, { method: 'POST', body: `select match('', {p:String})` })
  return (await response.text()).includes('invalid repetition size')
}

describe('a pattern’s size', () => {
  it.each([
    ['abc', 3],
    ['(?:abc){10}', 50],
    ['[abc]{10}', 50],
    ['\\pL\\P{Greek}[\\pN]', 50 + 50 + 5 + 49],
    ['a{0,100}', 100],
    ['\\Qabc\\E{2}', 4],
  ])('%s: %d', (pattern, size) => {
    expect(workOf(pattern).size).toBe(size)
  })
})

it('patterns are read in linear time', () => {
  const pieces = [
    '\\p{',
    ...['[[:', '{1', '(', '(?i', ')'],
    '\\Q',
    '[',
    '\\x{',
    ...['{11111', '[[:a', 'a{1000}', '(a{9}'],
    '\\',
    '[^',
  ]
  for (const piece of pieces) {
    const before = process.cpuUsage()
    workOf(piece.repeat(100_000))
    expect(process.cpuUsage(before).user / 1000, piece).toBeLessThan(2000)
  }
})
